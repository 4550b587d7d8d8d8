//! The JSON of `jest --json` and of vitest's reporter `json`: one entry for each file.

use serde::Deserialize;

use crate::metrics::{Outcome, Tests};

/// One test file.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::metrics) struct File {
    name: String,
    status: String,
    assertion_results: Vec<Test>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Test {
    full_name: String,
    status: String,
}

impl File {
    /// Adds its tests. A file that could not be loaded is one that failed.
    pub(in crate::metrics) fn add_to(&self, tests: &mut Tests) {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or_default();
        for test in &self.assertion_results {
            let outcome = match test.status.as_str() {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed,
                _ => Outcome::Skipped,
            };
            tests.add(&format!("{file} > {}", test.full_name), outcome);
        }
        if self.assertion_results.is_empty() && self.status == "failed" {
            tests.add(file, Outcome::Failed);
        }
    }
}
