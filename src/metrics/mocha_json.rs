//! The JSON of mocha's reporter `json`: lists of what passed, failed and is pending.

use serde::Deserialize;

use super::{Outcome, Tests};

/// One test.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Test {
    full_title: String,
}

/// How the tests of a list ended.
pub(super) fn outcome(list: &str) -> Outcome {
    match list {
        "passes" => Outcome::Passed,
        "failures" => Outcome::Failed,
        _ => Outcome::Skipped,
    }
}

impl Test {
    /// Adds it.
    pub(super) fn add_to(&self, tests: &mut Tests, outcome: Outcome) {
        tests.add(&self.full_title, outcome);
    }
}
