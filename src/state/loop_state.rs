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
    self, Baseline, BestIteration, DetectedPattern, ErrorRecord, HookFailure, IterationRecord, LevelChange,
    RecoveryRecord, RegressionEvent, RiskyAction, ToolCallRecord,
};
use super::schema::{self, DateTime};

mod limits;
mod notes;
mod storage;

pub use super::level::Level;
pub use super::status::{Kind, Status};
pub use limits::{Configuration, Metrics, Progress};
pub use notes::{FirstCheck, RaisedLevel, RebuiltFromLog, SelectionOverride};
pub use storage::Error;

pub use super::version::VERSION;
/// How many of the fast-growing records stay in `state.json`.
const NEWEST: usize = 50;
/// How many hits stay: the log has the others, and a call must not cost more with each.
const NEWEST_HITS: usize = 200;

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

    /// Gives every regression and recovery the short name that people use.
    pub fn name_records(&mut self) {
        let events =
            self.regression_events.iter_mut().map(|event| (event.event_id.as_str(), &mut event.display_id));
        records::name_records("reg", events);
        let recoveries = self.recovery_history.iter_mut();
        records::name_records(
            "rec",
            recoveries.map(|record| (record.recovery_id.as_str(), &mut record.display_id)),
        );
    }

    /// How often a pattern was found, and how often that was a false alarm.
    pub fn hits(&self) -> (u64, u64) {
        let hits = || self.detected_patterns.iter();
        let listed: u64 = hits().map(DetectedPattern::times).sum();
        let wrong = hits().filter(|hit| hit.false_positive).map(DetectedPattern::times).sum();
        (listed.max(self.detected_patterns_total), wrong)
    }

    /// The regressions that neither the agent mended nor a person accepted.
    pub fn open_regressions(&self) -> impl Iterator<Item = &RegressionEvent> {
        self.regression_events.iter().filter(|event| event.is_open())
    }

    /// The gate that waits for a person.
    pub fn open_gate(&self) -> Option<&Gate> {
        self.human_gates.iter().find(|gate| gate.is_open())
    }

    /// Sets `regression_detected` to whether any regression is open, and `recovery_in_progress` to whether one is or a
    /// person is asked.
    pub fn note_regressions(&mut self) {
        let open = self.open_regressions().next().is_some();
        self.regression_detected = open;
        self.recovery_in_progress = open || self.open_gate().is_some();
    }

    /// Records an error.
    pub fn push_error(&mut self, error: ErrorRecord) {
        self.error_count += 1;
        self.last_error = Some(error.clone());
        push_newest(&mut self.error_history, error);
    }

    /// Raises or lowers the level, with a gapless history.
    pub fn set_level(&mut self, level: Level, reason: &str, now: Timestamp) {
        let from = self.reinforcement_history.last().map_or(Level::Off, |change| change.to_level);
        if from == level && !self.reinforcement_history.is_empty() {
            return;
        }
        self.note_level(level, reason, now);
    }

    /// As [`LoopState::set_level`], and recorded too when the level stays: its cause is news of its own.
    pub fn note_level(&mut self, level: Level, reason: &str, now: Timestamp) {
        let from = self.reinforcement_history.last().map_or(Level::Off, |change| change.to_level);
        self.reinforcement_level = level;
        self.reinforcement_history.push(LevelChange {
            timestamp: now,
            iteration: self.iteration,
            from_level: from,
            to_level: level,
            reason: reason.to_owned(),
        });
    }

    /// Records a risky action.
    pub fn push_risky_action(&mut self, action: RiskyAction) {
        self.risky_actions_total += 1;
        self.last_risky_action = Some(action.clone());
        push_newest(&mut self.risky_actions, action);
    }

    /// Records a hit. What is found again makes one with the first. Of too many the oldest goes that was stopped: what
    /// was let through may still add up, and what a person called a false alarm is to be counted.
    pub fn push_hit(&mut self, hit: DetectedPattern) {
        self.detected_patterns_total = self.hits().0 + 1;
        let hits = &mut self.detected_patterns;
        let of_iteration = hits.iter_mut().rev().take_while(|known| known.iteration == hit.iteration);
        if let Some(known) = of_iteration.into_iter().find(|known| known.is_again(&hit)) {
            return known.see_again(hit.timestamp);
        }
        if hits.len() >= NEWEST_HITS {
            let is_done_with = |hit: &DetectedPattern| hit.was_stopped() && !hit.false_positive;
            hits.remove(hits.iter().position(is_done_with).unwrap_or_default());
        }
        hits.push(hit);
    }

    /// Records a finished tool call.
    pub fn push_tool_call(&mut self, record: ToolCallRecord) {
        self.tool_calls_total += 1;
        push_newest(&mut self.tool_call_history, record);
    }
}

/// The version of a file that says none.
fn version() -> String {
    VERSION.to_owned()
}

fn push_newest<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= NEWEST {
        list.drain(..=list.len() - NEWEST);
    }
    list.push(item);
}

#[cfg(test)]
mod tests;
