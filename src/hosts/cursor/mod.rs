//! Cursor's own hooks: flat answers with names of their own. What it makes of Claude Code's hooks comes as theirs.
//!
//! `preToolUse` takes no question, and the model reads `user_message` of a refusal.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};

use super::installation::{InstallationScope, SettingsFormat, SettingsPlace};
use super::prose::fitted;
use super::{
    EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostInstallation, Registration, usual,
};
use crate::model::event::{Event, EventKind};
use crate::model::verdict::{Answer, Verdict, VerdictKind};

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Cursor;

/// How often in a row a stop is continued.
const CONTINUATION_CAP: u32 = 5;

/// The longest text that is sent, in UTF-16 units.
const TEXT_LIMIT: usize = 9_500;

/// A shell call fires `preToolUse` and an event of its own: the first is registered alone.
const REGISTRATIONS: &[Registration] = &[
    Registration { event: "sessionStart", takes: &[VerdictKind::Context], ..Registration::SESSION_START },
    Registration { event: "beforeSubmitPrompt", takes: &[VerdictKind::Deny], ..Registration::PROMPT },
    Registration { event: "preToolUse", takes: &[VerdictKind::Deny], ..Registration::BEFORE_CALL },
    Registration { event: "postToolUse", takes: &[VerdictKind::Context], ..Registration::AFTER_CALL },
    Registration { event: "postToolUseFailure", ..Registration::AFTER_FAILURE },
    Registration { event: "stop", takes: &[VerdictKind::Continue], ..Registration::STOP },
    Registration { event: "subagentStop", takes: &[VerdictKind::Continue], ..Registration::SUBAGENT_STOP },
    Registration { event: "preCompact", ..Registration::COMPACT },
    Registration { event: "sessionEnd", ..Registration::SESSION_END },
];

const INSTALLATION: HostInstallation = HostInstallation {
    programs: &["cursor", "cursor-agent"],
    folders: &[".cursor"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".cursor",
            file: "hooks.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".cursor",
            file: "hooks.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: Some(("version", 1)) },
    trust: "",
    also_runs: &[InstallationScope::Local, InstallationScope::Project, InstallationScope::User],
};

impl Host for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn claims(&self, shape: &EventShape) -> HostClaim {
        let is_own = |name: &str| name.starts_with(|letter: char| letter.is_ascii_lowercase());
        match shape.has("conversation_id") && shape.text("hook_event_name").is_none_or(is_own) {
            true => HostClaim::Surely,
            false => HostClaim::No,
        }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["CURSOR_VERSION"]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
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

    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        let fit = |text: &str| Some(fitted(text, TEXT_LIMIT));
        let wire = match &answer.verdict {
            Verdict::Deny(reason) if host_event == "beforeSubmitPrompt" => {
                CursorAnswer { goes_on: Some(false), user_message: fit(reason), ..CursorAnswer::default() }
            }
            Verdict::Deny(reason) => CursorAnswer {
                permission: Some("deny"),
                user_message: fit(reason),
                agent_message: fit(reason),
                ..CursorAnswer::default()
            },
            Verdict::Context(text) => {
                CursorAnswer { additional_context: fit(text), ..CursorAnswer::default() }
            }
            Verdict::Continue(text) => {
                CursorAnswer { followup_message: fit(text), ..CursorAnswer::default() }
            }
            _ => return HookOutput::default(),
        };
        HookOutput::json(&wire)
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&INSTALLATION)
    }
}

/// An answer.
#[derive(Debug, Default, Serialize)]
struct CursorAnswer {
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
