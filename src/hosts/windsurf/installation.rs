//! Where the hooks of Windsurf's Cascade are registered, and how: an entry is a command, without a time.

use serde_json::{Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{HostInstallation, InstallationScope, SettingsFormat, SettingsPlace};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["windsurf"],
    folders: &[".windsurf", ".codeium/windsurf"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".windsurf",
            file: "hooks.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".codeium/windsurf",
            file: "hooks.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: None },
    trust: "Windsurf runs a project's hooks in a workspace that you trust.",
    also_runs: &[],
};

fn entry(_: &Registration, command: &str) -> Value {
    json!({"command": command, "show_output": true})
}
