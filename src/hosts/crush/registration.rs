//! The event of Crush that calls the hook.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// The tools that can change a file: the client's own by name, those of servers, and those whose name says so.
const CHANGING_TOOLS: &str = "^(bash|edit|multiedit|write|download|mcp_.*|.*(patch|delete|exec|rename|move|remove|apply|insert|replace).*)$";

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[Registration {
    takes: &[VerdictKind::Deny, VerdictKind::Context],
    matcher: Some(CHANGING_TOOLS),
    ..Registration::BEFORE_CALL
}];
