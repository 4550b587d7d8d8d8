//! Cursor's own hooks: flat answers with names of their own. What it makes of Claude Code's hooks comes as theirs.
//!
//! `preToolUse` takes no question, and the model reads `user_message` of a refusal.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};

use super::installation::{Form, Scope, SettingsFile};
use super::prose::fitted;
use super::{Call, Claim, Host, Input, Installation, Output, Registration, Shape, usual};
use crate::model::event::{Event, EventKind};
use crate::model::verdict::{Answer, Kind, Verdict};

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Cursor;

/// How often in a row a stop is continued.
const CONTINUATION_CAP: u32 = 5;

/// The longest text that is sent, in UTF-16 units.
const TEXT_LIMIT: usize = 9_500;

/// A shell call fires `preToolUse` and an event of its own: the first is registered alone.
const REGISTRATIONS: &[Registration] = &[
    Registration { event: "sessionStart", takes: &[Kind::Context], ..Registration::SESSION_START },
    Registration { event: "beforeSubmitPrompt", takes: &[Kind::Deny], ..Registration::PROMPT },
    Registration { event: "preToolUse", takes: &[Kind::Deny], ..Registration::BEFORE_CALL },
    Registration { event: "postToolUse", takes: &[Kind::Context], ..Registration::AFTER_CALL },
    Registration { event: "postToolUseFailure", ..Registration::AFTER_FAILURE },
    Registration { event: "stop", takes: &[Kind::Continue], ..Registration::STOP },
    Registration { event: "subagentStop", takes: &[Kind::Continue], ..Registration::SUBAGENT_STOP },
    Registration { event: "preCompact", ..Registration::COMPACT },
    Registration { event: "sessionEnd", ..Registration::SESSION_END },
];

const INSTALLATION: Installation = Installation {
    programs: &["cursor", "cursor-agent"],
    folders: &[".cursor"],
    places: &[
        SettingsFile { scope: Scope::Project, variable: None, folder: ".cursor", file: "hooks.json" },
        SettingsFile { scope: Scope::User, variable: None, folder: ".cursor", file: "hooks.json" },
    ],
    form: Form::Json { entry, number: Some(("version", 1)) },
    trust: "",
    also_runs: &[Scope::Local, Scope::Project, Scope::User],
};

impl Host for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn claims(&self, shape: &Shape) -> Claim {
        let is_own = |name: &str| name.starts_with(|letter: char| letter.is_ascii_lowercase());
        match shape.has("conversation_id") && shape.text("hook_event_name").is_none_or(is_own) {
            true => Claim::Surely,
            false => Claim::No,
        }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["CURSOR_VERSION"]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn event(&self, call: &Call, input: &Input) -> Event {
        let mut event = usual::event(self, call, input);
        event.continuation_cap = Some(CONTINUATION_CAP);
        event.project_dir = call.variable("CURSOR_PROJECT_DIR").map(PathBuf::from);
        // A person has ended the turn, or it broke: nothing is continued then.
        let is_cut_off = matches!(input.text("status"), Some("aborted" | "error"));
        if is_cut_off && matches!(event.kind, EventKind::Stop { .. }) {
            event.kind = EventKind::Other;
        }
        event
    }

    fn write(&self, host_event: &str, answer: &Answer) -> Output {
        let fit = |text: &str| Some(fitted(text, TEXT_LIMIT));
        let wire = match &answer.verdict {
            Verdict::Deny(reason) if host_event == "beforeSubmitPrompt" => {
                Wire { goes_on: Some(false), user_message: fit(reason), ..Wire::default() }
            }
            Verdict::Deny(reason) => Wire {
                permission: Some("deny"),
                user_message: fit(reason),
                agent_message: fit(reason),
                ..Wire::default()
            },
            Verdict::Context(text) => Wire { additional_context: fit(text), ..Wire::default() },
            Verdict::Continue(text) => Wire { followup_message: fit(text), ..Wire::default() },
            _ => return Output::default(),
        };
        Output::json(&wire)
    }

    fn installation(&self) -> Option<&'static Installation> {
        Some(&INSTALLATION)
    }
}

/// An answer.
#[derive(Debug, Default, Serialize)]
struct Wire {
    #[serde(skip_serializing_if = "Option::is_none")]
    permission: Option<&'static str>,
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    goes_on: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    followup_message: Option<String>,
}

fn entry(registration: &Registration, command: &str) -> Value {
    json!({"command": command, "timeout": registration.timeout_seconds})
}

#[cfg(test)]
mod tests;
