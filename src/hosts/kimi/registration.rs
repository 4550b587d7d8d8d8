//! Which of Kimi's events call the hook. A configuration with a key or an event that the client does not know does not load.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(Shell|Bash|WriteFile|Write|StrReplaceFile|Edit|MultiEdit|.*(Patch|Delete|Exec|Run|Replace|Rename|Move|Remove|Apply\
     |Insert|Save|Command|_).*|.*(write|edit|patch|delete|exec|run|move|remove|apply|insert|create).*)$";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration::SESSION_START,
    Registration { takes: &[VerdictKind::Context, VerdictKind::Deny], ..Registration::PROMPT },
    Registration { takes: &[VerdictKind::Deny], matcher: Some(CHANGING_TOOLS), ..Registration::BEFORE_CALL },
    Registration { matcher: Some(CHANGING_TOOLS), ..Registration::AFTER_CALL },
    Registration { matcher: Some(CHANGING_TOOLS), ..Registration::AFTER_FAILURE },
    Registration {
        takes: &[VerdictKind::Continue],
        timeout_seconds: 600,
        deadline_seconds: Some(590),
        ..Registration::STOP
    },
    Registration::SUBAGENT_STOP,
    Registration::COMPACT,
    Registration::SESSION_END,
];
