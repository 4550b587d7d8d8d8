//! Which of Windsurf's events call the hook. It knows no matcher: an event stands for the calls of one kind.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration {
        event: "pre_user_prompt",
        argument: "user-prompt-submit",
        takes: &[Kind::Deny],
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "pre_run_command",
        argument: "pre-run-command",
        takes: &[Kind::Deny],
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        ..Registration::PLAIN
    },
    Registration {
        event: "pre_write_code",
        argument: "pre-write-code",
        takes: &[Kind::Deny],
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        ..Registration::PLAIN
    },
    Registration {
        event: "pre_mcp_tool_use",
        argument: "pre-mcp-tool-use",
        takes: &[Kind::Deny],
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        ..Registration::PLAIN
    },
    Registration {
        event: "post_run_command",
        argument: "post-run-command",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "post_write_code",
        argument: "post-write-code",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "post_mcp_tool_use",
        argument: "post-mcp-tool-use",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        ..Registration::PLAIN
    },
    Registration {
        event: "post_cascade_response",
        argument: "stop",
        timeout_seconds: 3600,
        deadline_seconds: None,
        ..Registration::PLAIN
    },
];
