//! The hooks of Kimi CLI and Kimi Code: they ask before a call, at a prompt and at the end of a turn; of all else they only
//! tell.

mod installation;
mod protocol;
mod registration;

use serde_json::json;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{
    EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostInstallation, Registration, nested,
    said,
};
use crate::model::event::Event;
use crate::model::verdict::{Answer, Verdict};

/// The adapter: two clients speak alike and are configured in files of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kimi {
    /// Kimi CLI.
    Cli,
    /// Kimi Code.
    Code,
}

impl Host for Kimi {
    fn name(&self) -> &'static str {
        match self {
            Kimi::Cli => "kimi",
            Kimi::Code => "kimi-code",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Kimi::Cli => "Kimi CLI",
            Kimi::Code => "Kimi Code",
        }
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        // The older client's events are like those of many others, and it sets no variable.
        if *self == Kimi::Code && shape.has("client_type") { HostClaim::Surely } else { HostClaim::No }
    }

    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn more_fields(&self) -> &'static [&'static str] {
        &said::FIELDS_ALONE
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(match self {
            Kimi::Cli => &installation::OF_CLI,
            Kimi::Code => &installation::OF_CODE,
        })
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        PROTOCOL.of(self, input, call)
    }

    /// A text for the model stands on stdout as it is; an object there says what is refused.
    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        match &answer.verdict {
            Verdict::Context(text) => HookOutput { stdout: nested::fit(text), ..HookOutput::default() },
            Verdict::Deny(reason) | Verdict::Continue(reason) => {
                HookOutput::json(&json!({"hookSpecificOutput": {
                    "hookEventName": host_event, "permissionDecision": "deny",
                    "permissionDecisionReason": nested::fit(reason),
                }}))
            }
            _ => HookOutput::default(),
        }
    }
}

#[cfg(test)]
mod tests;
