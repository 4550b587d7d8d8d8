//! A loop's state made again from what else was written of it, when the file and its copy are both lost.
//!
//! The log says what happened, the iterations' own files and `tool-calls.jsonl` hold what it has no room for, and the
//! registry how the loop stood. What can't be known is on the safe side: a regression that nobody is known to have
//! mended counts as open.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::audit::{self, Filter, Line};
use super::layout::Layout;
use super::level::Level;
use super::loop_state::{LoopState, RebuiltFromLog};
use super::mending;
use super::records::{
    BestIteration, CompletionCheck, DetectedPattern, ErrorRecord, HookFailure, IterationRecord,
    RecoveryOutcome, RegressionEvent, RiskyAction, ToolCallRecord, lost_key,
};
use super::registry::Registry;
use super::status::Kind;
use crate::model::finding::RegressionType;

/// A longer line of `tool-calls.jsonl` is none, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The state that the log tells, if the log goes back to the loop's beginning.
pub(super) fn from_log(layout: &Layout, loop_id: &str) -> Option<LoopState> {
    let mut state = LoopState::new(loop_id, "", Timestamp::UNIX_EPOCH);
    let (mut lines, mut begun) = (0_u64, false);
    for line in audit::read(&layout.hook_log(loop_id), Filter::default()).ok()?.map_while(Result::ok) {
        if lines == 0 {
            state.started_at = line.timestamp;
        }
        lines += 1;
        begun |= line.hook_name == "loop_start";
        state.last_updated = line.timestamp;
        tell(&mut state, &line);
    }
    // Without its beginning nobody knows what the loop was for.
    if !begun {
        return None;
    }
    iterations(&mut state, layout);
    tool_calls(&mut state, layout);
    as_registered(&mut state, layout);
    if let Some(project) = layout.root().ancestors().nth(2) {
        state.working_directory = project.to_string_lossy().into_owned();
    }
    state.detection_enabled = !state.status.is_over();
    state.note_regressions();
    state.rebuilt_from_log = Some(RebuiltFromLog { lines });
    Some(state)
}

/// What one line of the log says of the state.
fn tell(state: &mut LoopState, line: &Line) {
    let changes = &line.state_changes;
    let time = line.timestamp;
    match line.hook_name.as_str() {
        "loop_start" => begin(state, line),
        "pre_iteration" => {
            if let Some(number) = take::<u32>(changes, "iteration") {
                (state.iteration, state.iteration_count) = (number, number);
            }
            if let Some(snapshot) = take(changes, "pre_iteration_snapshot") {
                state.pre_iteration_snapshot = Some(snapshot);
            }
        }
        "on_error" => {
            for error in line.outcomes.iter().filter(|outcome| outcome.get("error_type").is_some()) {
                state.push_error(ErrorRecord {
                    timestamp: time,
                    iteration: line.iteration,
                    error_type: text(error, "error_type"),
                    message: text(error, "message"),
                    ..ErrorRecord::default()
                });
            }
        }
        "pre_tool_call" => call(state, line),
        "regression_detected" => regressions(state, line),
        "post_iteration" => state.progress.completion_checks.extend(check(line)),
        "stuck_loop_detected" => state.stuck_loop_detected = true,
        "loop_complete" => {
            state.status = take(changes, "status").unwrap_or(state.status);
            state.selected_iteration = take(changes, "selected_iteration");
            state.completion_report_path = take(changes, "completion_report_path");
            state.completed_at = Some(time);
        }
        _ => {}
    }
    if let Some(level) = take::<Level>(changes, "reinforcement_level") {
        let reason = line.outcomes.first().and_then(Value::as_str).unwrap_or("as the log has it");
        state.set_level(level, reason, time);
    }
    for id in changes.get("mended").and_then(Value::as_array).into_iter().flatten() {
        let events = state.regression_events.iter_mut().filter(|event| *id == event.event_id);
        events.for_each(|event| event.recovery_outcome = Some(RecoveryOutcome::Success));
    }
    if let Some(hook) = changes.get("hook_failure") {
        state.hook_failure = hook.as_str().map(|hook| failure(state, line, hook));
    }
}

fn begin(state: &mut LoopState, line: &Line) {
    if line.outcomes.first().and_then(Value::as_str) == Some("guarded session") {
        state.kind = Kind::Implicit;
        state.task = "guarded session".to_owned();
        (state.iteration, state.iteration_count) = (1, 1);
    }
    for outcome in line.outcomes.iter().filter(|outcome| outcome.get("task").is_some()) {
        state.task = text(outcome, "task");
        state.completion_criteria = text(outcome, "completion");
    }
    state.configuration = take(&line.state_changes, "configuration").unwrap_or(state.configuration.clone());
    state.baseline_metrics = take(&line.state_changes, "baseline_metrics").unwrap_or_default();
}

fn call(state: &mut LoopState, line: &Line) {
    let verdict = line.outcomes.first().and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(action) = line.state_changes.get("last_risky_action").filter(|action| action.is_object()) {
        state.push_risky_action(RiskyAction {
            timestamp: line.timestamp,
            iteration: line.iteration.max(1),
            tool: text(action, "tool"),
            target: text(action, "target"),
            risk_level: text(action, "risk_level"),
            verdict: verdict.clone(),
            ..RiskyAction::default()
        });
    }
    for found in line.outcomes.iter().filter(|outcome| outcome.get("pattern_id").is_some()) {
        let pattern = json!({
            "pattern_id": text(found, "pattern_id"),
            "iteration": line.iteration.max(1),
            "timestamp": line.timestamp,
            "path": text(found, "path"),
            "verdict": verdict,
        });
        if let Ok(hit) = DetectedPattern::deserialize(pattern) {
            state.push_hit(hit);
        }
    }
}

/// One event for each kind of loss that the line names, by the ids that it names.
fn regressions(state: &mut LoopState, line: &Line) {
    let ids: Vec<String> = take(&line.state_changes, "regression_events").unwrap_or_default();
    let mut found: Vec<&Value> = Vec::new();
    for outcome in line.outcomes.iter().filter(|outcome| outcome["regression_type"].is_string()) {
        if !found.iter().any(|known| known["regression_type"] == outcome["regression_type"]) {
            found.push(outcome);
        }
    }
    let known = state.regression_events.len();
    for (id, found) in ids.into_iter().zip(found) {
        if state.regression_events.iter().any(|event| event.event_id == id) {
            continue;
        }
        let Ok(kind) = RegressionType::deserialize(&found["regression_type"]) else { continue };
        let event = json!({
            "event_id": id,
            "timestamp": line.timestamp,
            "iteration": line.iteration.max(1),
            "regression_type": found["regression_type"],
            "severity": found["severity"],
            "details": {"diff": {lost_key(kind): found["lost"]}, "pattern_id": found["pattern_id"]},
            "recovery_protocol_invoked": true,
        });
        state.regression_events.extend(RegressionEvent::deserialize(event).ok());
    }
    state.recovery_attempts += u32::from(state.regression_events.len() > known);
}

fn check(line: &Line) -> Option<CompletionCheck> {
    let outcome = line.outcomes.iter().find(|outcome| outcome.get("passed").is_some())?;
    Some(CompletionCheck {
        iteration: line.iteration,
        timestamp: line.timestamp,
        passed: outcome["passed"] == true,
        ..CompletionCheck::default()
    })
}

fn failure(state: &LoopState, line: &Line, hook: &str) -> HookFailure {
    let said = line.outcomes.iter().find(|outcome| outcome.get("on_failure").is_some());
    let said = |name: &str| said.map(|said| text(said, name)).unwrap_or_default();
    HookFailure {
        timestamp: line.timestamp,
        iteration: line.iteration,
        hook: hook.to_owned(),
        on_failure: said("on_failure"),
        reason: said("reason"),
        loop_id: state.loop_id.clone(),
    }
}

/// The finished iterations, each from its own file.
fn iterations(state: &mut LoopState, layout: &Layout) {
    let files = fs::read_dir(layout.iterations(&state.loop_id)).into_iter().flatten().flatten();
    let read = |path| Some(mending::read::<IterationRecord>(&fs::read(path).ok()?).ok()?.value);
    let mut records: Vec<IterationRecord> = files.filter_map(|file| read(file.path())).collect();
    records.sort_by_key(|record| record.iteration);
    for record in &mut records {
        // These stay in the file alone.
        record.extra.remove("files");
        record.extra.remove("verification");
    }
    let passed = state.progress.completion_checks.iter().filter(|check| check.passed).count() as u32;
    state.metrics.total_iterations = records.len() as u32;
    state.metrics.successful_iterations = passed.min(state.metrics.total_iterations);
    state.metrics.failed_iterations = state.metrics.total_iterations - state.metrics.successful_iterations;
    state.last_iteration_quality = records.last().map(|record| record.quality_score);
    state.progress.last_completion_check =
        state.progress.completion_checks.last().map(|check| check.timestamp);
    // The first of the best: a later one must be better to take its place. One with a regression is never it.
    let sound = records.iter().rev().filter(|record| !record.regression_detected);
    let best = sound.max_by(|a, b| a.quality_score.total_cmp(&b.quality_score));
    state.best_iteration = best.map(|best| BestIteration {
        iteration: best.iteration,
        quality_score: best.quality_score,
        snapshot_path: best.snapshot_path.clone(),
        updated_at: best.timestamp,
        selection_reason: format!("Highest quality score ({:.0}%)", best.quality_score),
        extra: Map::new(),
    });
    state.iteration_history = records;
}

fn tool_calls(state: &mut LoopState, layout: &Layout) {
    let Ok(file) = File::open(layout.tool_calls(&state.loop_id)) else { return };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    while reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        if let Ok(record) = serde_json::from_slice::<ToolCallRecord>(&line) {
            state.push_tool_call(record);
        }
        line.clear();
    }
}

/// How the loop stood when a hook last looked. The file is read as it is: it may be made again from the states.
fn as_registered(state: &mut LoopState, layout: &Layout) {
    let registry = fs::read(layout.registry()).ok();
    let registry = registry.and_then(|bytes| mending::read::<Registry>(&bytes).ok()).map(|read| read.value);
    let Some(registry) = registry else { return };
    let bound = registry.sessions.iter().find(|(_, id)| **id == state.loop_id);
    state.session_id = bound.map(|(session, _)| session.clone());
    let Some(entry) = registry.loops.get(&state.loop_id) else { return };
    state.kind = entry.kind;
    state.started_at = entry.started_at;
    state.iteration = state.iteration.max(entry.iteration);
    state.iteration_count = state.iteration;
    if !state.status.is_over() {
        state.status = entry.status;
    }
    if state.task.is_empty() {
        state.task.clone_from(&entry.task_summary);
    }
    if entry.max_iterations > 0 {
        state.configuration.max_iterations = entry.max_iterations;
    }
}

fn take<T: DeserializeOwned>(changes: &Map<String, Value>, field: &str) -> Option<T> {
    T::deserialize(changes.get(field)?).ok()
}

fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}
