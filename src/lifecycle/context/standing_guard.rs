//! A guard that is switched off while it guards goes on: what a session begins with holds for it.
//!
//! A script can write `aiwg.yml` as well as a person can, and nothing would be left to see it. So only a session that
//! begins takes "off" as it is; a person who wants it at once pauses the loop.

use crate::config::Mode;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::EventKind;
use crate::state::atomic::Durability;
use crate::text::health as text;

/// Keeps the guard of a session's loop on, or takes note of what the session begins with. Costs nothing while the
/// guard is on, but at the beginning of a session with a loop.
pub(crate) fn keep(context: &mut HookContext) {
    if context.bound.is_none() {
        return;
    }
    let off = !context.config.enabled || context.config.detection.mode == Mode::Off;
    if let EventKind::SessionStart { source } = &context.event.kind {
        let begins = matches!(source.as_str(), "startup" | "resume");
        let differs = || context.state().is_some_and(|state| state.detection_enabled == off);
        if begins && differs() {
            context.change_state(Durability::Process, |state| state.detection_enabled = !off);
        }
        return;
    }
    if !off || !context.state().is_some_and(|state| state.detection_enabled) {
        return;
    }
    context.config.enabled = true;
    if context.config.detection.mode == Mode::Off {
        context.config.detection.mode = Mode::default();
    }
    context.notices.push(text::SWITCHED_OFF_WITHIN.to_owned());
}
