//! What a gate offers besides a decision: other ways, and another person. Nothing here closes a gate.

use jiff::Timestamp;
use serde_json::json;

use crate::config::Config;
use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::gate::decision::GateAddress;
use crate::lifecycle::gate::notification;
use crate::lifecycle::regression::settlement::DecidedBy;
use crate::state::atomic::Durability;
use crate::state::audit;
use crate::state::audit::Line;
use crate::state::gate::Delegation;
use crate::state::lock::CLI_WAIT;

pub use crate::lifecycle::regression::alternatives::alternatives;

/// Leaves an open gate to another person: it stays open, the panel and the log name them, and the configured command
/// tells them. An error when it is not open.
pub fn delegate(asked: GateAddress, to: &str, by: &DecidedBy, now: Timestamp) -> Result<String, String> {
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
