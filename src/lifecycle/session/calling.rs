//! Which settings call the guard in a session that is started in one folder, as the files say it: which of them such a
//! session reads, what they register, and what keeps the client from calling it all the same.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::hosts::claude_code::settings_files::{
    self, Registered, SessionReads, SettingsFile, SettingsScope,
};
use crate::hosts::claude_code::versions::Version;
use crate::project::{Git, Project};
use crate::state::own_file;

/// The longest settings file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A settings file that is there, with what it says of the guard.
#[derive(Debug, Clone)]
pub struct FoundSettings {
    /// Which file.
    pub file: SettingsFile,
    /// What it makes the client call.
    pub registered: Vec<Registered>,
    /// Why the client can't use it.
    pub fault: Option<String>,
    settings: Value,
}

impl FoundSettings {
    /// Whether a call is blocked when the hook itself fails.
    pub fn is_fail_closed(&self) -> bool {
        let groups = self.settings["hooks"].as_object().into_iter().flatten().map(|(_, groups)| groups);
        let handlers = groups
            .flat_map(|groups| groups.as_array().into_iter().flatten())
            .flat_map(|group| group["hooks"].as_array().into_iter().flatten());
        handlers.into_iter().any(|handler| handler["onFailure"] == "block")
    }
}

/// What a session in one folder is called by.
#[derive(Debug, Clone)]
pub struct CallingSettings {
    /// The folder that the session is started in.
    pub start: PathBuf,
    /// The client, where it is known.
    pub version: Option<Version>,
    /// The plugin's own folder, where it is enabled.
    pub plugin: Option<PathBuf>,
    files: Vec<FoundSettings>,
}

impl CallingSettings {
    /// Looks around `start`. `own` is the client's own folder of this user.
    pub fn around(start: &Path, own: Option<&Path>, version: Option<Version>) -> CallingSettings {
        let git = Git::at(start);
        let top = git.top().map_or_else(|| Project::locate(start).root().to_owned(), Path::to_owned);
        let main = git.main_checkout().unwrap_or_else(|| top.clone());
        let files = settings_files::around(start, &[&top, &main], own);
        let files: Vec<FoundSettings> = files.into_iter().filter_map(read).collect();
        let mut calling = CallingSettings { start: start.to_owned(), version, plugin: None, files };
        let read = calling.files.iter().filter(|seen| seen.file.reads.holds(version));
        let says = read.filter_map(|seen| settings_files::plugin_enabled(&seen.settings)).next();
        if says == Some(true) {
            let list = own.map(|own| own.join("plugins/installed_plugins.json"));
            let list = list.map(|list| own_file::read_within(&list, LONGEST).unwrap_or_default());
            let list = serde_json::from_slice(&list.unwrap_or_default()).unwrap_or_default();
            calling.plugin = settings_files::plugin_folder(&list);
        }
        calling
    }

    /// The files that such a session reads and that call the guard.
    pub fn in_force(&self) -> impl Iterator<Item = &FoundSettings> {
        self.with_hooks().filter(|seen| seen.file.reads.holds(self.version))
    }

    /// The files near by that call the guard and that such a session does not read.
    pub fn elsewhere(&self) -> impl Iterator<Item = &FoundSettings> {
        self.with_hooks().filter(|seen| !seen.file.reads.holds(self.version))
    }

    /// Whether there is a file that some versions of the client read and others don't.
    pub fn depends_on_the_version(&self) -> bool {
        self.files.iter().any(|seen| matches!(seen.file.reads, SessionReads::Since(_)))
    }

    fn with_hooks(&self) -> impl Iterator<Item = &FoundSettings> {
        self.files.iter().filter(|seen| !seen.registered.is_empty())
    }

    /// The files that such a session should read and can't.
    pub fn unreadable(&self) -> impl Iterator<Item = (&Path, &str)> {
        let read = self.files.iter().filter(|seen| seen.file.reads.holds(self.version));
        read.filter_map(|seen| Some((seen.file.path.as_path(), seen.fault.as_deref()?)))
    }

    /// What keeps the client from calling the hooks of a scope: the file, and its key.
    pub fn switched_off(&self, hook: SettingsScope) -> Option<(&Path, &'static str)> {
        let read = self.files.iter().filter(|seen| seen.file.reads.holds(self.version));
        read.filter_map(|seen| {
            let key = settings_files::switched_off_by(&seen.settings, seen.file.scope, hook)?;
            Some((seen.file.path.as_path(), key))
        })
        .next()
    }

    /// The programs that are called, each once, as paths. Hooks of several files that are the same words run once.
    pub fn programs(&self) -> Vec<PathBuf> {
        let mut programs: Vec<PathBuf> = Vec::new();
        for one in self.in_force().flat_map(|seen| &seen.registered) {
            let path = settings_files::program_path(&one.program, &self.start);
            if !programs.contains(&path) {
                programs.push(path);
            }
        }
        programs
    }
}

/// A settings file as the client reads it; `None` without one.
fn read(file: SettingsFile) -> Option<FoundSettings> {
    let bytes = match own_file::read_within(&file.path, LONGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => {
            let fault = Some(error.to_string());
            return Some(FoundSettings { file, registered: Vec::new(), fault, settings: Value::Null });
        }
    };
    let text = String::from_utf8(bytes).unwrap_or_default();
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return None;
    }
    let (settings, fault) = match serde_json::from_str::<Value>(text) {
        Ok(settings) => (settings, None),
        Err(error) => (Value::Null, Some(error.to_string())),
    };
    Some(FoundSettings { registered: settings_files::registered(&settings), file, fault, settings })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::hosts::claude_code::registration;
    use crate::hosts::claude_code::settings_files::READS_MAIN_CHECKOUT;

    fn write(folder: &Path, name: &str, settings: &Value) {
        fs::create_dir_all(folder.join(".claude")).unwrap();
        fs::write(folder.join(".claude").join(name), settings.to_string()).unwrap();
    }

    #[test]
    fn hooks_of_the_root_reach_a_sub_folder_in_newer_clients_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::create_dir_all(root.join("sub")).unwrap();
        let hooks = json!({"hooks": registration::hooks("/b/steadfast-hook")});
        write(&root, "settings.local.json", &hooks);
        let count = |start: &Path, version| {
            let calling = CallingSettings::around(start, None, version);
            (calling.in_force().count(), calling.elsewhere().count(), calling.programs().len())
        };
        assert_eq!(count(&root, None), (1, 0, 1));
        assert_eq!(count(&root.join("sub"), None), (0, 1, 0));
        assert_eq!(count(&root.join("sub"), Some(READS_MAIN_CHECKOUT)), (1, 0, 1));
        write(&root, "settings.json", &hooks);
        assert_eq!(count(&root.join("sub"), Some(READS_MAIN_CHECKOUT)), (1, 1, 1));
        assert_eq!(count(&root, None), (2, 0, 1), "the same words run once");
    }

    #[test]
    fn what_the_client_can_not_use_and_what_switches_hooks_off_is_seen() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        write(&root, "settings.local.json", &json!({"disableAllHooks": true}));
        fs::write(root.join(".claude/settings.json"), "{ nonsense").unwrap();
        let calling = CallingSettings::around(&root, None, None);
        let off = calling.switched_off(SettingsScope::Local).map(|(_, key)| key);
        assert_eq!(off, Some("disableAllHooks"));
        let unreadable: Vec<&Path> = calling.unreadable().map(|(path, _)| path).collect();
        assert_eq!(unreadable, [root.join(".claude/settings.json")]);
    }

    #[test]
    fn an_enabled_plugin_is_found_where_the_client_has_put_it() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        let own = root.join("own");
        fs::create_dir_all(own.join("plugins")).unwrap();
        let list = json!({"plugins": {"steadfast@steadfast": [{"installPath": "/p/steadfast"}]}});
        fs::write(own.join("plugins/installed_plugins.json"), list.to_string()).unwrap();
        assert_eq!(CallingSettings::around(&root, Some(&own), None).plugin, None, "it is not enabled");
        let enabled = json!({"enabledPlugins": {"steadfast@steadfast": true}});
        fs::write(own.join("settings.json"), enabled.to_string()).unwrap();
        assert_eq!(CallingSettings::around(&root, Some(&own), None).plugin, Some("/p/steadfast".into()));
    }
}
