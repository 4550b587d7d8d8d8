//! What a gate offers besides a decision: other ways, and another person. Nothing here closes a gate.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::config::Config;
use crate::detectors;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::gate::decision::{Asked, Decider};
use crate::lifecycle::gate::notification;
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::gate::{Delegation, Gate};
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::LoopState;

/// What could be done instead of what a gate is about, each pattern's once.
pub fn alternatives(state: &LoopState, gate: &Gate) -> Vec<&'static str> {
    let about = state.regression_events.iter().filter(|event| gate.event_ids.contains(&event.event_id));
    let ids: BTreeSet<&str> =
        about.filter_map(|event| event.details.get("pattern_id").and_then(Value::as_str)).collect();
    let known = detectors::catalogue();
    ids.iter().filter_map(|id| known.iter().find(|pattern| pattern.id == *id)).map(|it| it.instead).collect()
}

/// Leaves an open gate to another person: it stays open, the panel and the log name them, and the configured command
/// tells them. An error when it is not open.
pub fn delegate(asked: Asked, to: &str, by: &Decider, now: Timestamp) -> Result<String, String> {
    let changed = change_state(asked.layout, asked.loop_id, CLI_WAIT, Durability::Power, now, |state| {
        let gate = state.human_gates.iter_mut().find(|gate| gate.gate_id == asked.gate_id && gate.is_open());
        let gate = gate.ok_or("this gate was decided a moment ago")?;
        let (by, reason) = (by.by.clone(), by.reason.clone());
        gate.delegated = Some(Delegation { to: to.to_owned(), by, at: now, reason });
        Ok::<_, String>(gate.clone())
    })?;
    let gate = changed.value?;
    let (config, _) = Config::read(asked.project.root());
    let told = match &config.notify.command {
        Some(command) => match notification::start(command, asked.project.root(), &gate, asked.loop_id) {
            Ok(()) => " `notify.command` tells them.".to_owned(),
            Err(error) => format!(" The notification failed: {error}."),
        },
        None => " No `notify.command` is configured: tell them yourself.".to_owned(),
    };
    let line = Line {
        outcomes: vec![
            json!({"human_gate": gate.gate_id, "delegated_to": to, "by": by.by, "reason": by.reason}),
        ],
        ..Line::new("human_gate", asked.loop_id, changed.entry.iteration, now)
    };
    // It stands in the state too.
    audit::append(&asked.layout.log(asked.loop_id), line).ok();
    Ok(format!("Left to {to}; the gate stays open.{told}"))
}
