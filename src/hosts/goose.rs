//! Goose's hooks, which come with plugins: a call and the end of a turn can be refused, of all else they only tell.

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

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Goose;

impl Host for Goose {
    fn name(&self) -> &'static str {
        "goose"
    }

    fn title(&self) -> &'static str {
        "Goose"
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        // Each of its events has this one, if only as `null`.
        if shape.has("event") && (shape.has("matcher_context") || shape.has("working_dir")) {
            return HostClaim::Surely;
        }
        HostClaim::No
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
        Some(&installation::INSTALLATION)
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        PROTOCOL.of(self, input, call)
    }

    fn write(&self, _: &str, answer: &Answer) -> HookOutput {
        match (&answer.verdict, &answer.human) {
            (Verdict::Deny(reason) | Verdict::Continue(reason), _) => {
                HookOutput::json(&json!({"decision": "block", "reason": nested::fit(reason)}))
            }
            // Shown where a session begins.
            (_, Some(human)) => HookOutput::json(&json!({"banner": nested::fit(human)})),
            _ => HookOutput::default(),
        }
    }
}

#[cfg(test)]
mod tests;
