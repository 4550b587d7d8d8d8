//! Goose's hooks, which come with plugins: a call and the end of a turn can be refused, of all else they only tell.

mod installation;
mod protocol;
mod registration;

use serde_json::json;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{Call, Claim, Host, Input, Installation, Output, Registration, Shape, nested, said};
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

    fn claims(&self, shape: &Shape) -> Claim {
        // Each of its events has this one, if only as `null`.
        if shape.has("event") && (shape.has("matcher_context") || shape.has("working_dir")) {
            return Claim::Surely;
        }
        Claim::No
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

    fn installation(&self) -> Option<&'static Installation> {
        Some(&installation::INSTALLATION)
    }

    fn event(&self, call: &Call, input: &Input) -> Event {
        PROTOCOL.of(self, input, call)
    }

    fn write(&self, _: &str, answer: &Answer) -> Output {
        match (&answer.verdict, &answer.human) {
            (Verdict::Deny(reason) | Verdict::Continue(reason), _) => {
                Output::json(&json!({"decision": "block", "reason": nested::fit(reason)}))
            }
            // Shown where a session begins.
            (_, Some(human)) => Output::json(&json!({"banner": nested::fit(human)})),
            _ => Output::default(),
        }
    }
}

#[cfg(test)]
mod tests;
