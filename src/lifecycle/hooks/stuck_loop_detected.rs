//! `stuck_loop_detected`: the same failure keeps coming back, so a person is asked, without another try.
//!
//! Only a loop can be stuck: before a guarded session somebody sits already.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::laziness_detector::as_configured;
use crate::agents::recovery_orchestrator::stuck_panel;
use crate::config::Mode;
use crate::definitions::names::{Agent, HookName};
use crate::detectors::trends;
use crate::detectors::trends::LoopFigures;
use crate::lifecycle::changes::touched::changed_files;
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::context::same_reflections::{same_reflection, same_reflections};
use crate::lifecycle::gate::opening::GateOpening;
use crate::lifecycle::gate::{escalation, holding, opening};
use crate::lifecycle::iteration::{record, snapshot};
use crate::lifecycle::regression::records::push_pattern;
use crate::lifecycle::regression::recovery::stored;
use crate::loops::failures::shorten;
use crate::model::finding::Severity;
use crate::state::atomic::Durability;
use crate::state::gate::GateSubject;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::{IterationRecord, ProtocolOutcome, RecoveryRecord};
use crate::state::{atomic, loop_id};
use crate::text::diagnostic;

/// So many equal reflections in a row are a standstill.
const SAME_REFLECTIONS: u32 = 3;
/// Over so many iterations progress is looked at.
const TEN: usize = 10;
/// At most so many iterations are looked back on to tell whether the last ones gained anything.
const COMPARED: usize = 100;
/// How many learnings the person reads at the gate.
const LEARNINGS: usize = 3;
/// The longest of them, letters; the report has them whole.
const LEARNING_LENGTH: usize = 200;

/// Records that the loop is stuck and asks a person. Answers what the agent reads; `None` when nothing follows.
pub fn detected(context: &mut HookContext, pattern: &str, trigger: &str) -> Option<String> {
    if !context.in_explicit_loop() || holding::is_open(context) {
        return None;
    }
    let state = context.state()?;
    if state.iteration >= state.configuration.max_iterations {
        // It ends with this iteration anyway.
        return None;
    }
    let checkpoint = snapshot::emergency(context, &[]);
    let report = report(context, &state, pattern, trigger);
    let facts = context.facts().with("error_pattern", pattern);
    let heard = context.ask(HookName::StuckLoopDetected, &facts, &Map::new());
    if heard.required_failed {
        // What follows from a hook that fails is the definitions' to say, and done already.
        return None;
    }
    let steps = steps(&heard, checkpoint.as_deref());
    open_gate(context, &state, pattern, report.as_deref());
    let now = context.env.now;
    context.change_state(Durability::Power, |state| remember(state, steps, trigger, report.as_deref(), now));
    let record = HookRecord::of(&[])
        .heard(&heard)
        .outcome(json!({
            "error_pattern": pattern,
            "trigger": trigger,
            "recovery_attempts": state.recovery_attempts,
            "checkpoint": checkpoint,
            "diagnostic_report": report,
        }))
        .change("stuck_loop_detected", true)
        .change("recovery_in_progress", true);
    context.log("stuck_loop_detected", record);
    escalation::gate_words(context)
}

/// The steps of the recovery, with the checkpoint among those of its pause.
fn steps(heard: &AgentReplies, checkpoint: Option<&str>) -> Map<String, Value> {
    let reply = heard.of(Agent::RecoveryOrchestrator.name());
    let mut steps =
        reply.and_then(|reply| reply.metadata.extra.get("protocol_steps")).map(stored).unwrap_or_default();
    let pause = steps.get_mut("pause").and_then(|pause| pause.get_mut("actions")?.as_array_mut());
    if let (Some(name), Some(actions)) = (checkpoint, pause) {
        actions.push(json!(format!("Created checkpoint: {name}")));
    }
    steps
}

/// Whether the reflections of the last iterations are all the same.
pub fn at_iteration_end(context: &mut HookContext) {
    let Some(state) = context.state() else { return };
    given_up(context, &state);
    let times = same_reflections(&state);
    if times >= SAME_REFLECTIONS {
        let pattern =
            state.iteration_history.last().map(|record| record.learnings.clone()).unwrap_or_default();
        detected(context, &pattern, &same_reflection(times));
    } else if context.in_explicit_loop()
        && !holding::is_open(context)
        && state.iteration < state.configuration.max_iterations
        && let Some(figures) = last_ten(&context.layout, &state).filter(trends::NO_PROGRESS.holds)
        && let Some(finding) =
            as_configured(trends::NO_PROGRESS.pattern.finding("", figures.in_words()), &context.config)
    {
        let now = context.env.now;
        context.change_state(Durability::Process, |state| push_pattern(state, &finding, "stop", now));
        let trigger = format!("{} {}: {}", finding.pattern_id, finding.pattern_name, finding.what);
        detected(context, &format!("the loop makes no progress: {}", finding.what), &trigger);
    }
}

/// Records that the iteration's last words give the task up while it fails; the loop goes on all the same.
fn given_up(context: &mut HookContext, state: &LoopState) {
    let Some(record) = state.iteration_history.last().filter(|_| context.in_explicit_loop()) else { return };
    let figures = LoopFigures {
        passes: passed(record),
        iterations: state.iteration,
        gives_up: trends::gives_up(&record.action),
        ..LoopFigures::default()
    };
    if (trends::GIVEN_UP.holds)(&figures)
        && context.config.detection.mode != Mode::Off
        && let Some(finding) =
            as_configured(trends::GIVEN_UP.pattern.finding("", figures.in_words()), &context.config)
    {
        let now = context.env.now;
        context.change_state(Durability::Process, |state| push_pattern(state, &finding, "continue", now));
    }
}

/// What the last ten iterations gained over those before them, since a person's last decision; `None` while there are
/// too few.
fn last_ten(layout: &Layout, state: &LoopState) -> Option<LoopFigures> {
    let since = state.reflections_counted_from.unwrap_or_default();
    let done: Vec<f64> = history::newest_iterations(layout, state, COMPARED)
        .iter()
        .filter(|record| !record.is_reverted() && record.iteration > since)
        .map(|record| record.quality_score)
        .collect();
    let (before, last) = done.split_at_checked(done.len().checked_sub(TEN)?)?;
    let best = |scores: &[f64]| scores.iter().copied().reduce(f64::max);
    let gained = best(last)? - best(before)?;
    let passes = passed(state.iteration_history.last()?);
    let iterations = u32::try_from(done.len()).unwrap_or(u32::MAX);
    Some(LoopFigures { passes, iterations, gained: Some(gained), ..LoopFigures::default() })
}

/// Whether an iteration's verification passed.
fn passed(record: &IterationRecord) -> bool {
    record.metrics_snapshot.get("verification_status").is_some_and(|status| status == "passed")
}

fn open_gate(context: &mut HookContext, state: &LoopState, pattern: &str, report: Option<&str>) {
    let mut message = stuck_panel(context.iteration(), pattern, u64::from(state.recovery_attempts));
    let mut learnings: Vec<String> = Vec::new();
    for record in state.iteration_history.iter().rev().filter(|record| !record.learnings.is_empty()) {
        let learned = shorten(&record.learnings, LEARNING_LENGTH);
        if learnings.len() < LEARNINGS && !learnings.contains(&learned) {
            learnings.push(learned);
        }
    }
    if !learnings.is_empty() {
        message.push_str(&format!("\n\nLearned so far:\n- {}", learnings.join("\n- ")));
    }
    if let Some(report) = report {
        message.push_str(&format!("\n\nReport: {report}"));
    }
    let loaded = context.definitions().clone();
    let defined =
        loaded.file.as_ref().and(loaded.definitions.hook(HookName::StuckLoopDetected).gate.as_ref());
    let opening = GateOpening {
        subject: GateSubject::StuckLoop,
        event_ids: &[],
        message,
        defined,
        severity: Severity::Critical,
    };
    opening::open(context, &opening);
}

fn remember(
    state: &mut LoopState,
    steps: Map<String, Value>,
    trigger: &str,
    report: Option<&str>,
    now: Timestamp,
) {
    state.stuck_loop_detected = true;
    let gate_id = state.open_gate().map(|gate| gate.gate_id.clone());
    state.recovery_history.push(RecoveryRecord {
        recovery_id: loop_id::uuid(trigger, now),
        timestamp: now,
        iteration: state.iteration.max(1),
        trigger: trigger.to_owned(),
        protocol_steps: steps,
        outcome: Some(ProtocolOutcome::Escalated),
        gate_id: Some(gate_id),
        diagnostic_report: Some(report.map(str::to_owned)),
        ..RecoveryRecord::default()
    });
    state.reflections_counted_from = Some(state.iteration);
    state.note_regressions();
}

/// Writes the diagnostic report; answers its path relative to the project.
fn report(context: &mut HookContext, state: &LoopState, pattern: &str, trigger: &str) -> Option<String> {
    let changed = changed_files(context);
    let learnings = record::earlier_learnings(state);
    let learned: Vec<String> =
        learnings.iter().map(|learning| format!("{} {}", learning.failed, learning.next)).collect();
    let text = diagnostic::report(&diagnostic::StuckLoop {
        state,
        pattern,
        trigger,
        iteration: context.iteration(),
        changed: &changed,
        learned: &learned,
        now: context.env.now,
    });
    let name = format!("iteration-{:03}-stuck.md", context.iteration());
    let path = context.layout.loop_dir(&state.loop_id).join("diagnostics").join(name);
    match atomic::write(&path, text.as_bytes(), Durability::Process) {
        Ok(()) => Some(context.relative(&path)),
        Err(error) => {
            context.problems.push(format!("{}: {error}", path.display()));
            None
        }
    }
}
