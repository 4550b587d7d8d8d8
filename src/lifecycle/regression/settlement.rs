//! A person accepts or refuses what was lost: the regression, its gate and its recovery are closed in the loop's state.
//!
//! Invariant: history is only added to; what is taken back stays in it, marked.

use jiff::Timestamp;

use crate::agents::recovery_orchestrator::protocol;
use crate::agents::recovery_orchestrator::protocol::ProtocolStep;
use crate::checkpoint::watch::Watch;
use crate::lifecycle::regression::{alternatives, recovery};
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::AcceptedCount;
use crate::state::records::{HumanDecision, RegressionEvent};
use crate::state::registry::Kind;
use crate::text::gate as text;

/// Who decides, and how.
#[derive(Debug, Clone)]
pub struct DecidedBy {
    /// `terminal` or `one-time code`.
    pub via: &'static str,
    /// The user's name, where it is known.
    pub by: Option<String>,
    /// What they say beside it.
    pub reason: Option<String>,
    /// Whether a hook waits, so that keeping files may only take seconds.
    pub in_hook: bool,
    /// Whether a rejection replaces newer work of others too.
    pub force: bool,
}

/// Accepts what a regression lost, with all that follows in its loop: its gate and its recovery are closed, and what is
/// there is the baseline. Answers the gate, when that is closed with it.
pub(crate) fn settle(
    layout: &Layout,
    state: &mut LoopState,
    event_id: &str,
    by: &DecidedBy,
    false_alarm: Option<&str>,
    now: Timestamp,
) -> Result<Option<Gate>, String> {
    let event = state.regression_events.iter_mut().find(|event| event.event_id == event_id);
    let event = event.filter(|event| event.is_open()).ok_or("this regression is closed already")?;
    accept(event, HumanDecision::Approve, by, now);
    if let Some(reason) = false_alarm {
        event.false_positive = Some(true);
        event.false_positive_reason = Some(reason.to_owned());
    }
    let gate = close_gate(state, event_id, by, false_alarm.is_some(), now);
    if gate.is_none() {
        let alone = Gate { event_ids: vec![event_id.to_owned()], ..no_gate(now) };
        close_recoveries(state, &alone, HumanDecision::Approve, "approve", now);
    }
    accept_baseline(layout, state, now);
    state.note_regressions();
    Ok(gate)
}

/// Closes a regression as a person decided.
pub(crate) fn accept(event: &mut RegressionEvent, decision: HumanDecision, by: &DecidedBy, now: Timestamp) {
    event.human_gate_invoked = true;
    event.human_decision = Some(decision);
    event.decided_at = Some(now);
    event.decided_via = Some(by.via.to_owned());
    event.decided_by = Some(by.by.clone());
}

/// With its loop every question that is open ends too.
pub(crate) fn end_gates(state: &mut LoopState, by: &DecidedBy, now: Timestamp) {
    for gate in state.human_gates.iter_mut().filter(|gate| gate.is_open()) {
        gate.decide(GateDecision::Abort, by.via, by.by.clone(), now);
        let events = state.regression_events.iter_mut();
        for event in events.filter(|event| event.is_open() && gate.event_ids.contains(&event.event_id)) {
            accept(event, HumanDecision::Abort, by, now);
        }
    }
}

/// Closes the recoveries of what a gate was about.
pub(crate) fn close_recoveries(
    state: &mut LoopState,
    gate: &Gate,
    decision: HumanDecision,
    said: &str,
    now: Timestamp,
) {
    let LoopState { regression_events, recovery_history, .. } = state;
    for record in recovery_history {
        let of_gate = record.gate_id.as_ref().and_then(Option::as_ref) == Some(&gate.gate_id);
        let mut events = regression_events.iter().filter(|event| gate.event_ids.contains(&event.event_id));
        if of_gate || events.any(|event| recovery::is_about(record, event)) {
            // One that an agent of the project's own wrote in another form has nothing to close.
            protocol::take(record, ProtocolStep::Decided(decision, said), 0, now).ok();
        }
    }
}

/// What the agent reads at its next event, and with which iteration the loop goes on.
pub(crate) fn prepare_next(
    state: &mut LoopState,
    gate: &Gate,
    decision: GateDecision,
    back_to: Option<u32>,
    by: &DecidedBy,
) {
    let over = state.status.is_over() || decision == GateDecision::Abort;
    let instead = alternatives::alternatives(state, gate);
    let notice = text::decided(gate, decision, back_to, by.reason.as_deref(), &instead);
    // One decision may follow another before the agent reads either.
    let before = state.pending_notice.take().map(|before| format!("{before}\n\n")).unwrap_or_default();
    state.pending_notice = (!over).then(|| format!("{before}{notice}"));
    let recorded = gate.iteration_recorded == Some(true);
    if state.kind == Kind::Explicit && !over && (recorded || back_to.is_some()) {
        state.next_iteration = Some(state.iteration + 1);
    }
}

/// What is there now is what must not be lost from here on.
pub(crate) fn accept_baseline(layout: &Layout, state: &mut LoopState, now: Timestamp) {
    let Some(watch) = Watch::read(layout, &state.loop_id) else { return };
    let Some(baseline) = &mut state.baseline_metrics else { return };
    if baseline.test_count.is_some() {
        let before = baseline.test_count.replace(watch.tests());
        let (test_count_before, test_count) = (before, baseline.test_count);
        let accepted = AcceptedCount { timestamp: now, test_count_before, test_count };
        baseline.accepted.get_or_insert_default().push(accepted);
    }
}

/// Closes the gate of an event when nothing else is open in it.
fn close_gate(
    state: &mut LoopState,
    event_id: &str,
    by: &DecidedBy,
    false_alarm: bool,
    now: Timestamp,
) -> Option<Gate> {
    let open: Vec<String> = state.open_regressions().map(|event| event.event_id.clone()).collect();
    let of_event = |gate: &&mut Gate| gate.is_open() && gate.event_ids.iter().any(|id| id == event_id);
    let gate = state.human_gates.iter_mut().find(of_event)?;
    if gate.event_ids.iter().any(|id| open.contains(id)) {
        return None;
    }
    if false_alarm {
        gate.subject = GateSubject::FalsePositive;
    }
    gate.reason.clone_from(&by.reason);
    gate.decide(GateDecision::Approve, by.via, by.by.clone(), now);
    let gate = gate.clone();
    let said = if false_alarm { "approve - false alarm" } else { "approve" };
    close_recoveries(state, &gate, HumanDecision::Approve, said, now);
    prepare_next(state, &gate, GateDecision::Approve, None, by);
    Some(gate)
}

/// What the log says of a decision where no gate was open yet.
pub(crate) fn no_gate(now: Timestamp) -> Gate {
    Gate::new(GateSubject::Regression, now)
}
