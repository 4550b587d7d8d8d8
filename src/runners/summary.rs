//! Runners that sum their results up in one line, and name what failed at most.

use crate::metrics::{ResultReader, TestOutcome, Tests};

/// What one line adds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// So many tests passed, failed and were skipped.
    Counts(u64, u64, u64),
    /// So many tests ran, of which a later line takes those that failed.
    Ran(u64),
    /// So many of those that ran failed and were skipped.
    Of(u64, u64),
    /// A test ended so. The summary has counted it.
    Named(String, TestOutcome),
}

impl Told {
    /// Of so many tests these failed and were skipped; the others passed.
    pub(super) fn all(count: u64, failed: u64, skipped: u64) -> Told {
        Told::Counts(count.saturating_sub(failed + skipped), failed, skipped)
    }
}

/// Reads what a runner's lines tell.
pub(super) struct Summary {
    read: fn(&str) -> Option<Told>,
    tests: Tests,
    ran: u64,
    seen: bool,
}

impl Summary {
    pub(super) fn by(read: fn(&str) -> Option<Told>) -> Summary {
        Summary { read, tests: Tests::default(), ran: 0, seen: false }
    }
}

impl ResultReader for Summary {
    fn line(&mut self, line: &str) {
        let Some(told) = (self.read)(line) else { return };
        self.seen |= matches!(told, Told::Counts(..) | Told::Ran(_));
        match told {
            Told::Counts(passed, failed, skipped) => {
                self.tests.passed += passed;
                self.tests.failed += failed;
                self.tests.skipped += skipped;
            }
            Told::Ran(count) => self.ran += count,
            Told::Of(failed, skipped) => {
                self.tests.failed += failed;
                self.tests.skipped += skipped;
            }
            Told::Named(name, outcome) => self.tests.name(&name, outcome),
        }
    }

    fn end(mut self: Box<Self>) -> Option<Tests> {
        self.tests.passed += self.ran.saturating_sub(self.tests.failed + self.tests.skipped);
        self.seen.then_some(self.tests)
    }
}
