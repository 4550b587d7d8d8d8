//! Droid's hooks: Claude Code's events and answers.
//!
//! An exit code of 3 ends the agent there, one of 2 refuses; the hook's is 0 whatever it says.

mod installation;
mod protocol;
mod registration;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{
    EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostEvidence, HostInstallation,
    Registration, nested, said,
};
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

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Source
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        match shape.text("permission_mode") {
            Some("off" | "spec") => HostClaim::Surely,
            Some(mode) if mode.starts_with("auto-") => HostClaim::Surely,
            Some(_) => HostClaim::No,
            None if shape.has("hook_event_name") && !shape.has("timestamp") => HostClaim::Perhaps,
            None => HostClaim::No,
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

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&installation::INSTALLATION)
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        PROTOCOL.of(self, input, call)
    }

    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        nested::write(host_event, answer).as_ref().map(HookOutput::json).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
