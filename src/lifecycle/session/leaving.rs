//! A session ends, and another one takes up what it leaves: its loop waits, and a guard loop of its own is over.

use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::session::{driven, liveness};
use crate::state::atomic::Durability;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::{Kind, Registry, RegistryEntry};

/// The end of a session whose client goes on with another one at once, and so the beginning of that one.
pub const CLEAR: &str = "clear";

/// The session ends well: a person's loop waits for whoever takes it up, and a guard loop is over.
pub fn leave(context: &mut HookContext, reason: &str) {
    let Some(bound) = context.bound.clone() else { return };
    if bound.entry.kind == Kind::Implicit {
        liveness::close_guard(&context.layout, &bound.id, reason, context.env.now);
        return;
    }
    if context.state().is_none_or(|state| driven::drives(&state)) {
        return;
    }
    // After a clear the same client goes on, and is known by its process.
    if reason != CLEAR {
        liveness::forget(&context.layout, &bound.id);
    }
    context.change_state(Durability::Power, |state| state.session_left = Some(reason.to_owned()));
}

/// The session speaks again: its loop is no longer left.
pub fn come_back(context: &mut HookContext) {
    let Some(bound) = context.bound.as_ref().filter(|bound| bound.entry.left) else { return };
    let guards = bound.entry.kind == Kind::Implicit;
    context.change_state(Durability::Process, |state| {
        state.session_left = None;
        if guards {
            state.status = Status::Running;
            state.completed_at = None;
        }
    });
}

/// Takes up again the guard loop of a session that is resumed.
pub fn reopen_guard(context: &mut HookContext) {
    let Some(session) = context.event.session_id.clone() else { return };
    let Ok(registry) = Registry::read(&context.layout) else { return };
    let was_left = registry.loops.iter().filter(|(_, entry)| entry.kind == Kind::Implicit && entry.left);
    let own = was_left.filter(|(id, entry)| {
        entry.status == Status::Completed
            && LoopState::read(&context.layout, id)
                .is_ok_and(|state| state.session_id.as_deref() == Some(&session))
    });
    let Some((id, entry)) = own.max_by_key(|(_, entry)| entry.last_active) else { return };
    let bound = Registry::change(&context.layout, HOOK_WAIT, |registry| registry.bind(&session, id));
    if bound.is_ok() {
        context.bound = Some(BoundLoop { id: id.clone(), entry: entry.clone() });
        come_back(context);
    }
}

/// The loop that this session goes on with because its client has just cleared the one before.
pub fn cleared(context: &HookContext, registry: &Registry) -> Option<String> {
    let parent = liveness::Worker::parent();
    let of_client = |id: &str| parent.is_some() && liveness::worker(&context.layout, id) == parent;
    let running = registry
        .loops
        .iter()
        .filter(|(_, entry)| entry.kind == Kind::Explicit && entry.status == Status::Running);
    let mut candidates: Vec<(&String, &RegistryEntry)> = running.filter(|(id, _)| of_client(id)).collect();
    candidates.sort_by_key(|(_, entry)| (entry.left, entry.last_active));
    // Where no end of a session was told, only a single loop is surely the one that this client worked for.
    let (id, entry) = candidates.last()?;
    (entry.left || candidates.len() == 1).then(|| (*id).clone())
}

/// The loops whose session has ended and that another session may take up.
pub fn left(registry: &Registry) -> impl Iterator<Item = (&String, &RegistryEntry)> {
    let waits = |entry: &RegistryEntry| matches!(entry.status, Status::Running | Status::Paused);
    let of_a_person = |entry: &RegistryEntry| entry.left && entry.kind == Kind::Explicit;
    registry.loops.iter().filter(move |(_, entry)| of_a_person(entry) && waits(entry))
}

/// Ends the session's own guard loop, since it works for a loop of a person's from now on.
pub fn guard_gives_way(context: &HookContext) {
    if let Some(bound) = context.bound.as_ref().filter(|bound| bound.entry.kind == Kind::Implicit) {
        let reason = "its session works for a loop now";
        liveness::close_guard(&context.layout, &bound.id, reason, context.env.now);
    }
}
