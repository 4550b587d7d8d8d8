//! What went wrong: an error that a tool or a verification gave, and a hook that failed.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::mending::or_none;
use crate::state::schema::DateTime;

/// An error that a tool or a verification gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ErrorRecord {
    /// When.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// `TypeError`, or `error` when the output names none.
    pub error_type: String,
    /// The first line that tells it.
    pub message: String,
    /// What is equal for the same fault.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// `call` or `verification`: where it was seen.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How many tries in a row had then ended with it.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub in_a_row: Option<u64>,
    /// The frames as printed.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<Vec<String>>,
    /// `path:line` of the project's own first frame; null when no frame is.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub place: Option<Option<String>>,
    /// What was run.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The tests that failed.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub failing_tests: Option<Vec<String>>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A hook that failed, and what follows from it until that is taken off.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HookFailure {
    /// When.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// The hook.
    pub hook: String,
    /// `abort_iteration` or `force_pause`.
    pub on_failure: String,
    /// Why it failed.
    pub reason: String,
    /// The loop.
    pub loop_id: String,
}
