//! What clients of several versions are answered, through the real hook: asked or denied, and what a person reads.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod asked;
mod codes;
mod events;

#[path = "../state/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the state")]
mod place;

use serde_json::Value;

/// The environment of an interactive session of a client that says so.
pub(crate) const ATTENDED: &[(&str, &str)] =
    &[("CLAUDE_CODE_ENTRYPOINT", "cli"), ("CLAUDE_CODE_SESSION_ATTENDED", "1")];

/// What a call is answered: `ask`, `deny`, or nothing.
pub(crate) fn decision(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default()
}

/// Why.
pub(crate) fn reason(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default()
}
