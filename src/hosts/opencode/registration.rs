//! Which of OpenCode's events call the hook, all by the module. It waits itself, so the times here are the module's.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration {
        event: "session.created",
        argument: "session-start",
        takes: &[Kind::Context],
        tells: true,
        ..Registration::PLAIN
    },
    Registration {
        event: "chat.message",
        argument: "user-prompt-submit",
        takes: &[Kind::Context],
        tells: true,
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "tool.execute.before",
        argument: "pre-tool-use",
        takes: &[Kind::Deny],
        tells: true,
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        ..Registration::PLAIN
    },
    Registration {
        event: "tool.execute.after",
        argument: "post-tool-use",
        takes: &[Kind::Context],
        tells: true,
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "session.idle",
        argument: "stop",
        takes: &[Kind::Continue],
        tells: true,
        timeout_seconds: 3600,
        deadline_seconds: None,
        ..Registration::PLAIN
    },
    Registration { event: "session.compacting", argument: "pre-compact", ..Registration::PLAIN },
    Registration {
        event: "session.deleted",
        argument: "session-end",
        timeout_seconds: 5,
        deadline_seconds: Some(4),
        ..Registration::PLAIN
    },
];
