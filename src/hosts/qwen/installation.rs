//! Where Qwen Code's hooks are registered, and how. It takes a time of 1000 and more for milliseconds and a smaller one for
//! seconds, so all are given in milliseconds: a Stop of 3600 seconds would be cut off after four.

use serde_json::{Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{
    HostInstallation, InstallationScope, SettingsFormat, SettingsPlace, group, milliseconds,
};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["qwen"],
    folders: &[".qwen"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".qwen",
            file: "settings.json",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".qwen",
            file: "settings.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: None },
    trust: "Where folder trust is on, Qwen Code runs a project's hooks only in a folder that you trust.",
    also_runs: &[],
};

fn entry(registration: &Registration, command: &str) -> Value {
    group(registration, command, json!(milliseconds(registration)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::qwen::registration::REGISTRATIONS;

    #[test]
    fn no_time_is_taken_for_seconds() {
        for one in REGISTRATIONS {
            let time = entry(one, "hook")["hooks"][0]["timeout"].as_u64();
            assert_eq!(time, Some(u64::from(one.timeout_seconds) * 1000), "{}", one.event);
            assert!(time.is_some_and(|time| time >= 1000), "{}", one.event);
        }
    }
}
