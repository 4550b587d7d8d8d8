//! The one object that Claude Code takes from a hook, with no more fields than Steadfast uses.
//!
//! A field without a value is left out: the client drops an answer that has a `null`.

use schemars::JsonSchema;
use serde::Serialize;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, extend("minProperties" = 1))]
pub struct Output {
    /// What only one event takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Specific")]
    pub hook_specific_output: Option<Specific>,
    /// The action has happened, or the turn would end: the model gets the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Decision")]
    pub decision: Option<Decision>,
    /// What the model reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reason: Option<String>,
    /// False ends the turn.
    #[serde(rename = "continue", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub goes_on: Option<bool>,
    /// Why the turn ends, for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub stop_reason: Option<String>,
    /// What the person reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub system_message: Option<String>,
    /// What an interactive client sends to its terminal: the bell, or a notification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub terminal_sequence: Option<String>,
}

impl Output {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Output::default()
    }
}

/// A decision about what has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It is a fault to mend.
    Block,
}

/// What only one event takes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Specific {
    /// The event.
    #[schemars(extend("enum" = [
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"
    ]))]
    pub hook_event_name: String,
    /// What the model reads besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub additional_context: Option<String>,
    /// Whether the call happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Permission")]
    pub permission_decision: Option<Permission>,
    /// Why, for the model or the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub permission_decision_reason: Option<String>,
}

/// Whether a call happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// The person says.
    Ask,
    /// It doesn't.
    Deny,
}
