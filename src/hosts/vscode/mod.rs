//! The hooks of agents in VS Code: Copilot's files and Claude Code's fields, with tools of its own.
//!
//! It reads an answer's text for the model below `hookSpecificOutput` alone, and pays no heed to matchers.

use super::copilot;
use super::installation::{InstallationScope, SettingsFormat, SettingsPlace};
use super::{
    ASK_VARIABLE, EventShape, EventValue, HookCall, HookOutput, Host, HostClaim, HostInstallation,
    Registration, usual,
};
use crate::model::event::Event;
use crate::model::verdict::{Answer, VerdictKind};

/// The adapter.
#[derive(Debug, Clone, Copy)]
pub struct VsCode;

/// A prompt takes no text for the model, and nothing tells of a compaction.
const REGISTRATIONS: &[Registration] = &[
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::SESSION_START },
    Registration { tells: true, ..Registration::PROMPT },
    Registration {
        takes: &[VerdictKind::Context, VerdictKind::Ask, VerdictKind::Deny],
        tells: true,
        ..Registration::BEFORE_CALL
    },
    Registration { takes: &[VerdictKind::Context], tells: true, ..Registration::AFTER_CALL },
    Registration { takes: &[VerdictKind::Continue], tells: true, ..Registration::STOP },
    Registration { takes: &[VerdictKind::Continue], tells: true, ..Registration::SUBAGENT_STOP },
];

const INSTALLATION: HostInstallation = HostInstallation {
    programs: &["code"],
    folders: &[".vscode"],
    places: &[SettingsPlace {
        scope: InstallationScope::Project,
        variable: None,
        folder: ".github/hooks",
        file: "steadfast.json",
    }],
    form: SettingsFormat::Json { entry: copilot::entry, number: Some(("version", 1)) },
    trust: "VS Code runs hooks in trusted workspaces alone.",
    also_runs: &[InstallationScope::Local, InstallationScope::Project, InstallationScope::User],
};

impl Host for VsCode {
    fn name(&self) -> &'static str {
        "vscode"
    }

    fn title(&self) -> &'static str {
        "VS Code"
    }

    /// Its terminals set its variables for every agent, so they say little.
    fn claims(&self, shape: &EventShape) -> HostClaim {
        let is_pascal = !shape.is_camel() && !shape.has("permission_mode");
        if is_pascal && shape.has("timestamp") { HostClaim::Perhaps } else { HostClaim::No }
    }

    fn variables(&self) -> &'static [&'static str] {
        &["VSCODE_PID", "VSCODE_IPC_HOOK"]
    }

    fn registrations(&self) -> &'static [Registration] {
        REGISTRATIONS
    }

    fn event(&self, call: &HookCall, input: &EventValue) -> Event {
        let mut event = usual::event(self, call, input);
        event.can_ask = call.variable(ASK_VARIABLE).as_deref() != Some("never");
        event
    }

    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput {
        copilot::answer::write(host_event, answer)
    }

    /// Copilot's file is VS Code's too.
    fn installed_as(&self) -> Option<&'static str> {
        Some("copilot")
    }

    fn installation(&self) -> Option<&'static HostInstallation> {
        Some(&INSTALLATION)
    }
}

#[cfg(test)]
mod tests;
