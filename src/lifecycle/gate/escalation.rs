//! A recovery that becomes a person's: what its protocol asks is put to them at a gate.

use serde_json::json;

use crate::agents::recovery_orchestrator::protocol;
use crate::agents::recovery_orchestrator::protocol::Phase;
use crate::definitions::names::HookName;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::opening;
use crate::lifecycle::gate::opening::GateOpening;
use crate::lifecycle::regression::recovery::{Move, advance, max_retries};
use crate::model::finding::Severity;
use crate::state::atomic::Durability;
use crate::state::gate::GateSubject;
use crate::state::records::RecoveryOutcome;
use crate::text::gate as text;

/// What came of the recoveries at the end of a turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TurnRecovery {
    /// What the agent reads at its next attempts.
    pub attempts: Vec<String>,
    /// Whether a person has to decide now.
    pub escalated: bool,
}

/// Ends the attempts that brought nothing back, and begins the next ones or asks a person.
pub fn at_turn_end(context: &mut HookContext) -> TurnRecovery {
    let now = context.env.now;
    let max = max_retries(context);
    let iteration = context.iteration();
    let Some(state) = context.state() else { return TurnRecovery::default() };
    if !state.recovery_history.iter().any(|record| protocol::phase(record) == Phase::Retrying) {
        return TurnRecovery::default();
    }
    let changed = context.change_state(Durability::Process, |state| advance(state, iteration, max, now));
    let Some(moves) = changed else { return TurnRecovery::default() };
    let mut advanced = TurnRecovery::default();
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
    let mut record = HookRecord::of(&["recovery-orchestrator"]);
    outcomes.extend(advanced.attempts.iter().map(|text| json!({"retry": text.lines().next()})));
    record.outcomes = outcomes;
    context.log(HookName::RegressionDetected.name(), record.change("recovery_history", json!(max)));
    advanced
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
        &GateOpening { subject: GateSubject::Regression, event_ids, message, defined, severity },
    );
}

/// What the model reads about the gate that is open.
pub fn gate_words(context: &HookContext) -> Option<String> {
    let state = context.state()?;
    state.human_gates.iter().rfind(|gate| gate.is_open()).map(text::now_waits)
}
