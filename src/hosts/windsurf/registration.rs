//! Which of Windsurf's events call the hook. It knows no matcher: an event stands for the calls of one kind.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { event: "pre_user_prompt", takes: &[VerdictKind::Deny], ..Registration::PROMPT },
    Registration {
        event: "pre_run_command",
        argument: "pre-run-command",
        takes: &[VerdictKind::Deny],
        ..Registration::BEFORE_CALL
    },
    Registration {
        event: "pre_write_code",
        argument: "pre-write-code",
        takes: &[VerdictKind::Deny],
        ..Registration::BEFORE_CALL
    },
    Registration {
        event: "pre_mcp_tool_use",
        argument: "pre-mcp-tool-use",
        takes: &[VerdictKind::Deny],
        ..Registration::BEFORE_CALL
    },
    Registration { event: "post_run_command", argument: "post-run-command", ..Registration::AFTER_CALL },
    Registration { event: "post_write_code", argument: "post-write-code", ..Registration::AFTER_CALL },
    Registration { event: "post_mcp_tool_use", argument: "post-mcp-tool-use", ..Registration::AFTER_CALL },
    Registration { event: "post_cascade_response", ..Registration::STOP },
];
