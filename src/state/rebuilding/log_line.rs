//! What a line of the log says of a loop's state.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::model::finding::RegressionType;
use crate::state::audit::Line;
use crate::state::level::Level;
use crate::state::loop_state::LoopState;
use crate::state::records::{
    CompletionCheck, DetectedPattern, ErrorRecord, HookFailure, RecoveryOutcome, RegressionEvent,
    RiskyAction, lost_key,
};
use crate::state::status::Kind;

/// What one line of the log says of the state.
pub(super) fn tell(state: &mut LoopState, line: &Line) {
    let changes = &line.state_changes;
    match line.hook_name.as_str() {
        "loop_start" => begin(state, line),
        "pre_iteration" => iteration(state, changes),
        "on_error" => errors(state, line),
        "pre_tool_call" => call(state, line),
        "regression_detected" => regressions(state, line),
        "post_iteration" => state.progress.completion_checks.extend(check(line)),
        "stuck_loop_detected" => state.stuck_loop_detected = true,
        "loop_complete" => complete(state, line),
        _ => {}
    }
    if let Some(level) = take::<Level>(changes, "reinforcement_level") {
        let reason = line.outcomes.first().and_then(Value::as_str).unwrap_or("as the log has it");
        state.set_level(level, reason, line.timestamp);
    }
    for id in changes.get("mended").and_then(Value::as_array).into_iter().flatten() {
        let events = state.regression_events.iter_mut().filter(|event| *id == event.event_id);
        events.for_each(|event| event.recovery_outcome = Some(RecoveryOutcome::Success));
    }
    if let Some(hook) = changes.get("hook_failure") {
        state.hook_failure = hook.as_str().map(|hook| failure(state, line, hook));
    }
}

fn iteration(state: &mut LoopState, changes: &Map<String, Value>) {
    if let Some(number) = take::<u32>(changes, "iteration") {
        (state.iteration, state.iteration_count) = (number, number);
    }
    if let Some(snapshot) = take(changes, "pre_iteration_snapshot") {
        state.pre_iteration_snapshot = Some(snapshot);
    }
}

fn errors(state: &mut LoopState, line: &Line) {
    for error in line.outcomes.iter().filter(|outcome| outcome.get("error_type").is_some()) {
        state.push_error(ErrorRecord {
            timestamp: line.timestamp,
            iteration: line.iteration,
            error_type: text(error, "error_type"),
            message: text(error, "message"),
            ..ErrorRecord::default()
        });
    }
}

fn complete(state: &mut LoopState, line: &Line) {
    let changes = &line.state_changes;
    state.status = take(changes, "status").unwrap_or(state.status);
    state.selected_iteration = take(changes, "selected_iteration");
    state.completion_report_path = take(changes, "completion_report_path");
    state.completed_at = Some(line.timestamp);
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

fn take<T: DeserializeOwned>(changes: &Map<String, Value>, field: &str) -> Option<T> {
    T::deserialize(changes.get(field)?).ok()
}

fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}
