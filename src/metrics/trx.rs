//! The results file of `dotnet test --logger trx`: one `UnitTestResult` per test, and for each row of a data-driven one.
//!
//! Results are counted, not the summary's counters: those leave out what has rows.

use super::xml::Tag;
use super::{TestOutcome, Tests};

/// The results so far.
#[derive(Default)]
pub(super) struct Trx {
    tests: Tests,
    /// Results that are open; one that has rows is counted by them.
    open: Vec<Option<(String, TestOutcome)>>,
}

/// Deeper rows are not looked into.
const DEEPEST: usize = 64;

impl Trx {
    pub(super) fn opens(&mut self, name: &str, tag: &Tag, has_content: bool) {
        match name {
            "UnitTestResult" => {
                let outcome = match tag.attribute("outcome").as_deref() {
                    Some("Passed" | "PassedButRunAborted" | "Warning") => TestOutcome::Passed,
                    Some("NotExecuted" | "Inconclusive" | "NotRunnable" | "Pending") => TestOutcome::Skipped,
                    _ => TestOutcome::Failed,
                };
                let result = (tag.attribute("testName").unwrap_or_default(), outcome);
                if has_content && self.open.len() < DEEPEST {
                    self.open.push(Some(result));
                } else {
                    self.tests.add(&result.0, result.1);
                }
            }
            "InnerResults" => {
                if let Some(parent) = self.open.last_mut() {
                    *parent = None;
                }
            }
            _ => {}
        }
    }

    pub(super) fn closes(&mut self, name: &[u8]) {
        if name == b"UnitTestResult"
            && let Some(Some((test, outcome))) = self.open.pop()
        {
            self.tests.add(&test, outcome);
        }
    }

    pub(super) fn end(mut self) -> Tests {
        for (test, outcome) in std::mem::take(&mut self.open).into_iter().flatten() {
            self.tests.add(&test, outcome);
        }
        self.tests
    }
}
