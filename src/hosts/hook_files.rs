//! The files in which hosts have the hook called, by what each of them says of its installation.
//!
//! Who changes such a file changes what is guarded, so all that guards them asks here.

use std::path::{Path, PathBuf};

use super::installation::{HostInstallation, SettingsPlace};
use super::registry::HOSTS;

/// Where the settings of Claude Code are, which has an installation of its own.
const OF_CLAUDE_CODE: &str = ".claude";

/// Whether a path below a project or a person's home is such a file.
pub fn is_hook_file(below: &Path) -> bool {
    is_settings_of_claude_code(below)
        || every_place().any(|(installation, place)| {
            below.starts_with(place.folder) && files_of(installation, place).any(|file| below == file)
        })
}

/// Whether a path ends as that of such a file does, wherever it begins.
pub fn ends_as_hook_file(path: &Path) -> bool {
    let text = path.to_string_lossy();
    every_place().any(|(installation, place)| {
        text.contains(place.folder) && files_of(installation, place).any(|file| path.ends_with(file))
    })
}

/// The files of hosts' projects that lie in this folder, below it or not.
pub fn hook_files_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let of_claude_code =
        ["settings.json", "settings.local.json"].map(|name| Path::new(OF_CLAUDE_CODE).join(name));
    let of_hosts = every_place()
        .filter(|(_, place)| place.lies_with(folder))
        .flat_map(|(installation, place)| files_of(installation, place));
    of_claude_code.into_iter().chain(of_hosts).filter(move |file| file.starts_with(folder))
}

/// The names of which the paths of such files consist.
pub fn names() -> impl Iterator<Item = &'static str> {
    every_place()
        .flat_map(|(_, place)| place.folder.split('/').chain([place.file]))
        .filter(|name| !name.is_empty())
}

fn files_of(installation: &HostInstallation, place: &SettingsPlace) -> impl Iterator<Item = PathBuf> + use<> {
    let folder = Path::new(place.folder);
    installation.names_in(place).into_iter().map(move |name| folder.join(name))
}

fn is_settings_of_claude_code(below: &Path) -> bool {
    let name = below.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    below.parent() == Some(Path::new(OF_CLAUDE_CODE))
        && name.starts_with("settings")
        && name.ends_with(".json")
}

fn every_place() -> impl Iterator<Item = (&'static HostInstallation, &'static SettingsPlace)> {
    let installations = HOSTS.iter().filter_map(|host| host.installation());
    installations.flat_map(|installation| installation.places.iter().map(move |place| (installation, place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_every_host_is_known_by_its_name_and_no_other_is() {
        for (installation, place) in every_place() {
            for file in files_of(installation, place) {
                assert!(is_hook_file(&file), "{}", file.display());
                assert!(ends_as_hook_file(&Path::new("/home/ada").join(&file)), "{}", file.display());
            }
        }
        for path in [".claude/settings.json", ".codex/hooks.json", ".cline/hooks/PreToolUse.sh", "crush.json"]
        {
            assert!(is_hook_file(Path::new(path)), "{path}");
        }
        for path in [
            ".claude/agents/a.md",
            ".cursor/rules/a.md",
            ".cline/hooks/lint.sh",
            "src/crush.json",
            "config.toml",
        ] {
            assert!(!is_hook_file(Path::new(path)), "{path}");
        }
        assert!(!ends_as_hook_file(Path::new("/home/ada/src/hooks.json")));
    }

    #[test]
    fn a_folder_has_the_files_that_would_go_with_it() {
        let below = |folder: &str| {
            hook_files_in(Path::new(folder))
                .map(|file| file.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert!(below(".claude").contains(&".claude/settings.json".to_owned()));
        assert!(below(".opencode").contains(&".opencode/plugins/steadfast.js".to_owned()));
        assert!(below(".agents/plugins").contains(&".agents/plugins/steadfast/hooks/hooks.json".to_owned()));
        assert!(below("src").is_empty() && below(".claude/skills").is_empty());
    }
}
