//! `state.json`: one loop, in the fields of the loop-state schema and its persistence extension.
//!
//! Every field has a default, so a file from a loop that never heard of persistence loads; fields that are not ours
//! pass through untouched. Lists that grow with every call hold the newest entries here and everything in
//! `tool-calls.jsonl`, so the cost of a call does not grow with the history.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::gate::Gate;
use super::mending::or_none;
use super::records::{
    Baseline, BestIteration, DetectedPattern, ErrorRecord, HookFailure, IterationRecord, LevelChange,
    RecoveryRecord, RegressionEvent, RiskyAction, ToolCallRecord,
};
use super::schema::{self, DateTime};

mod changes;
mod limits;
mod notes;
mod storage;
mod witnessed;

pub use super::level::Level;
pub use super::status::{Kind, Status};
pub use limits::{Configuration, LONGEST_MINUTES, MOST_ITERATIONS, Metrics, Progress};
pub use notes::{FirstCheck, OutsideChange, RaisedLevel, RebuiltFromLog, Retired, SelectionOverride};
pub use storage::Error;

pub use super::version::VERSION;
/// One loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the schema's, which documents them")]
pub struct LoopState {
    #[serde(default = "version")]
    pub version: String,
    pub loop_id: String,
    pub status: Status,
    pub kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    pub iteration: u32,
    pub iteration_count: u32,
    pub task: String,
    pub completion_criteria: String,
    #[schemars(with = "DateTime")]
    pub started_at: Timestamp,
    #[schemars(with = "DateTime")]
    pub last_updated: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub completed_at: Option<Timestamp>,
    pub working_directory: String,
    pub configuration: Configuration,
    pub progress: Progress,
    pub metrics: Metrics,
    pub baseline_metrics: Option<Baseline>,
    pub iteration_history: Vec<IterationRecord>,
    pub best_iteration: Option<BestIteration>,
    pub regression_events: Vec<RegressionEvent>,
    pub regression_detected: bool,
    pub reinforcement_level: Level,
    pub reinforcement_history: Vec<LevelChange>,
    pub recovery_in_progress: bool,
    pub recovery_attempts: u32,
    pub recovery_history: Vec<RecoveryRecord>,
    pub error_history: Vec<ErrorRecord>,
    pub error_count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<ErrorRecord>,
    pub stuck_loop_detected: bool,
    /// A hook that failed and whose definition holds the loop back for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_failure: Option<HookFailure>,
    /// What a person was asked, and what they decided.
    pub human_gates: Vec<Gate>,
    /// What the agent reads at its next event: what a person decided while it waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_notice: Option<String>,
    /// How many tries in a row ended with the same error.
    pub consecutive_same_error: u32,
    pub detection_enabled: bool,
    pub detected_patterns: Vec<DetectedPattern>,
    pub detected_patterns_total: u64,
    pub risky_actions: Vec<RiskyAction>,
    pub risky_actions_total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_risky_action: Option<RiskyAction>,
    pub tool_call_history: Vec<ToolCallRecord>,
    pub tool_calls_total: u64,
    /// How much of `tool-calls.jsonl` that total counts, in bytes.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub tool_calls_counted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_iteration_quality: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_iteration: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_report_path: Option<String>,
    /// Consecutive turns of this session that Stop has continued.
    pub continuations: u32,
    /// What a file of an older version said that has no field here.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub legacy: Option<Map<String, Value>>,
    /// What failed when the criteria were checked at the start.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub first_check: Option<FirstCheck>,
    /// The checkpoint of the start: a manifest's path, relative to the project.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub baseline_snapshot: Option<String>,
    /// The checkpoint that was taken before the current iteration.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub pre_iteration_snapshot: Option<String>,
    /// The templates that a cause has had: lists of ids, by the cause.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reinforcement_used: Option<Map<String, Value>>,
    /// Tokens of the session's reminders, by the session.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reinforcement_tokens: Option<BTreeMap<String, u64>>,
    /// The newest template of each hook.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reinforcement_last: Option<Map<String, Value>>,
    /// How often the host has compacted the session.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub compactions: Option<u64>,
    /// Where the host keeps its records of the sessions.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub transcripts: Option<Vec<String>>,
    /// The regressions of which a person was told outside of the session.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub notified_events: Option<Vec<String>>,
    /// The level to which a condition raised the next iteration.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reinforcement_raised: Option<RaisedLevel>,
    /// What something else has changed in Steadfast's own files.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub outside_changes: Option<Vec<OutsideChange>>,
    /// Why the session that worked for the loop has ended, as its host says; `None` while one works or none came yet.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub session_left: Option<String>,
    /// The iteration with which the loop goes on after a person's decision.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub next_iteration: Option<u32>,
    /// Whether the baseline is measured again when the loop goes on.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub remeasure_on_resume: Option<bool>,
    /// From when the time limit counts, where a person gave it anew.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub timeout_counts_from: Option<Timestamp>,
    /// The iteration after which repeated reflections count: a person's decision begins the count anew.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reflections_counted_from: Option<u32>,
    /// How the loop ended.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// What the hooks cost and how often they were right.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::PersistenceMetrics")]
    pub persistence_metrics: Option<Map<String, Value>>,
    /// The iteration that was selected, and why.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub selection: Option<Value>,
    /// The iteration that a person selected instead.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub selection_override: Option<SelectionOverride>,
    /// That the state was made again from the log.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub rebuilt_from_log: Option<RebuiltFromLog>,
    /// How many entries of its lists the state has let go: they stand in `history/`.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub retired: Option<Retired>,
    /// What newer versions or others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl LoopState {
    /// A new loop, not yet iterating.
    pub fn new(loop_id: &str, task: &str, now: Timestamp) -> Self {
        LoopState {
            version: version(),
            loop_id: loop_id.to_owned(),
            task: task.to_owned(),
            started_at: now,
            last_updated: now,
            ..LoopState::default()
        }
    }
}

/// The version of a file that says none.
fn version() -> String {
    VERSION.to_owned()
}

#[cfg(test)]
mod tests;
