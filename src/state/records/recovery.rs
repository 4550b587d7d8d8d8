//! A run of the recovery protocol, and how it ended.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::mending::or_none;
use crate::state::schema::{self, DateTime};

/// One run of the recovery protocol.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["timestamp", "iteration", "trigger"]))]
pub struct RecoveryRecord {
    /// A UUID.
    pub recovery_id: String,
    /// When it began.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// `regression_detected: test_deletion`.
    pub trigger: String,
    /// `pause`, `diagnose`, `adapt`, then `retry` or `escalate`, each with `executed_at`.
    #[schemars(with = "schema::ProtocolSteps")]
    pub protocol_steps: Map<String, Value>,
    /// How it ended; none while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ProtocolOutcome")]
    pub outcome: Option<ProtocolOutcome>,
    /// The regressions that it is about.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub event_ids: Option<Vec<String>>,
    /// The gate of a standstill; null when none could be opened.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub gate_id: Option<Option<String>>,
    /// The report of a standstill; null when none could be written.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub diagnostic_report: Option<Option<String>>,
    /// `rec-001`: what people call it.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub display_id: Option<String>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// How a run of the recovery protocol ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the schema's words")]
pub enum ProtocolOutcome {
    Success,
    Failed,
    Escalated,
    Aborted,
}
