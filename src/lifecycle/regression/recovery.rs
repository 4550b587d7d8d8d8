//! The recovery protocol over time: each end of a turn is the end of an attempt, and the limit of attempts is a gate.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::recovery_orchestrator::plan::{Attempt, approach, plan, retry_text};
use crate::agents::recovery_orchestrator::protocol::{self, Phase, Step};
use crate::agents::recovery_orchestrator::{self as orchestrator, Known, diagnosis};
use crate::definitions::names::HookName;
use crate::lifecycle::context::hook_context::{HookContext, Record};
use crate::lifecycle::gate::opening;
use crate::lifecycle::gate::opening::Opening;
use crate::model::finding::Severity;
use crate::state::atomic::Durability;
use crate::state::gate::GateSubject;
use crate::state::loop_state::LoopState;
use crate::state::records::{RecoveryOutcome, RecoveryRecord, RegressionEvent};
use crate::text::gate as text;

/// What came of the recoveries at the end of a turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Advanced {
    /// What the agent reads at its next attempts.
    pub attempts: Vec<String>,
    /// Whether a person has to decide now.
    pub escalated: bool,
}

/// Ends the attempts that brought nothing back, and begins the next ones or asks a person.
pub fn at_turn_end(context: &mut HookContext) -> Advanced {
    let now = context.env.now;
    let max = max_retries(context);
    let iteration = context.iteration();
    let Some(state) = context.state() else { return Advanced::default() };
    if !state.recovery_history.iter().any(|record| protocol::phase(record) == Phase::Retrying) {
        return Advanced::default();
    }
    let changed = context.change_state(Durability::Process, |state| advance(state, iteration, max, now));
    let Some(moves) = changed else { return Advanced::default() };
    let mut advanced = Advanced::default();
    let mut outcomes = Vec::new();
    for next in moves {
        match next {
            Move::Attempt(text) => advanced.attempts.push(text),
            Move::Escalate { event_ids, message, severity } => {
                advanced.escalated = true;
                outcomes.push(json!({"escalated": event_ids}));
                escalate(context, &event_ids, message, severity);
            }
        }
    }
    let mut record = Record::of(&["recovery-orchestrator"]);
    outcomes.extend(advanced.attempts.iter().map(|text| json!({"retry": text.lines().next()})));
    record.outcomes = outcomes;
    context.log(HookName::RegressionDetected.name(), record.change("recovery_history", json!(max)));
    advanced
}

enum Move {
    Attempt(String),
    Escalate { event_ids: Vec<String>, message: String, severity: Severity },
}

fn advance(state: &mut LoopState, iteration: u32, max: u32, now: Timestamp) -> Vec<Move> {
    let mut moves = Vec::new();
    let events = state.regression_events.clone();
    for record in &mut state.recovery_history {
        if protocol::phase(record) != Phase::Retrying {
            continue;
        }
        let open: Vec<&RegressionEvent> =
            events.iter().filter(|e| e.is_open() && is_about(record, e)).collect();
        let Some(worst) = open.iter().max_by_key(|event| event.severity) else { continue };
        // An attempt that began in this very moment has not been tried.
        let fresh = begun(record) == Some(now);
        if !fresh && protocol::take(record, Step::RetryFailed, max, now).is_err() {
            continue;
        }
        let tried = protocol::tried(record);
        let number = tried.len() as u32 + u32::from(!fresh);
        let diagnosis = said(record, "diagnose", "diagnosis");
        let plan = plan(&diagnosis);
        if !fresh
            && protocol::take(record, Step::Retry(iteration, approach(&plan, number)), max, now).is_err()
        {
            let message = panel(worst, iteration, &known(&record.protocol_steps));
            let reason = format!("All {} retries are used up", tried.len());
            if protocol::take(record, Step::Escalate(&reason, &message), max, now).is_ok() {
                let event_ids = open.iter().map(|event| event.event_id.clone()).collect();
                moves.push(Move::Escalate { event_ids, message, severity: worst.severity });
            }
            continue;
        }
        let lost: Vec<String> = open.iter().flat_map(|event| event.lost()).collect();
        let before = if fresh { tried.split_last().map_or(&[][..], |(_, before)| before) } else { &tried };
        let attempt = Attempt {
            number,
            max,
            kind: worst.regression_type.name(),
            lost: &lost,
            root_cause: &said(record, "diagnose", "root_cause"),
            tried: before,
        };
        moves.push(Move::Attempt(retry_text(&plan, &attempt)));
    }
    moves
}

/// Asks a person about regressions, and records that they were asked.
pub fn escalate(context: &mut HookContext, event_ids: &[String], message: String, severity: Severity) {
    context.change_state(Durability::Process, |state| {
        for event in state.regression_events.iter_mut().filter(|event| event_ids.contains(&event.event_id)) {
            event.human_gate_invoked = true;
            event.recovery_outcome = Some(RecoveryOutcome::Escalated);
        }
    });
    let loaded = context.definitions().clone();
    let defined =
        loaded.file.as_ref().and(loaded.definitions.hook(HookName::RegressionDetected).gate.as_ref());
    opening::open(
        context,
        &Opening { subject: GateSubject::Regression, event_ids, message, defined, severity },
    );
}

/// What the model reads about the gate that is open.
pub fn gate_words(context: &HookContext) -> Option<String> {
    let state = context.state()?;
    state.human_gates.iter().rfind(|gate| gate.is_open()).map(text::now_waits)
}

/// The most attempts at one incident.
pub fn max_retries(context: &HookContext) -> u32 {
    u32::try_from(context.config.recovery.max_retries).unwrap_or(u32::MAX)
}

/// Whether a recovery is about an event.
pub fn is_about(record: &RecoveryRecord, event: &RegressionEvent) -> bool {
    record.event_ids.iter().flatten().any(|id| *id == event.event_id)
}

/// What a person reads about an event.
pub fn panel(event: &RegressionEvent, iteration: u32, known: &Known) -> String {
    let diff = event.details.get("diff").cloned().unwrap_or(Value::Object(Map::new()));
    let iteration = event.iteration.max(1).min(iteration.max(1));
    orchestrator::panel(iteration, event.regression_type.name(), &diff, known)
}

/// What a recovery's steps tell a person besides the loss.
pub fn known(steps: &Map<String, Value>) -> Known {
    Known { cause: steps.get("diagnose").and_then(diagnosis::in_words), tried: protocol::tried_in(steps) }
}

fn begun(record: &RecoveryRecord) -> Option<Timestamp> {
    let attempts = record.protocol_steps.get("retry")?.get("attempts")?.as_array()?;
    attempts.last()?.get("executed_at")?.as_str()?.parse().ok()
}

fn said(record: &RecoveryRecord, step: &str, field: &str) -> String {
    let said = record.protocol_steps.get(step).and_then(|step| step.get(field));
    said.and_then(Value::as_str).unwrap_or_default().to_owned()
}
