//! JUnit's XML as surefire, pytest, vitest, jest-junit, phpunit, gradle and node write it: one `testcase` per test.
//!
//! The cases are counted, not the totals at the suites: nested suites repeat theirs.

use super::xml::Tag;
use super::{TestOutcome, Tests};

/// The cases so far.
#[derive(Default)]
pub(super) struct Junit {
    tests: Tests,
    /// The case that is open, and how it goes so far.
    case: Option<(String, TestOutcome)>,
}

impl Junit {
    pub(super) fn opens(&mut self, name: &str, tag: &Tag, has_content: bool) {
        match name {
            "testcase" => {
                self.close_case();
                let case = tag.attribute("name").unwrap_or_default();
                let class = tag.attribute("classname").filter(|class| !class.is_empty());
                let full = class.map_or_else(|| case.clone(), |class| format!("{class} > {case}"));
                // Some writers say it here and not below.
                let outcome = match tag.attribute("status").as_deref() {
                    Some("skipped" | "disabled" | "notrun") => TestOutcome::Skipped,
                    Some("failed" | "error") => TestOutcome::Failed,
                    _ => TestOutcome::Passed,
                };
                self.case = Some((full, outcome));
                if !has_content {
                    self.close_case();
                }
            }
            "failure" | "error" => self.worsen(TestOutcome::Failed),
            "skipped" => self.worsen(TestOutcome::Skipped),
            _ => {}
        }
    }

    pub(super) fn closes(&mut self, name: &[u8]) {
        if name == b"testcase" {
            self.close_case();
        }
    }

    fn worsen(&mut self, outcome: TestOutcome) {
        if let Some((_, so_far)) = &mut self.case {
            *so_far = outcome.max(*so_far);
        }
    }

    fn close_case(&mut self) {
        if let Some((name, outcome)) = self.case.take() {
            self.tests.add(&name, outcome);
        }
    }

    pub(super) fn end(mut self) -> Tests {
        self.close_case();
        self.tests
    }
}
