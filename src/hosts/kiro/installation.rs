//! Where Kiro's hooks are registered, and how: an agent has its own, so there is an agent of ours.

use serde_json::{Map, Value, json};

use crate::hosts::installation::{
    HostInstallation, InstallationScope, OwnFile, SettingsFormat, SettingsPlace, line_of, milliseconds,
};
use crate::hosts::kiro::registration::REGISTRATIONS;

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["kiro-cli"],
    folders: &[".kiro"],
    places: &[
        SettingsPlace { scope: InstallationScope::Project, variable: None, folder: ".kiro/agents", file: "" },
        SettingsPlace { scope: InstallationScope::User, variable: None, folder: ".kiro/agents", file: "" },
    ],
    form: SettingsFormat::Files { files },
    trust: "Kiro's hooks belong to an agent, and this one is called `steadfast`: `kiro-cli chat --agent steadfast`, or \
            `kiro-cli agent set-default steadfast`. An agent of your own is guarded by the `hooks` of \
            .kiro/agents/steadfast.json in its file.",
    also_runs: &[],
};

fn files(binary: &str) -> Vec<OwnFile> {
    let hooks: Map<String, Value> = REGISTRATIONS
        .iter()
        .map(|one| {
            let mut entry = json!({
                "command": line_of("kiro", one, binary), "timeout_ms": milliseconds(one),
            });
            if let Some(matcher) = one.matcher {
                entry["matcher"] = json!(matcher);
            }
            (one.event.to_owned(), json!([entry]))
        })
        .collect();
    let agent = json!({
        "name": "steadfast",
        "description": "The default agent, with Steadfast's hooks.",
        "tools": ["*"],
        "includeMcpJson": true,
        "hooks": hooks,
    });
    vec![OwnFile { name: "steadfast.json".to_owned(), text: format!("{agent:#}\n"), executable: false }]
}
