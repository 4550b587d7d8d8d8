//! The decisions of a person, carried out.

use anyhow::Result;
use jiff::Timestamp;

use super::args::{AnswerArgs, FalseAlarmArgs};
use super::open::{OpenGate, guarded, open_event, open_gates};
use crate::cli::columns::say;
use crate::cli::human;
use crate::lifecycle::gate::decision::{self, DecidedBy, GateAddress};
use crate::project::Project;
use crate::state::false_alarms::SilenceRequest;
use crate::state::gate::GateDecision;
use crate::state::layout::Layout;

/// Decides at an open gate.
pub(super) fn decide(
    project: &Project,
    layout: &Layout,
    one: &OpenGate,
    decision: GateDecision,
    by: DecidedBy,
) -> Result<u8> {
    let asked = GateAddress { project, layout, loop_id: &one.loop_id, gate_id: &one.gate.gate_id };
    let said = decision::decide(asked, decision, &by, Timestamp::now()).map_err(anyhow::Error::msg)?;
    say(said);
    Ok(0)
}

/// Accepts a regression whose recovery still runs.
pub(super) fn accept_early(
    project: &Project,
    layout: &Layout,
    answer: &AnswerArgs,
    now: Timestamp,
) -> Result<u8> {
    let (loop_id, event_id) = open_event(layout, answer.which.id.as_deref().unwrap_or_default())?;
    let asked = GateAddress { project, layout, loop_id: &loop_id, gate_id: "" };
    let said = decision::accept_event(asked, &event_id, &human::decider(answer.reason.clone()), now)
        .map_err(anyhow::Error::msg)?;
    say(said);
    Ok(0)
}

/// Closes a regression as a false alarm.
pub(super) fn false_alarm(
    project: &Project,
    layout: &Layout,
    alarm: &FalseAlarmArgs,
    silence: SilenceRequest,
    now: Timestamp,
) -> Result<u8> {
    guarded(layout, &open_gates(layout)?, human::at_a_terminal("call a finding a false alarm"))?;
    let (loop_id, event_id) = open_event(layout, &alarm.event)?;
    let asked = GateAddress { project, layout, loop_id: &loop_id, gate_id: "" };
    let by = human::decider(Some(alarm.reason.clone()));
    let said =
        decision::call_false_positive(asked, &event_id, &by, silence, now).map_err(anyhow::Error::msg)?;
    say(said);
    Ok(0)
}
