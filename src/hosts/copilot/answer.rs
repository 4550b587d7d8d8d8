//! Answers that Copilot CLI and VS Code both take: what the one reads at the top of the object, the other reads below
//! `hookSpecificOutput`.

use serde::Serialize;

use crate::hosts::HookOutput;
use crate::hosts::prose::fitted;
use crate::model::verdict::{Answer, Verdict};

/// The longest text that is sent, in UTF-16 units.
const TEXT_LIMIT: usize = 9_500;

/// What is said, at the top and below.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct CopilotAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_event_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The answer to a request for a permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    behavior: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CopilotOutput {
    #[serde(flatten)]
    top: CopilotAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<CopilotAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
}

/// Renders an answer to an event.
pub(in crate::hosts) fn write(host_event: &str, answer: &Answer) -> HookOutput {
    let top = match &answer.verdict {
        Verdict::Deny(reason) if host_event == "PermissionRequest" => {
            CopilotAnswer { behavior: Some("deny"), message: Some(fit(reason)), ..CopilotAnswer::default() }
        }
        Verdict::Deny(reason) if host_event == "PreToolUse" => permission("deny", reason),
        Verdict::Ask(reason) => permission("ask", reason),
        Verdict::Context(text) => {
            CopilotAnswer { additional_context: Some(fit(text)), ..CopilotAnswer::default() }
        }
        Verdict::Deny(reason) | Verdict::Continue(reason) => {
            CopilotAnswer { decision: Some("block"), reason: Some(fit(reason)), ..CopilotAnswer::default() }
        }
        Verdict::Pass | Verdict::Feedback(_) | Verdict::Halt(_) => CopilotAnswer::default(),
    };
    let system_message = answer.human.as_deref().map(fit);
    if answer.verdict == Verdict::Pass {
        return system_message.map_or_else(HookOutput::default, |message| {
            HookOutput::json(&CopilotOutput {
                top,
                hook_specific_output: None,
                system_message: Some(message),
            })
        });
    }
    // A request for a permission is answered at the top alone.
    let below = top
        .behavior
        .is_none()
        .then(|| CopilotAnswer { hook_event_name: Some(host_event.to_owned()), ..top.clone() });
    HookOutput::json(&CopilotOutput { top, hook_specific_output: below, system_message })
}

fn permission(decision: &'static str, reason: &str) -> CopilotAnswer {
    CopilotAnswer {
        permission_decision: Some(decision),
        permission_decision_reason: Some(fit(reason)),
        ..CopilotAnswer::default()
    }
}

fn fit(text: &str) -> String {
    fitted(text, TEXT_LIMIT)
}
