//! Where Droid's hooks are registered, and how.

use serde_json::{Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{HostInstallation, InstallationScope, SettingsFormat, SettingsPlace, group};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["droid"],
    folders: &[".factory"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Local,
            variable: None,
            folder: ".factory",
            file: "settings.local.json",
        },
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".factory",
            file: "settings.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".factory",
            file: "settings.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: None },
    trust: "Droid reads hooks when it starts: look at them with `/hooks` in the next session.",
    also_runs: &[],
};

fn entry(registration: &Registration, command: &str) -> Value {
    group(registration, command, json!(registration.timeout_seconds))
}
