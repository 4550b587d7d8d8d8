//! Kiro CLI's hooks, and Amazon Q's before it: a call is refused by an exit code, and what a turn begins with is read from
//! stdout.

mod installation;
mod process;
mod protocol;
mod registration;

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
pub struct Kiro;

impl Host for Kiro {
    fn name(&self) -> &'static str {
        "kiro"
    }

    fn title(&self) -> &'static str {
        "Kiro CLI"
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        const EVENTS: &[&str] = &["agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"];
        let is_known = shape.text("hook_event_name").is_some_and(|name| EVENTS.contains(&name));
        // Cursor has names like these, and a conversation.
        if is_known && !shape.has("conversation_id") { HostClaim::Surely } else { HostClaim::No }
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
        let event = PROTOCOL.of(self, input, call);
        // Its events name no session; a client's process is one.
        Event { session_id: event.session_id.clone().or_else(process::session), ..event }
    }

    fn write(&self, _: &str, answer: &Answer) -> HookOutput {
        match &answer.verdict {
            Verdict::Deny(reason) => HookOutput::refusal(nested::fit(reason)),
            Verdict::Context(text) => HookOutput { stdout: nested::fit(text), ..HookOutput::default() },
            _ => HookOutput::default(),
        }
    }
}

#[cfg(test)]
mod tests;
