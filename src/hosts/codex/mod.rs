//! Codex's command hooks: Claude Code's words, of which it takes fewer and checks each.
//!
//! One field more than it knows at an event voids the whole answer, and the call runs; so each event has its own form.

mod answer;
mod heredoc;

use super::installation::{InstallationScope, SettingsFormat, SettingsPlace, group};
use super::{
    EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostEvidence, HostInstallation,
    Registration, usual,
};
use crate::model::event::{Action, Event, EventKind};
use crate::model::verdict::{Answer, VerdictKind};

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct Codex;

/// What the file of a session is called in the folder of Codex's sessions.
const RECORD: &str = "rollout-";

/// The events that call the hook. Nobody can be asked, and a fault found after a call goes as context: `block` would take
/// the place of what the tool said.
const REGISTRATIONS: &[Registration] = &[
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::SESSION_START },
    Registration { takes: &[VerdictKind::Context, VerdictKind::Deny], tells: true, ..Registration::PROMPT },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Deny],
        tells: true,
        ..Registration::BEFORE_CALL
    },
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::AFTER_CALL },
    Registration { takes: &[VerdictKind::Continue], tells: true, ..Registration::STOP },
    Registration { takes: &[VerdictKind::Continue], tells: true, ..Registration::SUBAGENT_STOP },
    Registration { tells: true, ..Registration::COMPACT },
    // Codex waits for three seconds, whatever is set.
    Registration { timeout_seconds: 3, deadline_seconds: Some(2), ..Registration::SESSION_END },
];

const INSTALLATION: HostInstallation = HostInstallation {
    programs: &["codex"],
    folders: &[".codex"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".codex",
            file: "hooks.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: Some("CODEX_HOME"),
            folder: ".codex",
            file: "hooks.json",
        },
    ],
    form: SettingsFormat::Json {
        entry: |registration, command| group(registration, command, registration.timeout_seconds.into()),
        number: None,
    },
    trust: "Codex runs no hook before you have approved it, and says nothing of those that it skips: start `codex` in the \
            project, trust the folder, type /hooks and approve each of Steadfast's. An approval holds for the exact \
            command: after an installation that changed it, approve again.",
    also_runs: &[],
};

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn title(&self) -> &'static str {
        "Codex"
    }

    fn evidence(&self) -> HostEvidence {
        HostEvidence::Run("0.171.0")
    }

    /// No other host says which turn it is, names its record so, or names the model beside the mode and no record: Claude
    /// Code names its own.
    fn claims(&self, shape: &EventShape) -> HostClaim {
        let record = shape.transcript_name();
        let is_record = record.is_some_and(|name| name.starts_with(RECORD));
        let says_both = record.is_none() && shape.has("model") && shape.has("permission_mode");
        let says_both = says_both && !shape.has("timestamp");
        match !shape.is_camel() && (shape.has("turn_id") || is_record || says_both) {
            true => HostClaim::Surely,
            false => HostClaim::No,
        }
    }

    /// It sets none for a hook of its own configuration.
    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        let mut event = usual::event(self, call, input);
        // What an agent tells its subagent comes as a prompt too.
        if event.agent_id.is_some() && matches!(event.kind, EventKind::UserPromptSubmit { .. }) {
            event.kind = EventKind::Other;
        }
        if let EventKind::PreToolUse(call) | EventKind::PostToolUse { call, .. } = &mut event.kind
            && let Action::Shell { command, .. } = &call.action
            && let Some(files) = heredoc::patch(command, &event.cwd)
        {
            call.action = Action::Patch { files };
        }
        event
    }

    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        answer::write(host_event, answer)
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&INSTALLATION)
    }
}

#[cfg(test)]
mod tests;
