//! PHPUnit: `OK (2 tests, 3 assertions)`, or `Tests: 4, Assertions: 2, Failures: 1.`, and what failed by name.

use super::{Run, Tests, behind};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Phpunit {
    tests: Tests,
    seen: bool,
}

impl Run for Phpunit {
    fn line(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("OK (").filter(|counts| counts.contains("assertion")) {
            let count = counts.split(' ').next().and_then(|count| count.parse().ok());
            self.tests.passed += count.unwrap_or(0);
            self.seen |= count.is_some();
        } else if line.starts_with("Tests: ") && line.contains("Assertions: ") {
            let number = |label| behind(line, label).unwrap_or(0);
            let failed = number("Errors:") + number("Failures:");
            let skipped = number("Skipped:") + number("Incomplete:");
            self.tests.failed += failed;
            self.tests.skipped += skipped;
            self.tests.passed += number("Tests:").saturating_sub(failed + skipped);
            self.seen = true;
        } else if let Some((number, name)) = line.split_once(") ")
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && name.contains("::")
            && !name.contains(' ')
        {
            self.tests.name(name, Outcome::Failed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.seen.then_some(self.tests)
    }
}
