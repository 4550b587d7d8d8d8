//! How many tests a run executed, by its own summary.
//!
//! Skipped tests do not count. `None` where no summary that is known was printed: nothing is guessed.

use crate::loops::verification::printed;

/// Reads one summary line: the tests that it says were run.
type Reader = fn(&str) -> Option<u64>;

/// The summaries of runners. A run that prints several (one for each package) has the sum of one kind.
const READERS: &[Reader] = &[cargo, node, jest, vitest, pytest, mocha, phpunit, rspec, unittest];

/// The tests that the output says were run.
pub fn executed(output: &str) -> Option<u64> {
    let plain = printed::plain(output.as_bytes());
    READERS.iter().find_map(|reader| {
        let counts: Vec<u64> = plain.lines().filter_map(|line| reader(line.trim())).collect();
        (!counts.is_empty()).then(|| counts.iter().sum())
    })
}

/// `test result: ok. 4 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out`
fn cargo(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("test result: ")?;
    Some(before(rest, "passed")? + before(rest, "failed")?)
}

/// `# pass 4` and `ℹ fail 1`
fn node(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
    let (what, count) = rest.split_once(' ')?;
    let count = count.trim().parse().ok()?;
    matches!(what, "pass" | "fail").then_some(count)
}

/// `Tests:       1 failed, 2 skipped, 4 passed, 7 total`
fn jest(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Tests:").filter(|rest| rest.contains("total"))?;
    Some(before(rest, "passed").unwrap_or(0) + before(rest, "failed").unwrap_or(0))
}

/// `Tests  1 failed | 4 passed (5)`
fn vitest(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Tests ").filter(|rest| rest.ends_with(')'))?;
    Some(before(rest, "passed").unwrap_or(0) + before(rest, "failed").unwrap_or(0))
}

/// `==== 1 failed, 4 passed, 2 skipped in 0.12s ====`, and the same without bars under `-q`
fn pytest(line: &str) -> Option<u64> {
    let rest = line.trim_matches(['=', ' ']);
    let rest = rest.rsplit_once(" in ").filter(|(_, time)| time.starts_with(|c: char| c.is_ascii_digit()))?.0;
    let count = |what| before(rest, what);
    let (passed, failed) = (count("passed"), count("failed"));
    let ran = passed.or(failed).or(count("xfailed")).or(count("error"))?;
    let both = passed.unwrap_or(0) + failed.unwrap_or(0) + count("xpassed").unwrap_or(0);
    Some(both.max(if passed.is_some() || failed.is_some() { ran } else { 0 }))
}

/// `4 passing (12ms)` and `1 failing`
fn mocha(line: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    let count = words.next()?.parse().ok()?;
    let what = words.next()?;
    (matches!(what, "passing" | "failing") && words.count() <= 1).then_some(count)
}

/// `OK (4 tests, 8 assertions)` and `Tests: 5, Assertions: 9, Failures: 1, Skipped: 2.`
fn phpunit(line: &str) -> Option<u64> {
    if let Some(rest) = line.strip_prefix("OK (") {
        return before(rest, "tests").or_else(|| before(rest, "test"));
    }
    let rest = line.strip_prefix("Tests: ").filter(|rest| rest.contains("Assertions: "))?;
    let all: u64 = rest.split(',').next()?.trim().parse().ok()?;
    let after = |name: &str| rest.split(name).nth(1)?.split([',', '.']).next()?.trim().parse::<u64>().ok();
    Some(all.saturating_sub(after("Skipped: ").unwrap_or(0) + after("Incomplete: ").unwrap_or(0)))
}

/// `5 examples, 1 failure, 2 pending`
fn rspec(line: &str) -> Option<u64> {
    let all = before(line, "examples").or_else(|| before(line, "example"))?;
    line.contains("failure").then(|| all.saturating_sub(before(line, "pending").unwrap_or(0)))
}

/// `Ran 5 tests in 0.001s`
fn unittest(line: &str) -> Option<u64> {
    line.strip_prefix("Ran ")?.split_once(" test")?.0.parse().ok()
}

/// The number before a word: `4` of `4 passed;`.
fn before(text: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;|().".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let at = words.iter().position(|it| *it == word)?;
    words.get(at.checked_sub(1)?)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let rows: &[(&str, Option<u64>)] = &[
            (
                "test result: ok. 4 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
                 test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
                Some(8),
            ),
            ("# tests 5\n# suites 0\n# pass 3\n# fail 1\n# skipped 1\n", Some(4)),
            ("ℹ tests 2\nℹ pass 2\nℹ fail 0\n", Some(2)),
            (
                "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 4 passed, 7 total\n",
                Some(5),
            ),
            (" Test Files  1 passed (1)\n      Tests  1 failed | 4 passed | 2 skipped (7)\n", Some(5)),
            ("===== 1 failed, 4 passed, 2 skipped in 0.12s =====", Some(5)),
            ("3 passed in 0.01s", Some(3)),
            ("no tests ran in 0.01s", None),
            ("  4 passing (12ms)\n  1 failing\n", Some(5)),
            ("OK (4 tests, 8 assertions)", Some(4)),
            ("Tests: 5, Assertions: 9, Failures: 1, Skipped: 2.", Some(3)),
            ("5 examples, 1 failure, 2 pending", Some(3)),
            ("Ran 5 tests in 0.001s\n\nOK", Some(5)),
            ("all 7 tests passed", None),
            ("", None),
        ];
        for (output, expected) in rows {
            assert_eq!(executed(output), *expected, "{output}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in ".{0,200}") {
            executed(&text);
        }
    }
}
