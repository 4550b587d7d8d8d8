//! The gates and the regressions that are open, and which of them is meant.

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use super::args::WhichGateArgs;
use crate::cli::seen::works;
use crate::state::audit::{self, Line};
use crate::state::gate::Gate;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;

/// An open gate and its loop.
pub(super) struct OpenGate {
    pub(super) loop_id: String,
    /// What a person calls it: a loop, or a session.
    pub(super) name: String,
    pub(super) gate: Gate,
}

/// Passes an error on, and leaves it in the log of each loop that has an open gate.
pub(super) fn guarded(layout: &Layout, open: &[OpenGate], allowed: Result<()>) -> Result<()> {
    if let Err(refused) = &allowed {
        for one in open {
            let line = Line {
                outcomes: vec![json!({"refused": refused.to_string(), "human_gate": one.gate.gate_id})],
                ..Line::new("human_gate", &one.loop_id, one.gate.iteration, Timestamp::now())
            };
            // The refusal stands with or without its line.
            audit::append(&layout.log(&one.loop_id), line).ok();
        }
    }
    allowed
}

/// All open gates of the project.
pub(super) fn open_gates(layout: &Layout) -> Result<Vec<OpenGate>> {
    let registry = Registry::read(layout)?;
    let with_gate = registry.loops.iter().filter(|(_, entry)| entry.gate_open);
    let open = with_gate.filter_map(|(id, _)| {
        let state = LoopState::read(layout, id).ok()?;
        let name = works::name(state.kind, id, state.session_id.as_deref());
        state.open_gate().cloned().map(|gate| OpenGate { loop_id: id.clone(), name, gate })
    });
    Ok(open.collect())
}

/// The open gate that is meant.
pub(super) fn find<'o>(layout: &Layout, open: &'o [OpenGate], which: &WhichGateArgs) -> Result<&'o OpenGate> {
    let Some(id) = &which.id else {
        return match open {
            [only] => Ok(only),
            [] => bail!("nothing waits for a decision"),
            several => bail!("{} gates are open; name one: `steadfast gate list` shows them", several.len()),
        };
    };
    let is_meant = |one: &&OpenGate| {
        one.gate.gate_id.starts_with(id.as_str())
            || one.loop_id == *id
            || one.gate.event_ids.iter().any(|event| event.starts_with(id.as_str()))
    };
    let mut meant = open.iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => bail!("{id:?} is the beginning of several ids"),
        (None, _) => bail!("no open gate in {} matches {id:?}", layout.root().display()),
    }
}

/// The loop and the full id of an open regression.
pub(super) fn open_event(layout: &Layout, start: &str) -> Result<(String, String)> {
    let mut matches = Vec::new();
    for id in Registry::read(layout)?.loops.keys() {
        let Ok(state) = LoopState::read(layout, id) else { continue };
        let open = state.open_regressions().filter(|open| open.event_id.starts_with(start));
        matches.extend(open.map(|open| (id.clone(), open.event_id.clone())));
    }
    match matches.as_slice() {
        [one] => Ok(one.clone()),
        other => bail!("{} open regressions match {start:?}; `steadfast status` lists them", other.len()),
    }
}
