//! Which of Goose's events call the hook. What is no decision is a failure there, so nothing else is ever said.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { event: "SessionStart", argument: "session-start", tells: true, ..Registration::PLAIN },
    Registration {
        event: "UserPromptSubmit",
        argument: "user-prompt-submit",
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "PreToolUse",
        argument: "pre-tool-use",
        takes: &[Kind::Deny],
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUse",
        argument: "post-tool-use",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUseFailure",
        argument: "post-tool-use-failure",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "Stop",
        argument: "stop",
        takes: &[Kind::Continue],
        timeout_seconds: 3600,
        deadline_seconds: None,
        ..Registration::PLAIN
    },
    Registration {
        event: "SessionEnd",
        argument: "session-end",
        timeout_seconds: 5,
        deadline_seconds: Some(4),
        ..Registration::PLAIN
    },
];
