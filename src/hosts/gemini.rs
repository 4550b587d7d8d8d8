//! Gemini CLI's hooks: one JSON object in, at most one out, over events and tools of its own.
//!
//! Every exit code from 2 on refuses the call there, so the hook's is 0 whatever it says.

mod answer;
mod installation;
mod protocol;
mod registration;

use self::protocol::PROTOCOL;
use self::registration::REGISTRATIONS;
use super::{
    EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostEvidence, HostInstallation,
    Registration, said,
};
use crate::model::event::Event;
use crate::model::verdict::Answer;

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Gemini;

impl Host for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("0.61.0")
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        let event = shape.text("hook_event_name").unwrap_or_default();
        if event.starts_with("Before") || (event.starts_with("After") && shape.has("timestamp")) {
            return HostClaim::Surely;
        }
        // Copilot's and Qwen's events have a time too; the latter's say the mode besides.
        let may_be = shape.has("timestamp") && shape.has("hook_event_name") && !shape.has("permission_mode");
        if may_be { HostClaim::Perhaps } else { HostClaim::No }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["GEMINI_SESSION_ID"]
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
        answer::write(host_event, answer).as_ref().map(HookOutput::json).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
