//! The codebase at a loop's start, as far as it was measured.
//!
//! A figure that nothing gave is absent, or null with its reason under `unavailable`.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::mending::or_none;
use crate::state::schema::DateTime;

/// The codebase at loop start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["captured_at", "test_count", "coverage_percentage"]))]
pub struct Baseline {
    /// When it was measured.
    #[schemars(with = "DateTime")]
    pub captured_at: Timestamp,
    /// Tests in the sources; null when they could not be counted.
    pub test_count: Option<u64>,
    /// Percent; null when no coverage tool is there.
    #[schemars(range(min = 0, max = 100))]
    pub coverage_percentage: Option<f64>,
    /// Files that are not ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub file_count: Option<u64>,
    /// Lines of the files whose language is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub lines_of_code: Option<u64>,
    /// Why a number is missing, by field.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unavailable: Map<String, Value>,
    /// Percent of the branches.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub branch_coverage_percentage: Option<f64>,
    /// Errors of the TypeScript compiler.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub typescript_errors: Option<u64>,
    /// Errors of any type checker.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub type_errors: Option<u64>,
    /// Errors of the linter.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub lint_errors: Option<u64>,
    /// Warnings of the linter.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub lint_warnings: Option<u64>,
    /// The project's own numbers.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub custom_metrics: Option<Map<String, Value>>,
    /// Tests in the sources, beside those that a runner lists.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub inventory_test_count: Option<u64>,
    /// Why no runner was asked for its tests, where the sources were counted instead.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub test_count_note: Option<Value>,
    /// What gave each figure: lists of commands and files, by field.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub sources: Option<Map<String, Value>>,
    /// The counts of tests that a person has approved since, oldest first.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Vec<AcceptedCount>>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A count of tests that a person approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedCount {
    /// When.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// The baseline's count until then.
    pub test_count_before: Option<u64>,
    /// The count from then on.
    pub test_count: Option<u64>,
}
