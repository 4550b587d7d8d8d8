//! Qwen Code's hooks: Claude Code's events and answers, of which some have no effect there.

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
pub struct Qwen;

impl Host for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn title(&self) -> &'static str {
        "Qwen Code"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("0.24.4")
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        // Only its events say both, the time and the mode.
        if shape.has("timestamp") && shape.has("permission_mode") {
            return HostClaim::Surely;
        }
        if shape.has("timestamp") && shape.has("hook_event_name") {
            HostClaim::Perhaps
        } else {
            HostClaim::No
        }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["QWEN_PROJECT_DIR"]
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
