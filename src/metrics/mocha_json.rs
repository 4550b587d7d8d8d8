//! The JSON of mocha's reporter `json`: lists of what passed, failed and is pending.

use serde::Deserialize;

use super::{TestOutcome, Tests};

/// One test.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MochaTest {
    full_title: String,
}

/// How the tests of a list ended.
pub(super) fn outcome(list: &str) -> TestOutcome {
    match list {
        "passes" => TestOutcome::Passed,
        "failures" => TestOutcome::Failed,
        _ => TestOutcome::Skipped,
    }
}

impl MochaTest {
    /// Adds it.
    pub(super) fn add_to(&self, tests: &mut Tests, outcome: TestOutcome) {
        tests.add(&self.full_title, outcome);
    }
}
