//! Which of Qwen Code's events call the hook.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(run_shell_command|edit|write_file|notebook_edit|monitor|exec|cron_create|loop_wakeup|mcp__.*\
     |.*(patch|delete|rename|move|remove|apply|insert|replace).*)$";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration {
        event: "SessionStart",
        argument: "session-start",
        takes: &[Kind::Context],
        tells: true,
        ..Registration::PLAIN
    },
    Registration {
        event: "UserPromptSubmit",
        argument: "user-prompt-submit",
        takes: &[Kind::Context, Kind::Deny],
        tells: true,
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "PreToolUse",
        argument: "pre-tool-use",
        takes: &[Kind::Ask, Kind::Deny],
        tells: true,
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUse",
        argument: "post-tool-use",
        takes: &[Kind::Context, Kind::Halt],
        tells: true,
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUseFailure",
        argument: "post-tool-use-failure",
        takes: &[Kind::Context],
        tells: true,
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "Stop",
        argument: "stop",
        takes: &[Kind::Continue],
        tells: true,
        timeout_seconds: 3600,
        deadline_seconds: None,
        ..Registration::PLAIN
    },
    Registration {
        event: "SubagentStop",
        argument: "subagent-stop",
        takes: &[Kind::Continue],
        tells: true,
        timeout_seconds: 60,
        ..Registration::PLAIN
    },
    Registration { event: "PreCompact", argument: "pre-compact", ..Registration::PLAIN },
    Registration {
        event: "SessionEnd",
        argument: "session-end",
        timeout_seconds: 5,
        deadline_seconds: Some(4),
        ..Registration::PLAIN
    },
];
