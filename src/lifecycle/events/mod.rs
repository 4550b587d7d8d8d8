//! The events of a host that fire hooks: a session begins or ends, a prompt is sent, a driver takes a step.

pub mod driver;
pub mod gate_command;
pub mod line;
pub mod loop_command;
pub mod prompt;
pub mod session_start;
pub mod standing;
pub mod typed_command;
pub mod undone;

use crate::model::event::EventKind;

/// Whether an event has the time for what waits for a moment between two turns: nobody waits for a call then.
pub fn is_between_turns(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::SessionStart { .. } | EventKind::UserPromptSubmit { .. } | EventKind::Stop { .. }
    )
}

/// Whether no call of the session runs any more.
pub fn ends_calls(kind: &EventKind) -> bool {
    matches!(kind, EventKind::UserPromptSubmit { .. } | EventKind::Stop { .. } | EventKind::SessionEnd { .. })
}
