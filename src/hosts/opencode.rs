//! OpenCode's hooks, which are a module in its own process: the one that the installation writes calls the hook and does
//! what it answers.

mod input;
mod installation;
mod protocol;
mod registration;

use std::sync::LazyLock;

use serde_json::{Map, json};

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
pub struct OpenCode;

static FIELDS: LazyLock<Vec<&str>> = LazyLock::new(|| said::fields(input::FIELDS));

impl Host for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn title(&self) -> &'static str {
        "OpenCode"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("1.18.33")
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        if shape.has("worktree") && shape.has("directory") { HostClaim::Surely } else { HostClaim::No }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["OPENCODE"]
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
        let name = said::name(self.event_name(call.argument), input, call);
        PROTOCOL.event(name, &input::flattened(input), call)
    }

    fn write(&self, _: &str, answer: &Answer) -> HookOutput {
        let mut said = Map::new();
        let word = match &answer.verdict {
            Verdict::Deny(_) => Some("deny"),
            Verdict::Context(_) => Some("context"),
            Verdict::Continue(_) => Some("continue"),
            _ => None,
        };
        if let Some(word) = word {
            said.insert(word.to_owned(), json!(nested::fit(answer.verdict.text())));
        }
        if let Some(human) = &answer.human {
            said.insert("human".to_owned(), json!(nested::fit(human)));
        }
        if said.is_empty() { HookOutput::default() } else { HookOutput::json(&said) }
    }
}

#[cfg(test)]
mod tests;
