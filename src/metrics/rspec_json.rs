//! The JSON of `rspec --format json`: a list of examples.

use serde::Deserialize;

use super::{TestOutcome, Tests};

/// One example.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct RspecExample {
    full_description: String,
    status: String,
}

impl RspecExample {
    /// Adds it.
    pub(super) fn add_to(&self, tests: &mut Tests) {
        let outcome = match self.status.as_str() {
            "passed" => TestOutcome::Passed,
            "failed" => TestOutcome::Failed,
            _ => TestOutcome::Skipped,
        };
        tests.add(&self.full_description, outcome);
    }
}
