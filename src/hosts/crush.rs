//! Crush's hook: one event, before a call of the main agent. Nothing tells of the end of a turn there.

mod installation;
mod protocol;
mod registration;

use serde_json::json;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{Call, Claim, Evidence, Host, Input, Installation, Output, Registration, Shape, nested, said};
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

    fn evidence(&self) -> Evidence {
        Evidence::Source
    }

    fn claims(&self, shape: &Shape) -> Claim {
        if shape.has("event") && shape.has("cwd") { Claim::Surely } else { Claim::No }
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

    fn installation(&self) -> Option<&'static Installation> {
        Some(&installation::INSTALLATION)
    }

    fn event(&self, call: &Call, input: &Input) -> Event {
        PROTOCOL.of(self, input, call)
    }

    fn write(&self, _: &str, answer: &Answer) -> Output {
        match &answer.verdict {
            Verdict::Deny(reason) => {
                Output::json(&json!({"decision": "deny", "reason": nested::fit(reason)}))
            }
            Verdict::Context(text) => Output::json(&json!({"context": nested::fit(text)})),
            _ => Output::default(),
        }
    }
}

#[cfg(test)]
mod tests;
