//! The hooks of Copilot CLI: names in Pascal case with Claude Code's fields, or in camel case with its own.
//!
//! It denies every call whose hook fails, and takes a text for the model at the top of an answer alone.

pub(super) mod answer;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::installation::{InstallationScope, SettingsFormat, SettingsPlace};
use super::{
    ASK_VARIABLE, EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostEvidence,
    HostInstallation, Registration, usual,
};
use crate::model::event::Event;
use crate::model::verdict::{Answer, VerdictKind};

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Copilot;

/// How often in a row a stop is continued.
const CONTINUATION_CAP: u32 = 8;

/// The event that asks for a permission: always in camel case, and without the name of the event.
const PERMISSION: &str = "PermissionRequest";

/// What the fields at the top of an event in camel case say of its name, which such an event has not; the first counts.
const BY_FIELD: &[(&str, &str)] = &[
    ("tool_result", "PostToolUse"),
    ("permission_suggestions", PERMISSION),
    ("tool_name", "PreToolUse"),
    ("stop_hook_active", "Stop"),
    ("prompt", "UserPromptSubmit"),
    ("source", "SessionStart"),
    ("reason", "SessionEnd"),
];

const REGISTRATIONS: &[Registration] = &[
    Registration { takes: &[VerdictKind::Context], ..Registration::SESSION_START },
    Registration { takes: &[VerdictKind::Context, VerdictKind::Deny], ..Registration::PROMPT },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Ask, VerdictKind::Deny],
        ..Registration::BEFORE_CALL
    },
    // The same call has been judged as a PreToolUse: this one is answered where somebody has wired it, and not installed.
    Registration {
        event: PERMISSION,
        argument: "permission-request",
        takes: &[VerdictKind::Deny],
        ..Registration::PLAIN
    },
    Registration { takes: &[VerdictKind::Context], ..Registration::AFTER_CALL },
    Registration { takes: &[VerdictKind::Context], ..Registration::AFTER_FAILURE },
    Registration { takes: &[VerdictKind::Continue], ..Registration::STOP },
    Registration { takes: &[VerdictKind::Continue], ..Registration::SUBAGENT_STOP },
    Registration::COMPACT,
    Registration::SESSION_END,
];

const INSTALLATION: HostInstallation = HostInstallation {
    programs: &["copilot"],
    folders: &[".copilot"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".github/hooks",
            file: "steadfast.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: Some("COPILOT_HOME"),
            folder: ".copilot",
            file: "hooks/steadfast.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: Some(("version", 1)) },
    trust: "Copilot runs a project's hooks in folders that you trust alone: start `copilot` there once and trust the folder. \
            In `copilot -p` it takes COPILOT_ALLOW_ALL=true or the folder in trustedFolders of ~/.copilot/config.json; \
            --allow-all-tools is not enough.",
    also_runs: &[InstallationScope::Local, InstallationScope::Project],
};

impl Host for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn title(&self) -> &'static str {
        "Copilot CLI"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("1.0.102")
    }

    /// In camel case it is known by its names; in Pascal case by what it does not say, and the environment.
    fn claims(&self, shape: &EventShape) -> HostClaim {
        let is_own_record = shape.text("transcript_path").is_some_and(|path| path.contains("/.copilot/"));
        match (shape.is_camel(), shape.has("timestamp")) {
            (true, true) if !shape.has("hookEventName") => HostClaim::Surely,
            (false, true) if is_own_record => HostClaim::Surely,
            (false, true) if !shape.has("permission_mode") && !shape.has("tool_use_id") => HostClaim::Perhaps,
            _ => HostClaim::No,
        }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["COPILOT_CLI", "COPILOT_PROJECT_DIR"]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn more_fields(&self) -> &'static [&'static str] {
        MORE_FIELDS
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        let named = self.event_name(call.argument).or_else(|| input.text("hook_event_name"));
        let told = || BY_FIELD.iter().find(|(field, _)| input.has(field)).map(|(_, name)| *name);
        let name = named.or_else(told).unwrap_or(call.argument);
        let mut event = usual::event_named(self, name, call, input);
        // Where nobody can answer, a question is a refusal there, whatever else is allowed.
        event.can_ask = call.variable(ASK_VARIABLE).as_deref() != Some("never");
        event.continuation_cap = Some(CONTINUATION_CAP);
        event.project_dir = call.variable("COPILOT_PROJECT_DIR").map(PathBuf::from);
        event
    }

    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        answer::write(host_event, answer)
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&INSTALLATION)
    }
}

/// The usual aliases, and what tells an event in camel case.
const MORE_FIELDS: &[&str] = &[
    "hook_name",
    "message",
    "permission_suggestions",
    "stop_reason",
    "text_result_for_llm",
    "tool_args",
    "tool_result",
];

/// One command of an event. VS Code runs the same file, so the command names neither: an event's form and the environment
/// tell which of the two has sent it.
pub(super) fn entry(registration: &Registration, command: &str) -> Value {
    if registration.event == PERMISSION {
        return Value::Null;
    }
    let command = command.split(" --host ").next().unwrap_or(command);
    json!({"type": "command", "command": command, "timeout": registration.timeout_seconds})
}

#[cfg(test)]
mod tests;
