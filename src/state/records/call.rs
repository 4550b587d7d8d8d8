//! A call: one that may destroy something, and one that has finished.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::schema::DateTime;

/// A call that may destroy something.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RiskyAction {
    /// When.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// The host's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The file or command, cut.
    pub target: String,
    /// `test_file_modification`, `bulk_deletion`, ...
    pub risk: String,
    /// critical, high, medium or low.
    pub risk_level: String,
    /// What Steadfast answered.
    pub verdict: String,
    /// The checkpoint that holds the bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
}

/// A finished call that could change files.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToolCallRecord {
    /// When it had finished.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// The host's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The file or command, cut.
    pub target: String,
    /// Tests in the touched files before; null when unknown.
    pub before: Option<u64>,
    /// Tests in the touched files after; null when unknown.
    pub after: Option<u64>,
    /// What is known of the project's figures after it: those that nothing measured anew with the time of the last measure.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub current_metrics: Map<String, Value>,
    /// PASS, WARN or BLOCK.
    pub verdict: String,
    /// How long the check took, milliseconds.
    pub duration_ms: u64,
}
