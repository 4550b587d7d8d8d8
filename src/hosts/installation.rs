//! How a host is told to call the hook, as data: its files, the form of an entry, what a person has to do besides.
//!
//! Nothing here reads or writes a file. `steadfast install` puts the entries in and takes them out again by these words.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Host, Registration};
use crate::model::shell_word::word;

/// Where a host's hooks are registered, and how.
#[derive(Debug, Clone, Copy)]
pub struct HostInstallation {
    /// Programs of which one on PATH says that the host is here.
    pub programs: &'static [&'static str],
    /// Folders of which one in the person's home, or in the project, says it.
    pub folders: &'static [&'static str],
    /// The files, one for each scope that the host has. The first is the one where none is named.
    pub places: &'static [SettingsPlace],
    /// What stands in them.
    pub form: SettingsFormat,
    /// What a person has to do before the host runs the hooks, in sentences; empty when nothing.
    pub trust: &'static str,
    /// The scopes of Claude Code's settings that this host runs too: with our hooks in them, its own would be called
    /// twice.
    pub also_runs: &'static [InstallationScope],
}

impl HostInstallation {
    /// What the files of a place are called below its folder.
    pub fn names_in(&self, place: &SettingsPlace) -> Vec<String> {
        match self.form {
            SettingsFormat::Files { files } => {
                files("").into_iter().map(|file| [place.file, &file.name].concat()).collect()
            }
            SettingsFormat::Json { .. } | SettingsFormat::Toml { .. } => vec![place.file.to_owned()],
        }
    }
}

/// For whom a registration holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallationScope {
    /// One person in one project, not shared.
    Local,
    /// Everybody who works on the project.
    Project,
    /// One person in every project.
    User,
}

/// A file of one scope.
#[derive(Debug, Clone, Copy)]
pub struct SettingsPlace {
    /// The scope.
    pub scope: InstallationScope,
    /// A variable that names the folder in which the file lies in the place of `folder`.
    pub variable: Option<&'static str>,
    /// The folder below the project or the person's home (`.codex`).
    pub folder: &'static str,
    /// The file below that (`hooks.json`); of [`SettingsFormat::Files`] what stands before each file's name.
    pub file: &'static str,
}

impl SettingsPlace {
    /// Whether the place lies in a folder, or the folder in the place.
    pub(super) fn lies_with(&self, folder: &Path) -> bool {
        let own = Path::new(self.folder);
        own.starts_with(folder) || folder.starts_with(own)
    }

    /// The folder of the file: below the project, or below the person's home where no variable names another. `None` where
    /// there is no home.
    pub fn folder_in(
        &self,
        project: &Path,
        home: Option<&Path>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Option<PathBuf> {
        if self.scope != InstallationScope::User {
            return Some(project.join(self.folder));
        }
        let named = self.variable.and_then(variable).filter(|value| !value.is_empty());
        named.map(PathBuf::from).or_else(|| Some(home?.join(self.folder)))
    }
}

/// What stands in a host's file.
#[derive(Debug, Clone, Copy)]
pub enum SettingsFormat {
    /// JSON, in which `hooks.EVENT` is a list, and what else has to stand at its top.
    Json {
        /// Makes an event's entry, which calls the command.
        entry: fn(&Registration, &str) -> Value,
        /// A whole number that the top has to name where it names none yet (`version`).
        number: Option<(&'static str, u64)>,
    },
    /// TOML with an array of tables `[[hooks]]`, one for each event.
    Toml {
        /// Makes an event's table, which calls the command.
        entry: fn(&Registration, &str) -> Map<String, Value>,
    },
    /// Files that are wholly ours.
    Files {
        /// Makes them: what calls the hook is `command EVENT --host NAME`.
        files: fn(&str) -> Vec<OwnFile>,
    },
}

/// A file that is wholly ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFile {
    /// Its name below the place's.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether it is a program.
    pub executable: bool,
}

/// The line for a shell that calls the hook for an event of a host. With `exec` no shell stays between the host and the hook,
/// which knows a session by the process that calls.
pub fn shell_line(host: &dyn Host, registration: &Registration, binary: &str) -> String {
    line_of(host.name(), registration, binary)
}

/// The same for the host of this name.
pub fn line_of(host: &str, registration: &Registration, binary: &str) -> String {
    format!("exec {} {} --host {host}", word(binary), registration.argument)
}

/// An entry as Claude Code has it: a matcher, and below it one command with a time in seconds.
pub fn group(registration: &Registration, command: &str, time: Value) -> Value {
    let mut group = Map::new();
    if let Some(matcher) = registration.matcher {
        group.insert("matcher".to_owned(), json!(matcher));
    }
    let handler = json!({"type": "command", "command": command, "timeout": time});
    group.insert("hooks".to_owned(), json!([handler]));
    Value::Object(group)
}

/// The time that an event may take, in milliseconds.
pub fn milliseconds(registration: &Registration) -> u64 {
    let time = Duration::from_secs(registration.timeout_seconds.into());
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::registry::HOSTS;

    #[test]
    fn every_installation_has_a_place_and_calls_the_command_for_each_event() {
        for (host, installation) in HOSTS.iter().filter_map(|host| Some((host, host.installation()?))) {
            assert!(!installation.places.is_empty(), "{}", host.name());
            for one in host.registrations() {
                let command = shell_line(*host, one, "/opt/steadfast-hook");
                let entry = match installation.form {
                    SettingsFormat::Json { entry, .. } => entry(one, &command).to_string(),
                    SettingsFormat::Toml { entry } => Value::Object(entry(one, &command)).to_string(),
                    SettingsFormat::Files { files } => {
                        files("/opt/steadfast-hook").into_iter().map(|file| file.text).collect()
                    }
                };
                // An event that is answered where somebody has wired it, and not registered.
                let is_left_out = entry == "null";
                assert!(
                    is_left_out || entry.contains("/opt/steadfast-hook"),
                    "{} {}: {entry}",
                    host.name(),
                    one.event
                );
            }
        }
    }
}
