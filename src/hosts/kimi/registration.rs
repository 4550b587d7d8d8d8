//! Which of Kimi's events call the hook. A configuration with a key or an event that the client does not know does not load.

use crate::hosts::Registration;
use crate::model::verdict::Kind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(Shell|Bash|WriteFile|Write|StrReplaceFile|Edit|MultiEdit|.*(Patch|Delete|Exec|Run|Replace|Rename|Move|Remove|Apply\
     |Insert|Save|Command|_).*|.*(write|edit|patch|delete|exec|run|move|remove|apply|insert|create).*)$";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { event: "SessionStart", argument: "session-start", ..Registration::PLAIN },
    Registration {
        event: "UserPromptSubmit",
        argument: "user-prompt-submit",
        takes: &[Kind::Context, Kind::Deny],
        timeout_seconds: 30,
        ..Registration::PLAIN
    },
    Registration {
        event: "PreToolUse",
        argument: "pre-tool-use",
        takes: &[Kind::Deny],
        timeout_seconds: 60,
        deadline_seconds: Some(50),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUse",
        argument: "post-tool-use",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "PostToolUseFailure",
        argument: "post-tool-use-failure",
        timeout_seconds: 15,
        deadline_seconds: Some(12),
        matcher: Some(CHANGING_TOOLS),
        ..Registration::PLAIN
    },
    Registration {
        event: "Stop",
        argument: "stop",
        takes: &[Kind::Continue],
        timeout_seconds: 600,
        deadline_seconds: Some(590),
        ..Registration::PLAIN
    },
    Registration {
        event: "SubagentStop",
        argument: "subagent-stop",
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
