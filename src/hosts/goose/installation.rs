//! Where Goose's hooks are registered, and how: a plugin of ours, which it finds by its folder.

use serde_json::{Map, Value, json};

use crate::hosts::goose::registration::REGISTRATIONS;
use crate::hosts::installation::{
    HostInstallation, InstallationScope, OwnFile, SettingsFormat, SettingsPlace, group, line_of,
};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["goose"],
    folders: &[".config/goose"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".agents/plugins/steadfast",
            file: "",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".agents/plugins/steadfast",
            file: "",
        },
    ],
    form: SettingsFormat::Files { files },
    trust: "",
    also_runs: &[],
};

fn files(binary: &str) -> Vec<OwnFile> {
    let plugin = json!({
        "name": "steadfast",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Keeps agents from weakening tests and losing work.",
    });
    let hooks: Map<String, Value> = REGISTRATIONS
        .iter()
        .map(|one| {
            let group = group(one, &line_of("goose", one, binary), json!(one.timeout_seconds));
            (one.event.to_owned(), json!([group]))
        })
        .collect();
    let file = |name: &str, value: &Value| OwnFile {
        name: name.to_owned(),
        text: format!("{value:#}\n"),
        executable: false,
    };
    vec![file("plugin.json", &plugin), file("hooks/hooks.json", &json!({"hooks": hooks}))]
}
