//! What `steadfast gate` offers besides a decision: history, other ways, a whitelist, another person.

use anstream::println;
use anyhow::{Result, bail};
use jiff::Timestamp;
use owo_colors::OwoColorize;
use serde_json::Value;

use super::args::{DAYS, Delegate, WhichGateArgs};
use super::open::OpenGate;
use crate::cli::columns::say;
use crate::cli::seen::works;
use crate::cli::undo::shown;
use crate::cli::{columns, human};
use crate::lifecycle::gate::decision;
use crate::lifecycle::gate::decision::GateAddress;
use crate::lifecycle::gate::options;
use crate::project::Project;
use crate::state::false_alarms::{SilenceRequest, SilenceScope};
use crate::state::gate::Gate;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;

/// Leaves a gate to another person.
pub(super) fn delegate(
    project: &Project,
    layout: &Layout,
    one: &OpenGate,
    args: &Delegate,
    now: Timestamp,
) -> Result<u8> {
    let asked = GateAddress { project, layout, loop_id: &one.loop_id, gate_id: &one.gate.gate_id };
    let by = human::decider(args.reason.clone());
    say(options::delegate(asked, &args.to, &by, now).map_err(anyhow::Error::msg)?);
    Ok(0)
}

/// Prints what led to a gate, and what persons decided in its loop before.
pub(super) fn history(layout: &Layout, one: &OpenGate) -> Result<()> {
    let state = history::whole(layout, LoopState::read(layout, &one.loop_id)?);
    println!("{}", "What led to it".bold());
    for event in state.regression_events.iter().filter(|event| one.gate.event_ids.contains(&event.event_id)) {
        let lost = event.lost().join(", ");
        let head = format!("{} iteration {}", columns::moment(event.timestamp), event.iteration);
        let kind = event.regression_type.name().replace('_', " ");
        say(format_args!("{head}: {kind} ({})\n  {}", event.severity.name(), shown(&lost)));
    }
    for recovery in &state.recovery_history {
        let step =
            |name: &str, field: &str| recovery.protocol_steps.get(name)?.get(field)?.as_str().map(shown);
        let told = [("diagnose", "root_cause"), ("adapt", "strategy"), ("escalate", "reason")];
        let told: Vec<String> =
            told.iter().filter_map(|(name, field)| Some(format!("{name}: {}", step(name, field)?))).collect();
        println!(
            "{} recovery in iteration {}: {}",
            columns::moment(recovery.timestamp),
            recovery.iteration,
            told.join("; ")
        );
    }
    println!("{}", "What was decided before".bold());
    if state.human_gates.iter().all(Gate::is_open) {
        println!("Nothing in this loop.");
    }
    print_decided(&state, |_| true);
    Ok(())
}

/// Prints what persons decided in loops where nothing waits, with their reasons: in one that is named, or in all.
pub(super) fn decided(layout: &Layout, which: &WhichGateArgs) -> Result<()> {
    let loops = Registry::read(layout)?.loops.into_keys();
    let states =
        loops.filter_map(|id| LoopState::read(layout, &id).ok()).map(|it| history::whole(layout, it));
    let mut is_any = false;
    for state in states {
        let is_meant = |gate: &Gate| {
            let of_gate = |id: &String| {
                gate.gate_id.starts_with(id) || gate.event_ids.iter().any(|event| event.starts_with(id))
            };
            which.id.as_ref().is_none_or(|id| state.loop_id == *id || of_gate(id))
        };
        if state.human_gates.iter().any(|gate| !gate.is_open() && is_meant(gate)) {
            is_any = true;
            println!("{}", works::name(state.kind, &state.loop_id, state.session_id.as_deref()).bold());
            print_decided(&state, is_meant);
        }
    }
    match &which.id {
        Some(id) if !is_any => bail!("no gate in {} matches {id:?}", layout.root().display()),
        None if !is_any => println!("Nothing was decided yet."),
        _ => {}
    }
    Ok(())
}

/// Prints the decided gates of a loop that are meant, oldest first.
fn print_decided(state: &LoopState, is_meant: impl Fn(&Gate) -> bool) {
    for gate in state.human_gates.iter().filter(|gate| !gate.is_open() && is_meant(gate)) {
        let decision = gate.decision.map_or("closed", |decision| decision.name());
        let at = gate.decided_at.map(|at| at.to_string()).unwrap_or_default();
        let by = gate.decided_by.as_deref().unwrap_or("nobody");
        let via = gate.decided_via.as_deref().unwrap_or_default();
        let reason = gate.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let line = format!("{at} iteration {}: {decision} by {by} ({via}){reason}", gate.iteration);
        say(shown(&line));
    }
}

/// Prints ways in which nothing would get lost.
pub(super) fn suggest(layout: &Layout, one: &OpenGate) -> Result<()> {
    let state = LoopState::read(layout, &one.loop_id)?;
    for way in options::alternatives(&state, &one.gate) {
        say(format_args!("- {way}"));
    }
    let adapted = state.recovery_history.iter().filter_map(|it| it.protocol_steps.get("adapt"));
    for step in adapted.filter_map(|adapt| adapt.get("changes_made")).filter_map(Value::as_array).flatten() {
        say(format_args!("- {}", shown(step.as_str().unwrap_or_default())));
    }
    Ok(())
}

/// Whether a line typed at the picker says that all of it is a false alarm.
pub(super) fn is_false_alarm(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("w" | "whitelist" | "legitimate" | "l"))
}

/// Closes all that a gate is about as false alarms, with the reason that follows the first word: `legitimate` silences
/// the findings, a whitelist their patterns in their files. False when there is no reason.
pub(super) fn false_alarm(project: &Project, layout: &Layout, one: &OpenGate, line: &str) -> Result<bool> {
    let (word, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if reason.trim().is_empty() {
        println!("A reason is needed, for example: {word} it moved to another repository");
        return Ok(false);
    }
    let silence = match word {
        "w" | "whitelist" => SilenceRequest { scope: SilenceScope::File, days: Some(DAYS) },
        _ => SilenceRequest::default(),
    };
    let by = human::decider(Some(reason.trim().to_owned()));
    let state = LoopState::read(layout, &one.loop_id)?;
    let is_open = |id: &&String| state.open_regressions().any(|event| event.event_id == **id);
    let asked = GateAddress { project, layout, loop_id: &one.loop_id, gate_id: "" };
    for id in one.gate.event_ids.iter().filter(is_open) {
        let said = decision::call_false_positive(asked, id, &by, silence, Timestamp::now());
        say(said.map_err(anyhow::Error::msg)?);
    }
    Ok(true)
}
