//! Which of OpenCode's events call the hook, all by the module. It waits itself, so the times here are the module's.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration {
        event: "session.created",
        takes: &[VerdictKind::Context],
        tells: true,
        ..Registration::SESSION_START
    },
    Registration {
        event: "chat.message",
        takes: &[VerdictKind::Context],
        tells: true,
        ..Registration::PROMPT
    },
    Registration {
        event: "tool.execute.before",
        takes: &[VerdictKind::Deny],
        tells: true,
        ..Registration::BEFORE_CALL
    },
    Registration {
        event: "tool.execute.after",
        takes: &[VerdictKind::Context],
        tells: true,
        ..Registration::AFTER_CALL
    },
    Registration {
        event: "session.idle",
        takes: &[VerdictKind::Continue],
        tells: true,
        ..Registration::STOP
    },
    Registration { event: "session.compacting", ..Registration::COMPACT },
    Registration { event: "session.deleted", ..Registration::SESSION_END },
];
