//! Where the hooks of Kimi CLI and Kimi Code are registered, and how. Neither loads a configuration in which a hook has a
//! key that it does not know.

use serde_json::{Map, Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{HostInstallation, InstallationScope, SettingsFormat, SettingsPlace};

/// Of Kimi CLI.
pub(super) static OF_CLI: HostInstallation = HostInstallation {
    programs: &[],
    folders: &[".kimi"],
    places: &[SettingsPlace {
        scope: InstallationScope::User,
        variable: Some("KIMI_SHARE_DIR"),
        folder: ".kimi",
        file: "config.toml",
    }],
    form: SettingsFormat::Toml { entry },
    trust: "",
    also_runs: &[],
};

/// Of Kimi Code.
pub(super) static OF_CODE: HostInstallation = HostInstallation {
    folders: &[".kimi-code"],
    places: &[SettingsPlace {
        scope: InstallationScope::User,
        variable: Some("KIMI_CODE_HOME"),
        folder: ".kimi-code",
        file: "config.toml",
    }],
    ..OF_CLI
};

fn entry(registration: &Registration, command: &str) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("event".to_owned(), json!(registration.event));
    entry.insert("command".to_owned(), json!(command));
    if let Some(matcher) = registration.matcher {
        entry.insert("matcher".to_owned(), json!(matcher));
    }
    entry.insert("timeout".to_owned(), json!(registration.timeout_seconds));
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::kimi::registration::REGISTRATIONS;

    #[test]
    fn an_entry_has_no_key_and_no_time_that_the_client_refuses() {
        for one in REGISTRATIONS {
            let entry = entry(one, "hook");
            let known = |key: &String| ["event", "command", "matcher", "timeout"].contains(&key.as_str());
            assert!(entry.keys().all(known), "{}", one.event);
            assert!(entry["timeout"].as_u64().is_some_and(|time| (1..=600).contains(&time)), "{}", one.event);
        }
    }
}
