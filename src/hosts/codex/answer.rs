//! Codex's answers: the fields that its own schemas have at each event, and no other.

use serde::Serialize;

use crate::hosts::HookOutput;
use crate::hosts::prose::fitted;
use crate::model::verdict::{Answer, Verdict};

/// The longest text that is sent, in UTF-16 units: what is longer than ten thousand is cut and put into a file.
const TEXT_LIMIT: usize = 9_500;

/// What every event with an answer takes.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct CodexAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<CodexSpecific>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct CodexSpecific {
    hook_event_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
}

/// Renders an answer to an event.
pub(super) fn write(host_event: &str, answer: &Answer) -> HookOutput {
    let specific = CodexSpecific { hook_event_name: host_event.to_owned(), ..CodexSpecific::default() };
    let mut wire = match &answer.verdict {
        Verdict::Deny(reason) if host_event == "PreToolUse" => of(CodexSpecific {
            permission_decision: Some("deny"),
            permission_decision_reason: Some(fit(reason)),
            ..specific
        }),
        Verdict::Deny(reason) | Verdict::Continue(reason) => {
            CodexAnswer { decision: Some("block"), reason: Some(fit(reason)), ..CodexAnswer::default() }
        }
        Verdict::Context(text) => of(CodexSpecific { additional_context: Some(fit(text)), ..specific }),
        _ => CodexAnswer::default(),
    };
    wire.system_message = answer.human.as_deref().map(fit);
    let says =
        wire.hook_specific_output.is_some() || wire.decision.is_some() || wire.system_message.is_some();
    if says { HookOutput::json(&wire) } else { HookOutput::default() }
}

fn of(specific: CodexSpecific) -> CodexAnswer {
    CodexAnswer { hook_specific_output: Some(specific), ..CodexAnswer::default() }
}

fn fit(text: &str) -> String {
    fitted(text, TEXT_LIMIT)
}
