//! Where Crush's hook is registered, and how: an entry is flat, and its time is in seconds.

use serde_json::{Map, Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{HostInstallation, InstallationScope, SettingsFormat, SettingsPlace};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["crush"],
    folders: &[".crush", ".config/crush"],
    places: &[
        SettingsPlace { scope: InstallationScope::Project, variable: None, folder: "", file: "crush.json" },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: Some("CRUSH_GLOBAL_CONFIG"),
            folder: ".config/crush",
            file: "crush.json",
        },
    ],
    form: SettingsFormat::Json { entry, number: None },
    trust: "",
    also_runs: &[],
};

fn entry(registration: &Registration, command: &str) -> Value {
    let mut entry = Map::new();
    entry.insert("name".to_owned(), json!("steadfast"));
    if let Some(matcher) = registration.matcher {
        entry.insert("matcher".to_owned(), json!(matcher));
    }
    entry.insert("command".to_owned(), json!(command));
    entry.insert("timeout".to_owned(), json!(registration.timeout_seconds));
    Value::Object(entry)
}
