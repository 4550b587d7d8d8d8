//! Where OpenCode's hooks are registered, and how: a module among its plugins, which it loads by itself.

use crate::hosts::installation::{
    HostInstallation, InstallationScope, OwnFile, SettingsFormat, SettingsPlace,
};

/// The module; the hook's path goes where it says `__HOOK__`.
const MODULE: &str = include_str!("plugin.js");

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["opencode"],
    folders: &[".opencode", ".config/opencode"],
    places: &[
        SettingsPlace {
            scope: InstallationScope::Project,
            variable: None,
            folder: ".opencode/plugins",
            file: "",
        },
        SettingsPlace {
            scope: InstallationScope::User,
            variable: None,
            folder: ".config/opencode/plugins",
            file: "",
        },
    ],
    form: SettingsFormat::Files { files },
    trust: "",
    also_runs: &[],
};

fn files(binary: &str) -> Vec<OwnFile> {
    // A text in quotes is JSON and JavaScript alike.
    let path = serde_json::Value::String(binary.to_owned()).to_string();
    let text = MODULE.replace("\"__HOOK__\"", &path);
    vec![OwnFile { name: "steadfast.js".to_owned(), text, executable: false }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_hook_is_one_text_of_the_module() {
        for path in ["/opt/steadfast-hook", r#"/a "b"/\c/steadfast-hook"#] {
            let text = &files(path)[0].text;
            let line = text.lines().find_map(|line| line.strip_prefix("const HOOK = ")).unwrap();
            assert_eq!(serde_json::from_str::<String>(line).unwrap(), path);
            assert!(!text.contains("__HOOK__"));
        }
    }

    #[test]
    fn the_module_stays_small() {
        assert!(MODULE.lines().count() <= 75, "the client's own interface for plugins changes");
    }
}
