//! Cline's hooks: one executable for each event. A refusal ends the whole run there, and its reason goes to the person.

mod input;
mod installation;
mod protocol;
mod registration;

use std::sync::LazyLock;

use serde_json::json;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{
    EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostEvidence, HostInstallation,
    Registration, nested, said,
};
use crate::model::event::Event;
use crate::model::verdict::{Answer, Verdict};

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Cline;

static FIELDS: LazyLock<Vec<&str>> = LazyLock::new(|| said::fields(input::FIELDS));

impl Host for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn title(&self) -> &'static str {
        "Cline"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("3.0.65")
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        if shape.has("hookName") || shape.has("clineVersion") { HostClaim::Surely } else { HostClaim::No }
    }

    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn more_fields(&self) -> &'static [&'static str] {
        &FIELDS
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&installation::INSTALLATION)
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        let name =
            self.event_name(call.argument).or_else(|| input::event_name(input)).unwrap_or(call.argument);
        PROTOCOL.event(name, &input::flattened(input), call)
    }

    /// The extension reads the text for the model by another name than the command line.
    fn write(&self, _: &str, answer: &Answer) -> HookOutput {
        match &answer.verdict {
            Verdict::Deny(reason) => {
                HookOutput::json(&json!({"cancel": true, "errorMessage": nested::fit(reason)}))
            }
            Verdict::Context(text) => {
                let text = nested::fit(text);
                HookOutput::json(&json!({"cancel": false, "context": text, "contextModification": text}))
            }
            // Silence is a hook without an answer there.
            _ => HookOutput::json(&json!({})),
        }
    }
}

#[cfg(test)]
mod tests;
