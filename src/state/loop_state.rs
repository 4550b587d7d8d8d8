//! `state.json`: one loop, in the fields of the loop-state schema and its persistence extension.
//!
//! Every field has a default, so a file from a loop that never heard of persistence loads; fields that are not ours
//! pass through untouched. Lists that grow with every call hold the newest entries here and everything in
//! `tool-calls.jsonl`, so the cost of a call does not grow with the history.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::gate::Gate;
use super::records::{
    self, Baseline, BestIteration, CompletionCheck, DetectedPattern, ErrorRecord, HookFailure,
    IterationRecord, LevelChange, RecoveryRecord, RegressionEvent, RiskyAction, ToolCallRecord,
};
use super::registry::{Entry, Kind};
use super::schema::{DateTime, StateElse};

mod storage;

pub use storage::Error;
pub(super) use storage::{is_newer, set_aside};

/// The version that is written.
pub const VERSION: &str = "2.0.0";
/// How many of the fast-growing records stay in `state.json`.
const NEWEST: usize = 50;
/// How many hits stay: the log has the others, and a call must not cost more with each.
const NEWEST_HITS: usize = 200;

/// A loop's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Iterating, or waiting for the session that will claim it.
    #[default]
    Running,
    /// Put aside by a person; hooks pass.
    #[serde(alias = "waiting")]
    Paused,
    /// The criteria hold and the report is being written.
    Completing,
    /// Over: the criteria held.
    Completed,
    /// Over: a limit was reached.
    Failed,
    /// Over: a person ended it.
    Aborted,
    /// Its process died; it can be resumed.
    Crashed,
}

impl Status {
    /// Whether nothing more can happen in the loop.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Completed | Status::Failed | Status::Aborted)
    }

    /// Whether the schema allows the step from this status to another.
    pub fn may_become(self, next: Status) -> bool {
        use Status::{Aborted, Completed, Completing, Crashed, Failed, Paused, Running};
        match self {
            Running => matches!(next, Paused | Completing | Aborted | Crashed | Failed),
            Paused | Crashed => matches!(next, Running | Aborted),
            Completing => matches!(next, Completed | Failed | Crashed),
            Completed | Failed | Aborted => false,
        }
    }

    /// The word in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Paused => "paused",
            Status::Completing => "completing",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Aborted => "aborted",
            Status::Crashed => "crashed",
        }
    }
}

/// How strongly the agent is reminded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Not at all.
    Off,
    /// Once, briefly.
    #[default]
    Minimal,
    /// At each iteration.
    Standard,
    /// At each iteration, with everything that failed.
    Aggressive,
    /// As the evidence asks.
    Adaptive,
}

impl Level {
    /// The word in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "OFF",
            Level::Minimal => "MINIMAL",
            Level::Standard => "STANDARD",
            Level::Aggressive => "AGGRESSIVE",
            Level::Adaptive => "ADAPTIVE",
        }
    }
}

/// A loop's limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Configuration {
    /// The last iteration that may start.
    pub max_iterations: u32,
    /// Minutes from the start after which no iteration starts.
    pub timeout_minutes: Option<u64>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration { max_iterations: 10, timeout_minutes: Some(60), extra: Map::new() }
    }
}

/// The completion checks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Progress {
    /// One per verification, newest last.
    pub completion_checks: Vec<CompletionCheck>,
    /// When the last one ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub last_completion_check: Option<Timestamp>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Totals over the loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Metrics {
    /// Finished iterations.
    pub total_iterations: u32,
    /// Finished iterations whose verification passed.
    pub successful_iterations: u32,
    /// Finished iterations whose verification failed.
    pub failed_iterations: u32,
    /// Seconds from the start to the last finished iteration.
    pub total_duration_seconds: u64,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the schema's, which documents them")]
pub struct LoopState {
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
    /// What newer versions or others wrote.
    #[serde(flatten)]
    #[schemars(with = "StateElse")]
    pub extra: Map<String, Value>,
}

impl Default for LoopState {
    fn default() -> Self {
        LoopState::new("", "", Timestamp::UNIX_EPOCH)
    }
}

impl LoopState {
    /// A new loop, not yet iterating.
    pub fn new(loop_id: &str, task: &str, now: Timestamp) -> Self {
        LoopState {
            version: VERSION.to_owned(),
            loop_id: loop_id.to_owned(),
            status: Status::Running,
            kind: Kind::Explicit,
            session_id: None,
            iteration: 0,
            iteration_count: 0,
            task: task.to_owned(),
            completion_criteria: String::new(),
            started_at: now,
            last_updated: now,
            completed_at: None,
            working_directory: String::new(),
            configuration: Configuration::default(),
            progress: Progress::default(),
            metrics: Metrics::default(),
            baseline_metrics: None,
            iteration_history: Vec::new(),
            best_iteration: None,
            regression_events: Vec::new(),
            regression_detected: false,
            reinforcement_level: Level::Minimal,
            reinforcement_history: Vec::new(),
            recovery_in_progress: false,
            recovery_attempts: 0,
            recovery_history: Vec::new(),
            error_history: Vec::new(),
            error_count: 0,
            last_error: None,
            stuck_loop_detected: false,
            hook_failure: None,
            human_gates: Vec::new(),
            pending_notice: None,
            consecutive_same_error: 0,
            detection_enabled: false,
            detected_patterns: Vec::new(),
            detected_patterns_total: 0,
            risky_actions: Vec::new(),
            risky_actions_total: 0,
            last_risky_action: None,
            tool_call_history: Vec::new(),
            tool_calls_total: 0,
            last_iteration_quality: None,
            selected_iteration: None,
            completion_report_path: None,
            continuations: 0,
            extra: Map::new(),
        }
    }

    /// The loop's line in the registry.
    pub fn registry_entry(&self) -> Entry {
        Entry {
            kind: self.kind,
            task_summary: self.task.chars().take(200).collect(),
            status: self.status,
            started_at: self.started_at,
            last_active: self.last_updated,
            iteration: self.iteration,
            max_iterations: self.configuration.max_iterations,
            reinforcement_level: self.reinforcement_level,
            open_regressions: self.open_regressions().count() as u32,
            held: self.hook_failure.is_some(),
            gate_open: self.open_gate().is_some(),
            decided: self.pending_notice.is_some(),
            has_findings: !self.detected_patterns.is_empty() || !self.regression_events.is_empty(),
            extra: Map::new(),
        }
    }

    /// Gives every regression and recovery the short name that people use.
    pub fn name_records(&mut self) {
        let events =
            self.regression_events.iter_mut().map(|event| (event.event_id.as_str(), &mut event.extra));
        records::name_records("reg", events);
        let recoveries = self.recovery_history.iter_mut();
        records::name_records(
            "rec",
            recoveries.map(|record| (record.recovery_id.as_str(), &mut record.extra)),
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

fn push_newest<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= NEWEST {
        list.drain(..=list.len() - NEWEST);
    }
    list.push(item);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_without_any_extension_field_loads_and_keeps_what_it_had() {
        let text = r#"{"version":"2.0.0","loop_id":"ralph-x-00000000","status":"running","iteration":7,
            "task":"t","completion_criteria":"c passes","started_at":"2026-02-02T21:00:00Z",
            "last_updated":"2026-02-02T21:15:00Z","configuration":{"max_iterations":200,"interactive":false},
            "owner":"alice","error_context":{"deep":[1,2,{"x":null}]}}"#;
        let state: LoopState = serde_json::from_str(text).unwrap();
        assert_eq!((state.iteration, state.configuration.max_iterations), (7, 200));
        let again: Value = serde_json::to_value(&state).unwrap();
        assert_eq!(again["owner"], "alice");
        assert_eq!(again["error_context"]["deep"][2]["x"], Value::Null);
        assert_eq!(again["configuration"]["interactive"], false);
    }

    #[test]
    fn lists_keep_the_newest_and_count_all() {
        let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        for n in 0..120 {
            state.push_risky_action(RiskyAction { target: n.to_string(), ..RiskyAction::default() });
        }
        assert_eq!(state.risky_actions_total, 120);
        assert_eq!(state.risky_actions.len(), NEWEST);
        assert_eq!(state.risky_actions.last().unwrap().target, "119");
        assert_eq!(state.risky_actions[0].target, "70");
    }

    #[test]
    fn the_newest_hits_stay_with_those_that_still_count_and_all_are_counted() {
        let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        let mut push = |n: u64, verdict: &str, false_positive| {
            let hit = serde_json::json!({"iteration": n / 10, "false_positive": false_positive, "what": n, "verdict": verdict});
            state.push_hit(serde_json::from_value(hit).unwrap());
        };
        push(0, "context", false);
        push(1, "deny", true);
        for n in 2..500 {
            push(n, "deny", false);
            push(n, "deny", false);
        }
        assert_eq!(state.hits(), (998, 1));
        let kept: Vec<u64> =
            state.detected_patterns.iter().map(|hit| hit.extra["what"].as_u64().unwrap()).collect();
        assert_eq!((kept.len(), &kept[..3], kept.last()), (NEWEST_HITS, &[0, 1, 302][..], Some(&499)));
        assert!(state.detected_patterns[2..].iter().all(|hit| hit.times() == 2));
    }

    #[test]
    fn only_the_schemas_transitions_are_allowed() {
        let all = [
            Status::Running,
            Status::Paused,
            Status::Completing,
            Status::Completed,
            Status::Failed,
            Status::Aborted,
            Status::Crashed,
        ];
        let allowed: Vec<(Status, Status)> = all
            .iter()
            .flat_map(|from| all.iter().map(move |to| (*from, *to)))
            .filter(|(from, to)| from.may_become(*to))
            .collect();
        assert_eq!(allowed.len(), 12);
        assert!(all.iter().all(|to| !Status::Completed.may_become(*to)));
    }

    #[test]
    fn the_level_history_has_no_gap() {
        let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        for level in [Level::Minimal, Level::Minimal, Level::Standard, Level::Aggressive] {
            state.set_level(level, "r", Timestamp::UNIX_EPOCH);
        }
        let steps: Vec<_> = state.reinforcement_history.iter().map(|c| (c.from_level, c.to_level)).collect();
        assert_eq!(
            steps,
            [
                (Level::Off, Level::Minimal),
                (Level::Minimal, Level::Standard),
                (Level::Standard, Level::Aggressive)
            ]
        );
    }
}
