//! Tests that no grammar reads, by their lines: of shell, of suites in YAML. What a change takes from them.

/// A test: its name, its lines without blanks around them, and where it begins.
pub(super) struct LineTest {
    pub(super) name: String,
    pub(super) lines: Vec<String>,
    pub(super) line: u32,
}

/// What became of the tests of a file.
#[derive(Default)]
pub(super) struct LineTestLosses {
    pub(super) gone: Vec<LineTest>,
    pub(super) skipped: Vec<LineTest>,
    /// The first test that asserts less, and how.
    pub(super) weaker: Option<(LineTest, String)>,
    /// How many there were.
    pub(super) count: usize,
}

/// Whether the second of two tests is the first.
pub(super) type IsSame = fn(&LineTest, &LineTest) -> bool;

/// How tests of one kind are read.
pub(super) struct LineTestReading<'r> {
    /// Whether a test is another one under a new name, the surest way of telling first.
    pub(super) is_renamed: &'r [IsSame],
    /// Whether what a lost test said is said otherwise.
    pub(super) is_replaced: &'r dyn Fn(&LineTest) -> bool,
    /// Whether a test does not run.
    pub(super) is_skipped: fn(&LineTest) -> bool,
    /// How the second of two tests asserts less than the first.
    pub(super) weaker: fn(&LineTest, &LineTest) -> Option<String>,
}

impl LineTestLosses {
    /// What the tests before have lost in those after.
    pub(super) fn between(old: Vec<LineTest>, mut new: Vec<LineTest>, reading: &LineTestReading) -> Self {
        let mut losses = LineTestLosses { count: old.len(), ..LineTestLosses::default() };
        for test in old {
            let by_name = new.iter().position(|it| it.name == test.name);
            let renamed = || reading.is_renamed.iter().find_map(|is| new.iter().position(|it| is(&test, it)));
            let Some(at) = by_name.or_else(renamed) else {
                if !(reading.is_replaced)(&test) {
                    losses.gone.push(test);
                }
                continue;
            };
            let now = new.swap_remove(at);
            if now.name != test.name && now.lines != test.lines {
                // What it says has other values: that is judged as data.
                continue;
            }
            if (reading.is_skipped)(&now) && !(reading.is_skipped)(&test) {
                losses.skipped.push(test);
            } else if losses.weaker.is_none()
                && let Some(how) = (reading.weaker)(&test, &now)
            {
                losses.weaker = Some((test, how));
            }
        }
        losses
    }
}
