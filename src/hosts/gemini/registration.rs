//! Which of Gemini CLI's events call the hook. Those around the model's own requests carry all of them and are left out,
//! and so is the compaction's, which comes with every turn.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(run_shell_command|replace|write_file|mcp_.*|.*(edit|patch|delete|exec|rename|move|remove|apply|insert).*)$";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::SESSION_START },
    Registration {
        event: "BeforeAgent",
        takes: &[VerdictKind::Context, VerdictKind::Deny],
        tells: true,
        ..Registration::PROMPT
    },
    Registration {
        event: "BeforeTool",
        takes: &[VerdictKind::Ask, VerdictKind::Deny],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::BEFORE_CALL
    },
    Registration {
        event: "AfterTool",
        takes: &[VerdictKind::Context, VerdictKind::Halt],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::AFTER_CALL
    },
    Registration {
        event: "AfterAgent",
        takes: &[VerdictKind::Continue, VerdictKind::Halt],
        tells: true,
        ..Registration::STOP
    },
    Registration::SESSION_END,
];
