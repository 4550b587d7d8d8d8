//! A guard that is switched off while it guards goes on: what a session begins with holds for it.
//!
//! A script can write `aiwg.yml` as well as a person can, and nothing would be left to see it. So only a session that
//! begins takes "off" as it is; a person who wants it at once pauses the loop.

use crate::config::Mode;
use crate::lifecycle::context::hook_context::Scene;
use crate::model::event::EventKind;
use crate::state::atomic::Durability;
use crate::text::health as text;

/// Keeps the guard of a session's loop on, or takes note of what the session begins with. Costs nothing while the
/// guard is on, but at the beginning of a session with a loop.
pub(crate) fn keep(scene: &mut Scene) {
    if scene.bound.is_none() {
        return;
    }
    let off = !scene.config.enabled || scene.config.detection.mode == Mode::Off;
    if let EventKind::SessionStart { source } = &scene.event.kind {
        let begins = matches!(source.as_str(), "startup" | "resume");
        let differs = || scene.state().is_some_and(|state| state.detection_enabled == off);
        if begins && differs() {
            scene.change_state(Durability::Process, |state| state.detection_enabled = !off);
        }
        return;
    }
    if !off || !scene.state().is_some_and(|state| state.detection_enabled) {
        return;
    }
    scene.config.enabled = true;
    if scene.config.detection.mode == Mode::Off {
        scene.config.detection.mode = Mode::default();
    }
    scene.notices.push(text::SWITCHED_OFF_WITHIN.to_owned());
}
