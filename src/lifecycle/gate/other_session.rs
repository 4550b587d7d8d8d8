//! A session that begins while another session's loop waits for a person: it is told, and held until the decision.
//!
//! Only a session without a loop of its own is: it would go on with the work that the gate holds up. A session that was
//! there before, or that works for another loop, is not.

use std::fs;
use std::path::PathBuf;

use crate::lifecycle::context::hook_context::HookContext;
use crate::state::atomic;
use crate::state::atomic::Durability;
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;
use crate::state::own_file;
use crate::state::registry::{Kind, Registry};
use crate::text::gate as text;

/// The folder with a file for each session that is held, which names the loop that it waits for.
const HELD: &str = "held-sessions";

/// Holds a session that begins while a gate is open. Answers what the agent and the person read.
pub fn begin(context: &HookContext) -> Option<String> {
    if context.bound.as_ref().is_some_and(|bound| bound.entry.kind == Kind::Explicit) {
        return None;
    }
    let own = context.bound.as_ref().map(|bound| bound.id.as_str());
    let registry = Registry::read(&context.layout).ok()?;
    let mut loops = registry.loops.iter();
    let (id, _) = loops.find(|(id, entry)| {
        entry.gate_open && entry.kind == Kind::Explicit && !entry.status.is_over() && own != Some(id.as_str())
    })?;
    let gate = open_gate(context, id)?;
    if let Some(mark) = mark(context) {
        // Without the mark the session is told and not held.
        atomic::write(&mark, id.as_bytes(), Durability::Process).ok();
    }
    Some(text::waits_in_another_session(id, &gate))
}

/// The gate that holds this session, while it is open. Costs one look at the disk where there is none.
pub fn held_by(context: &HookContext) -> Option<(String, Gate)> {
    if context.in_explicit_loop() {
        return None;
    }
    let mark = mark(context)?;
    let id = own_file::read_text(&mark).ok()?;
    let registry = Registry::read(&context.layout).ok()?;
    let is_open = registry.loops.get(&id).is_some_and(|entry| entry.gate_open && !entry.status.is_over());
    let gate = if is_open { open_gate(context, &id) } else { None };
    if gate.is_none() {
        fs::remove_file(mark).ok();
    }
    Some((id, gate?))
}

/// The session ends, and needs no mark any more.
pub fn end(context: &HookContext) {
    if let Some(mark) = mark(context) {
        fs::remove_file(mark).ok();
    }
}

fn open_gate(context: &HookContext, id: &str) -> Option<Gate> {
    LoopState::read(&context.layout, id).ok()?.open_gate().cloned()
}

fn mark(context: &HookContext) -> Option<PathBuf> {
    let session = context.event.session_id.as_deref().filter(|id| !id.is_empty())?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    session.chars().all(is_plain).then(|| context.layout.root().join(HELD).join(session))
}
