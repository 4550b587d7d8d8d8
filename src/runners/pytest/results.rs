//! pytest: the last line, `2 failed, 3 passed in 0.05s`, the lines of `-v`, and the short summary.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{before, together};

#[derive(Default)]
pub(super) struct Pytest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
}

impl ResultReader for Pytest {
    fn line(&mut self, line: &str) {
        if let Some(sum) = summary(line) {
            let (passed, failed, skipped) = self.sum.unwrap_or_default();
            self.sum = Some((passed + sum.0, failed + sum.1, skipped + sum.2));
            return;
        }
        // "FAILED test_shop.py::test_empty - assert 1 == 0"
        for (word, outcome) in [("FAILED ", TestOutcome::Failed), ("ERROR ", TestOutcome::Failed)] {
            if let Some(name) = line.strip_prefix(word).map(|rest| rest.split(" - ").next().unwrap_or(rest))
                && name.contains("::")
            {
                if !self.tests.by_name.contains_key(name) {
                    self.tests.count(outcome);
                }
                self.tests.name(name, outcome);
            }
        }
        self.verbose(line);
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        together(self.tests, self.sum)
    }
}

impl Pytest {
    /// `test_shop.py::test_adds PASSED [ 14%]`.
    fn verbose(&mut self, line: &str) {
        let Some((name, rest)) = line.split_once(' ') else { return };
        if !name.contains("::") {
            return;
        }
        // A parameter may hold blanks: the verdict is the last word in capitals before the percentage.
        let rest = rest.split(" [").next().unwrap_or(rest).trim();
        for (word, outcome) in [
            ("PASSED", TestOutcome::Passed),
            ("XFAIL", TestOutcome::Passed),
            ("XPASS", TestOutcome::Passed),
            ("FAILED", TestOutcome::Failed),
            ("ERROR", TestOutcome::Failed),
            ("SKIPPED", TestOutcome::Skipped),
        ] {
            let head = rest.split(" (").next().unwrap_or(rest);
            if head == word || head.ends_with(&format!(" {word}")) {
                let more = head.strip_suffix(word).unwrap_or_default().trim();
                let full = if more.is_empty() { name.to_owned() } else { format!("{name} {more}") };
                self.tests.add(&full, outcome);
                return;
            }
        }
    }
}

/// The last line's numbers: `=== 2 failed, 3 passed, 1 skipped in 0.05s ===`, or `no tests ran in 0.01s`.
fn summary(line: &str) -> Option<(u64, u64, u64)> {
    let text = line.trim_matches('=').trim();
    let (counts, time) = text.rsplit_once(" in ")?;
    let seconds = time.split(' ').next()?.strip_suffix('s')?;
    if !seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    if counts == "no tests ran" {
        return Some((0, 0, 0));
    }
    let known = [
        "passed",
        "failed",
        "error",
        "errors",
        "skipped",
        "deselected",
        "xfailed",
        "xpassed",
        "warning",
        "warnings",
        "rerun",
        "subtests",
    ];
    for part in counts.split(", ") {
        let (count, word) = part.split_once(' ')?;
        count.parse::<u64>().ok()?;
        if !known.contains(&word.split(' ').next()?) {
            return None;
        }
    }
    let number = |word| before(counts, word).unwrap_or(0);
    let passed = number("passed") + number("xfailed") + number("xpassed");
    Some((passed, number("failed") + number("error") + number("errors"), number("skipped")))
}
