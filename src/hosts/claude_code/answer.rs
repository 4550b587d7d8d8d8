//! The one object that Claude Code takes from a hook, with no more fields than Steadfast uses.
//!
//! A field without a value is left out: the client drops an answer that has a `null`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::hosts::prose::fitted;
use crate::hosts::terminal;
use crate::model::verdict::{Answer, Verdict};

/// The longest text that is sent, in UTF-16 units. Beyond 10,000 the client puts a file reference in the place of
/// contexts and messages; it sends reasons of any length to the model.
pub(super) const TEXT_LIMIT: usize = 9_500;

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
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop",
        "PreSkillShellCommand"
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

/// Renders the answer to an event; see [`crate::hosts::Host::write`]. `None` is silence, which is also the answer where the
/// client takes none of this kind.
pub(super) fn write(host_event: &str, answer: &Answer) -> Option<String> {
    use Verdict::{Ask, Context, Continue, Deny, Feedback, Halt};
    let mut output = match (&answer.verdict, host_event) {
        (
            Context(text),
            "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure",
        )
        // Unlike `decision: block` it continues the turn without the word "error" on the person's screen.
        | (Continue(text), "Stop") => context(host_event, text),
        (Ask(reason), "PreToolUse" | "PreSkillShellCommand") => permission(host_event, Permission::Ask, reason),
        (Deny(reason), "PreToolUse" | "PreSkillShellCommand") => permission(host_event, Permission::Deny, reason),
        // The prompt is not sent to the model; the person reads why.
        (Deny(reason), "UserPromptSubmit")
        | (Feedback(reason), "PostToolUse" | "PostToolUseFailure") | (Continue(reason), "SubagentStop") => {
            Output { decision: Some(Decision::Block), reason: Some(fit(reason)), ..Output::default() }
        }
        // From PreToolUse it would end the turn and still run the call.
        (Halt(reason), "PostToolUse" | "PostToolUseFailure" | "Stop" | "SubagentStop") => {
            Output { goes_on: Some(false), stop_reason: Some(fit(reason)), ..Output::default() }
        }
        _ => Output::default(),
    };
    output.system_message = answer.human.as_deref().map(fit);
    output.terminal_sequence = answer.attention.as_ref().map(terminal::sequence);
    // Nothing in it can fail to become JSON; silence would be the host's answer to a failure too.
    if output.is_empty() { None } else { serde_json::to_string(&output).ok() }
}

fn permission(event: &str, decision: Permission, reason: &str) -> Output {
    specific(Specific {
        hook_event_name: event.to_owned(),
        permission_decision: Some(decision),
        permission_decision_reason: Some(fit(reason)),
        ..Specific::default()
    })
}

fn context(event: &str, text: &str) -> Output {
    specific(Specific {
        hook_event_name: event.to_owned(),
        additional_context: Some(fit(text)),
        ..Specific::default()
    })
}

fn specific(specific: Specific) -> Output {
    Output { hook_specific_output: Some(specific), ..Output::default() }
}

fn fit(text: &str) -> String {
    fitted(text, TEXT_LIMIT)
}
