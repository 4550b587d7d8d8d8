//! Where Gemini CLI's hooks are registered, and how. Its times are in milliseconds.

use serde_json::{Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{
    HostInstallation, InstallationScope, SettingsFormat, SettingsPlace, group, milliseconds,
};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["gemini"],
    folders: &[".gemini"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".gemini",
            file: "settings.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".gemini",
            file: "settings.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: None },
    trust: "Gemini CLI runs hooks only in a folder that you trust: answer its question at the next start, or run \
            `/permissions`. Without a terminal set GEMINI_CLI_TRUST_WORKSPACE=true; --skip-trust runs the agent without \
            the project's hooks.",
    also_runs: &[],
};

fn entry(registration: &Registration, command: &str) -> Value {
    group(registration, command, json!(milliseconds(registration)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::gemini::registration::REGISTRATIONS;

    #[test]
    fn a_time_is_in_milliseconds() {
        for one in REGISTRATIONS {
            let handler = &entry(one, "/opt/steadfast-hook stop --host gemini")["hooks"][0];
            assert_eq!(handler["timeout"], u64::from(one.timeout_seconds) * 1000, "{}", one.event);
            assert_eq!(handler["command"], "/opt/steadfast-hook stop --host gemini");
        }
    }
}
