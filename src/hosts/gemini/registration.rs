//! Which of Gemini CLI's events call the hook. Those around the model's own requests carry all of them and are left out,
//! and so is the compaction's, which comes with every turn.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(run_shell_command|replace|write_file|mcp_.*|.*(edit|patch|delete|exec|rename|move|remove|apply|insert).*)$";

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
        event: "BeforeAgent",
        argument: "user-prompt-submit",
        takes: &[Kind::Context, Kind::Deny],
        tells: true,
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "BeforeTool",
        argument: "pre-tool-use",
        takes: &[Kind::Ask, Kind::Deny],
        tells: true,
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "AfterTool",
        argument: "post-tool-use",
        takes: &[Kind::Context, Kind::Halt],
        tells: true,
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "AfterAgent",
        argument: "stop",
        takes: &[Kind::Continue, Kind::Halt],
        tells: true,
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
