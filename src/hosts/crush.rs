//! Crush's hook: one event, before a call of the main agent. Nothing tells of the end of a turn there.

mod installation;
mod protocol;
mod registration;

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
pub struct Crush;

impl Host for Crush {
    fn name(&self) -> &'static str {
        "crush"
    }

    fn title(&self) -> &'static str {
        "Crush"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Source
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        if shape.has("event") && shape.has("cwd") { HostClaim::Surely } else { HostClaim::No }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["CRUSH"]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn more_fields(&self) -> &'static [&'static str] {
        &said::FIELDS_ALONE
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&installation::INSTALLATION)
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        PROTOCOL.of(self, input, call)
    }

    fn write(&self, _: &str, answer: &Answer) -> HookOutput {
        match &answer.verdict {
            Verdict::Deny(reason) => {
                HookOutput::json(&json!({"decision": "deny", "reason": nested::fit(reason)}))
            }
            Verdict::Context(text) => HookOutput::json(&json!({"context": nested::fit(text)})),
            _ => HookOutput::default(),
        }
    }
}

#[cfg(test)]
mod tests;
