//! The JSON of `rspec --format json`: a list of examples.

use serde::Deserialize;

use super::{Outcome, Tests};

/// One example.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Example {
    full_description: String,
    status: String,
}

impl Example {
    /// Adds it.
    pub(super) fn add_to(&self, tests: &mut Tests) {
        let outcome = match self.status.as_str() {
            "passed" => Outcome::Passed,
            "failed" => Outcome::Failed,
            _ => Outcome::Skipped,
        };
        tests.add(&self.full_description, outcome);
    }
}
