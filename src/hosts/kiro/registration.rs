//! Which of Kiro's events call the hook.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "*";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { event: "agentSpawn", takes: &[VerdictKind::Context], ..Registration::SESSION_START },
    Registration { event: "userPromptSubmit", takes: &[VerdictKind::Context], ..Registration::PROMPT },
    Registration {
        event: "preToolUse",
        takes: &[VerdictKind::Deny],
        matcher: Some(CHANGING_TOOLS),
        ..Registration::BEFORE_CALL
    },
    Registration { event: "postToolUse", matcher: Some(CHANGING_TOOLS), ..Registration::AFTER_CALL },
    Registration { event: "stop", ..Registration::STOP },
];
