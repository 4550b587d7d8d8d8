//! Which of Kiro's events call the hook.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "*";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration {
        event: "agentSpawn",
        argument: "session-start",
        takes: &[Kind::Context],
        ..Registration::PLAIN
    },
    Registration {
        event: "userPromptSubmit",
        argument: "user-prompt-submit",
        takes: &[Kind::Context],
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "preToolUse",
        argument: "pre-tool-use",
        takes: &[Kind::Deny],
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "postToolUse",
        argument: "post-tool-use",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "stop",
        argument: "stop",
        timeout_seconds: 3600,
        deadline_seconds: None,
        ..Registration::PLAIN
    },
];
