//! What a detector found: a pattern of the catalogue, in one file, with what was lost by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The seven regression types of the state schema, and `guard` for what concerns Steadfast itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegressionType {
    /// Tests are gone.
    TestDeletion,
    /// Tests no longer run.
    TestSkipping,
    /// A feature is gone.
    FeatureRemoval,
    /// Coverage fell.
    CoverageRegression,
    /// A check of input is gone.
    ValidationBypass,
    /// A test asserts less.
    AssertionWeakening,
    /// An error is hidden.
    ErrorSuppression,
}

impl RegressionType {
    /// All types, in the documents' order.
    pub const ALL: [RegressionType; 7] = [
        RegressionType::TestDeletion,
        RegressionType::TestSkipping,
        RegressionType::FeatureRemoval,
        RegressionType::CoverageRegression,
        RegressionType::ValidationBypass,
        RegressionType::AssertionWeakening,
        RegressionType::ErrorSuppression,
    ];

    /// The name in state files and configuration.
    pub fn name(self) -> &'static str {
        match self {
            RegressionType::TestDeletion => "test_deletion",
            RegressionType::TestSkipping => "test_skipping",
            RegressionType::FeatureRemoval => "feature_removal",
            RegressionType::CoverageRegression => "coverage_regression",
            RegressionType::ValidationBypass => "validation_bypass",
            RegressionType::AssertionWeakening => "assertion_weakening",
            RegressionType::ErrorSuppression => "error_suppression",
        }
    }

    /// Whether tests are lost, and not code or figures.
    pub fn is_of_tests(self) -> bool {
        matches!(self, RegressionType::TestDeletion | RegressionType::TestSkipping)
    }
}

/// How bad a finding is; the mode decides what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Recorded.
    Low,
    /// Advice.
    Medium,
    /// Asked or denied.
    High,
    /// Asked or denied, and never retried without a person.
    Critical,
}

impl Severity {
    /// The name in state files.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
            Severity::Critical => "critical",
        }
    }
}

/// What a finding says is left out, which the project's files can answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOut {
    /// Tests that a path, or a pattern of paths, leaves out of a run.
    OfRun(String),
    /// Code that one leaves out of a check or a count.
    OfCheck(String),
    /// Tests outside of the places that are searched from now on. Those of before found them, or their names where there
    /// were none.
    Outside {
        /// The places from now on.
        now: Vec<String>,
        /// The places before.
        before: Vec<String>,
    },
}

/// One finding. One cause gives one finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The catalogue's id, e.g. `LP-001`.
    pub pattern_id: &'static str,
    /// The catalogue's name, e.g. `Complete Test File Deletion`.
    pub pattern_name: &'static str,
    /// The regression type, or `None` for a risk that is no regression (a destructive command, the guard itself).
    pub regression_type: Option<RegressionType>,
    /// How bad it is.
    pub severity: Severity,
    /// The file, relative to the project where it is inside.
    pub path: String,
    /// The line in the text before the change, from 1, where one is meant.
    pub line: Option<u32>,
    /// What was lost, by name, without the file: `Suite > case`.
    pub lost: Vec<String>,
    /// What happened, as a fact: `2 of 5 tests would be gone`.
    pub what: String,
    /// How to get the work done without the loss, as a fact.
    pub mend: String,
    /// From 0 to 1.
    pub confidence: f32,
    /// What is left out, where the finding is about that.
    #[serde(skip)]
    pub left_out: Option<LeftOut>,
}

impl Finding {
    /// Each lost thing as the documents name it: `file: name`.
    pub fn lost_names(&self) -> impl Iterator<Item = String> + '_ {
        self.lost.iter().map(|name| format!("{}: {name}", self.path))
    }
}

/// One file before and after a call. `None` is a file that does not exist.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The file, relative to the project where it is inside, with `/`.
    pub path: String,
    /// The text before.
    pub before: Option<String>,
    /// The text after.
    pub after: Option<String>,
}

/// `1 test is`, `2 tests are`.
pub fn counted_are<N: Copy + PartialEq + From<u8> + std::fmt::Display>(count: N, noun: &str) -> String {
    format!("{} {}", counted(count, noun), is_or_are(count))
}

/// The verb behind so many.
pub fn is_or_are<N: PartialEq + From<u8>>(count: N) -> &'static str {
    if count == N::from(1) { "is" } else { "are" }
}

/// `1 test`, `2 tests`.
pub fn counted<N: Copy + PartialEq + From<u8> + std::fmt::Display>(count: N, noun: &str) -> String {
    if count == N::from(1) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
