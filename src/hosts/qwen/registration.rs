//! Which of Qwen Code's events call the hook.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(run_shell_command|edit|write_file|notebook_edit|monitor|exec|cron_create|loop_wakeup|mcp__.*\
     |.*(patch|delete|rename|move|remove|apply|insert|replace).*)$";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::SESSION_START },
    Registration { takes: &[VerdictKind::Context, VerdictKind::Deny], tells: true, ..Registration::PROMPT },
    Registration {
        takes: &[VerdictKind::Ask, VerdictKind::Deny],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::BEFORE_CALL
    },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Halt],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::AFTER_CALL
    },
    Registration {
        takes: &[VerdictKind::Context],
        tells: true,
        matcher: Some(CHANGING_TOOLS),
        ..Registration::AFTER_FAILURE
    },
    Registration { takes: &[VerdictKind::Continue], tells: true, ..Registration::STOP },
    Registration { takes: &[VerdictKind::Continue], tells: true, ..Registration::SUBAGENT_STOP },
    Registration::COMPACT,
    Registration::SESSION_END,
];
