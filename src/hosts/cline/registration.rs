//! Which of Cline's events call the hook: each is a file of its name.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { event: "TaskStart", argument: "session-start", ..Registration::PLAIN },
    Registration { event: "TaskResume", argument: "session-resume", ..Registration::PLAIN },
    Registration {
        event: "UserPromptSubmit",
        argument: "user-prompt-submit",
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "PreToolUse",
        argument: "pre-tool-use",
        takes: &[Kind::Deny, Kind::Context],
        timeout_seconds: 30,
        deadline_seconds: Some(25),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUse",
        argument: "post-tool-use",
        takes: &[Kind::Context],
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "TaskComplete",
        argument: "stop",
        timeout_seconds: 30,
        deadline_seconds: Some(25),
        ..Registration::PLAIN
    },
    Registration {
        event: "SessionShutdown",
        argument: "session-end",
        timeout_seconds: 5,
        deadline_seconds: Some(4),
        ..Registration::PLAIN
    },
];
