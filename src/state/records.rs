//! The records inside a loop's state, named as the schema names them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::loop_state::Level;
use super::schema::{self, DateTime};
use crate::model::finding::{RegressionType, Severity};

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
    /// What others wrote.
    #[serde(flatten)]
    #[schemars(with = "schema::BaselineElse")]
    pub extra: Map<String, Value>,
}

/// One verification of the completion criteria.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CompletionCheck {
    /// The iteration it closed.
    pub iteration: u32,
    /// When it ended.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// Whether the criteria held.
    pub passed: bool,
    /// The end of what the commands printed.
    pub output: String,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One finished iteration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["iteration", "timestamp", "quality_score", "artifacts"]))]
pub struct IterationRecord {
    /// From 1.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// When it ended.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub quality_score: f64,
    /// Against the previous iteration; 0 for the first.
    pub quality_delta: f64,
    /// The files it changed.
    pub artifacts: Vec<Artifact>,
    /// The full record on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub snapshot_path: Option<String>,
    /// The facts the score was made from.
    #[schemars(with = "schema::MetricsSnapshot")]
    pub metrics_snapshot: Map<String, Value>,
    /// Whether a regression was seen in it.
    pub regression_detected: bool,
    /// Whether the recovery protocol ran in it.
    pub recovery_attempted: bool,
    /// What was tried: the agent's own last words, cut.
    pub action: String,
    /// How it ended: the verification's result.
    pub result: String,
    /// What was learned from it.
    pub learnings: String,
    /// What others wrote.
    #[serde(flatten)]
    #[schemars(with = "schema::IterationElse")]
    pub extra: Map<String, Value>,
}

/// A file that an iteration made or changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Artifact {
    /// Relative to the project.
    pub path: String,
    /// SHA-256, hex.
    pub hash: String,
    /// Bytes.
    pub size_bytes: u64,
}

/// The best iteration so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BestIteration {
    /// From 1.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub quality_score: f64,
    /// Its full record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub snapshot_path: Option<String>,
    /// When it became the best.
    #[schemars(with = "DateTime")]
    pub updated_at: Timestamp,
    /// Why.
    pub selection_reason: String,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Under this name an event or a recovery has a short id besides its UUID.
const DISPLAY_ID: &str = "display_id";

/// Gives each record without a short id one: its place in the list. What others wrote keeps the id that it has.
pub(super) fn name_records<'r>(
    kind: &str,
    records: impl Iterator<Item = (&'r str, &'r mut Map<String, Value>)>,
) {
    for (n, (id, extra)) in records.enumerate() {
        if !extra.contains_key(DISPLAY_ID) {
            let own = id.starts_with(&format!("{kind}-"));
            let name = if own { id.to_owned() } else { format!("{kind}-{:03}", n + 1) };
            extra.insert(DISPLAY_ID.to_owned(), name.into());
        }
    }
}

/// One regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["timestamp", "iteration", "regression_type", "severity"]))]
pub struct RegressionEvent {
    /// A UUID.
    #[serde(default)]
    pub event_id: String,
    /// When it was seen. The schema asks for it; hand-written ones may lack it.
    #[serde(default)]
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// Its type. A hook's payload calls it `type`.
    #[serde(alias = "type")]
    pub regression_type: RegressionType,
    /// Its severity.
    pub severity: Severity,
    /// `baseline_value`, `current_value` and `diff`.
    #[serde(default)]
    #[schemars(with = "schema::RegressionDetails")]
    pub details: Map<String, Value>,
    /// Whether the recovery protocol ran.
    #[serde(default)]
    pub recovery_protocol_invoked: bool,
    /// How recovery ended: `success` when the agent put back what was lost.
    #[serde(default)]
    pub recovery_outcome: Option<RecoveryOutcome>,
    /// Whether a person was asked.
    #[serde(default)]
    pub human_gate_invoked: bool,
    /// What the person said.
    #[serde(default)]
    pub human_decision: Option<HumanDecision>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl RegressionEvent {
    /// Whether neither the agent mended it nor a person decided, and it was not only recorded.
    pub fn is_open(&self) -> bool {
        let settled = Some(RecoveryOutcome::Success) == self.recovery_outcome
            || Some(RecoveryOutcome::Skipped) == self.recovery_outcome;
        !settled && self.human_decision.is_none()
    }

    /// The lost things by `file: name`.
    pub fn lost(&self) -> Vec<String> {
        let names = self.details.get("diff").and_then(|diff| diff.get(self.lost_key()));
        let names = names.and_then(Value::as_array).into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The files that it names, as it was found; older ones name none.
    pub fn named_files(&self) -> impl Iterator<Item = &str> {
        self.details.get(FILES).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// What people call it: `reg-001`; its id where it has no other name.
    pub fn display_id(&self) -> &str {
        self.extra.get(DISPLAY_ID).and_then(Value::as_str).unwrap_or(&self.event_id)
    }

    /// Whether a person means this event: by its name, or by its id or the first part of it.
    pub fn is_meant(&self, said: &str) -> bool {
        !said.is_empty() && (self.display_id() == said || self.event_id.starts_with(said))
    }

    /// The key under `details.diff` that holds the lost names.
    pub fn lost_key(&self) -> &'static str {
        lost_key(self.regression_type)
    }
}

/// The key under `details` that holds the files in which something was lost.
pub const FILES: &str = "files";

/// The key under `details.diff` that holds the names lost by a regression of this type.
pub fn lost_key(kind: RegressionType) -> &'static str {
    match kind {
        RegressionType::TestDeletion => "deleted_tests",
        RegressionType::TestSkipping => "skipped_tests",
        _ => "lost",
    }
}

/// How recovery from a regression ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the schema's words")]
pub enum RecoveryOutcome {
    Success,
    Failed,
    Escalated,
    Skipped,
}

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
    /// The regression, and what others wrote.
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
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the schema's words")]
pub enum HumanDecision {
    Approve,
    Reject,
    Abort,
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

/// A change of the reinforcement level.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LevelChange {
    /// When.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// Equal to the previous change's `to_level`.
    pub from_level: Level,
    /// The new level.
    pub to_level: Level,
    /// Every cause.
    pub reason: String,
}

/// One hit of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DetectedPattern {
    /// `LP-001`.
    #[serde(default)]
    pub pattern_id: String,
    /// The catalogue's name.
    #[serde(default)]
    pub pattern_name: String,
    /// In which iteration.
    #[serde(default)]
    pub iteration: u32,
    /// When.
    #[serde(default)]
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// How bad.
    #[serde(default = "schema::unsaid_severity")]
    pub severity: Severity,
    /// Whether a person marked it as a false alarm.
    #[serde(default)]
    pub false_positive: bool,
    /// The file, what was lost and what Steadfast answered.
    #[serde(flatten)]
    #[schemars(with = "schema::PatternElse")]
    pub extra: Map<String, Value>,
}

impl DetectedPattern {
    /// How often the same was found in its iteration, and answered alike.
    pub fn times(&self) -> u64 {
        self.extra.get("times").and_then(Value::as_u64).unwrap_or(1).max(1)
    }

    /// Whether `other` is the same, found again.
    pub(super) fn is_again(&self, other: &DetectedPattern) -> bool {
        let same = |field: &str| self.extra.get(field) == other.extra.get(field);
        (&self.pattern_id, self.iteration, self.severity, self.false_positive)
            == (&other.pattern_id, other.iteration, other.severity, other.false_positive)
            && ["path", "what", "lost", "verdict"].into_iter().all(same)
    }

    /// Counts another time.
    pub(super) fn see_again(&mut self, now: Timestamp) {
        self.extra.insert("times".to_owned(), Value::from(self.times().saturating_add(1)));
        self.extra.insert("last_seen".to_owned(), Value::from(now.to_string()));
    }

    /// Whether the call was stopped, so that it did not happen.
    pub fn was_stopped(&self) -> bool {
        let verdict = self.extra.get("verdict").and_then(Value::as_str);
        matches!(verdict, Some("deny" | "ask"))
    }
}

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
    /// PASS, WARN or BLOCK.
    pub verdict: String,
    /// How long the check took, milliseconds.
    pub duration_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::loop_state::LoopState;
    use serde_json::json;

    #[test]
    fn regressions_have_short_names_and_both_ids_are_understood() {
        let event = |id: &str| json!({"event_id": id, "iteration": 1, "regression_type": "test_skipping", "severity": "low"});
        let mut state: LoopState = serde_json::from_value(json!({
            "regression_events": [event("0a1b-2c"), event("reg-007"), event("0a1c-3d")],
            "recovery_history": [{"recovery_id": "9f-1"}],
        }))
        .unwrap();
        state.name_records();
        let names = |state: &LoopState| -> Vec<String> {
            state.regression_events.iter().map(|event| event.display_id().to_owned()).collect()
        };
        assert_eq!(names(&state), ["reg-001", "reg-007", "reg-003"]);
        assert_eq!(state.recovery_history[0].extra["display_id"], "rec-001");
        let once = state.clone();
        state.name_records();
        assert_eq!(state, once);
        for (said, expected) in
            [("reg-001", vec![0]), ("0a1", vec![0, 2]), ("reg-007", vec![1]), ("", vec![])]
        {
            let events = state.regression_events.iter().enumerate();
            let meant: Vec<usize> =
                events.filter(|(_, event)| event.is_meant(said)).map(|(n, _)| n).collect();
            assert_eq!(meant, expected, "{said}");
        }
    }

    #[test]
    fn hand_written_records_may_say_less_than_ours() {
        let state: LoopState = serde_json::from_value(serde_json::json!({
            "loop_id": "l",
            "regression_events": [
                {"iteration": 7, "type": "test_deletion", "severity": "critical", "human_decision": "reject"}
            ],
            "detected_patterns": [{"pattern_id": "LP-001"}],
            "reinforcement_history": [{"to_level": "STANDARD"}],
        }))
        .unwrap();
        assert_eq!(state.regression_events[0].regression_type, RegressionType::TestDeletion);
        assert!(!state.regression_events[0].is_open());
        assert_eq!(state.detected_patterns[0].severity, Severity::Medium);
        assert_eq!(state.reinforcement_history[0].to_level, Level::Standard);
        let written = serde_json::to_value(&state).unwrap();
        assert_eq!(written["regression_events"][0]["regression_type"], "test_deletion");
    }
}
