//! The hooks of Windsurf's Cascade: what has not happened yet can be refused by an exit code, and nothing else is read.

mod input;
mod installation;
mod protocol;
mod registration;

use std::sync::LazyLock;

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
pub struct Windsurf;

static FIELDS: LazyLock<Vec<&str>> = LazyLock::new(|| said::fields(input::FIELDS));

impl Host for Windsurf {
    fn name(&self) -> &'static str {
        "windsurf"
    }

    fn title(&self) -> &'static str {
        "Windsurf"
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        if shape.has("agent_action_name") { HostClaim::Surely } else { HostClaim::No }
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
        let told = || input.text("agent_action_name");
        let name = self.event_name(call.argument).or_else(told).unwrap_or(call.argument);
        PROTOCOL.event(name, &input::flattened(name, input), call)
    }

    fn write(&self, _: &str, answer: &Answer) -> HookOutput {
        match &answer.verdict {
            Verdict::Deny(reason) => HookOutput::refusal(nested::fit(reason)),
            _ => HookOutput::default(),
        }
    }
}

#[cfg(test)]
mod tests;
