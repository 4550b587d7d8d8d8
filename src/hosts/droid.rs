//! Droid's hooks: Claude Code's events and answers.
//!
//! An exit code of 3 ends the agent there, one of 2 refuses; the hook's is 0 whatever it says.

mod installation;
mod protocol;
mod registration;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{Call, Claim, Evidence, Host, Input, Installation, Output, Registration, Shape, nested, said};
use crate::model::event::Event;
use crate::model::verdict::Answer;

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Droid;

impl Host for Droid {
    fn name(&self) -> &'static str {
        "droid"
    }

    fn title(&self) -> &'static str {
        "Factory Droid"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Source
    }

    fn claims(&self, shape: &Shape) -> Claim {
        match shape.text("permission_mode") {
            Some("off" | "spec") => Claim::Surely,
            Some(mode) if mode.starts_with("auto-") => Claim::Surely,
            Some(_) => Claim::No,
            None if shape.has("hook_event_name") && !shape.has("timestamp") => Claim::Perhaps,
            None => Claim::No,
        }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"]
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

    fn write(&self, host_event: &str, answer: &Answer) -> Output {
        nested::write(host_event, answer).as_ref().map(Output::json).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
