//! Which settings files a session of the client reads, by the folder that it is started in, and what one of them says of
//! the guard. Nothing here reads a file.
//!
//! The client goes by the folder that it is started in, not by the repository: a sub-folder or a linked working tree has
//! settings of its own.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::registration::our_program;
use super::versions::Version;

/// From this version on a session in a sub-folder or a linked working tree reads the main checkout's
/// `settings.local.json` too.
pub const READS_MAIN_CHECKOUT: Version = [2, 1, 332];

/// The name under which the plugin is enabled, before the `@` of its marketplace.
const PLUGIN: &str = "steadfast";
/// Where an administrator lays settings that nobody can change.
const MANAGED: &[&str] = &[
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
];

/// Whose settings a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingsScope {
    /// The administrator's.
    Managed,
    /// This person's in this folder.
    Local,
    /// Everybody's in this folder.
    Project,
    /// This person's everywhere.
    User,
}

impl SettingsScope {
    /// The name that `steadfast install --scope` takes.
    pub fn name(self) -> &'static str {
        match self {
            SettingsScope::Managed => "managed",
            SettingsScope::Local => "local",
            SettingsScope::Project => "project",
            SettingsScope::User => "user",
        }
    }
}

/// Whether a session reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionReads {
    /// Every version does.
    Always,
    /// Clients do from this version on.
    Since(Version),
    /// It belongs to another folder.
    Never,
}

impl SessionReads {
    /// Whether a client of this version reads it. One that says no version counts as an older one.
    pub fn holds(self, version: Option<Version>) -> bool {
        match self {
            SessionReads::Always => true,
            SessionReads::Since(first) => version.is_some_and(|version| version >= first),
            SessionReads::Never => false,
        }
    }
}

/// A settings file, and whether a session that is started in one folder reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// Whose it is.
    pub scope: SettingsScope,
    /// The file, which need not be there.
    pub path: PathBuf,
    /// Whether it is read.
    pub reads: SessionReads,
}

/// The files around a session that is started in `start`: those that it reads, then those of `roots` (the repository's
/// top, and the main checkout last), which a person may take for it. `own` is the client's own folder of this user.
pub fn around(start: &Path, roots: &[&Path], own: Option<&Path>) -> Vec<SettingsFile> {
    let file = |scope, path: PathBuf, reads| SettingsFile { scope, path, reads };
    let managed = MANAGED.iter().map(|path| file(SettingsScope::Managed, path.into(), SessionReads::Always));
    let mut files: Vec<SettingsFile> = managed.collect();
    for root in std::iter::once(start).chain(roots.iter().copied()) {
        let claude = root.join(".claude");
        let reads_local = match () {
            () if root == start => SessionReads::Always,
            () if roots.last() == Some(&root) => SessionReads::Since(READS_MAIN_CHECKOUT),
            () => SessionReads::Never,
        };
        let reads_shared = if root == start { SessionReads::Always } else { SessionReads::Never };
        files.push(file(SettingsScope::Local, claude.join("settings.local.json"), reads_local));
        files.push(file(SettingsScope::Project, claude.join("settings.json"), reads_shared));
    }
    files.extend(own.map(|own| file(SettingsScope::User, own.join("settings.json"), SessionReads::Always)));
    let mut once = Vec::new();
    for file in files {
        if !once.iter().any(|known: &SettingsFile| known.path == file.path) {
            once.push(file);
        }
    }
    once
}

/// One event for which settings call the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// The client's name of the event.
    pub event: String,
    /// The tools; `None` for all.
    pub matcher: Option<String>,
    /// The program as it is written there.
    pub program: String,
}

/// What settings make the client call of ours.
pub fn registered(settings: &Value) -> Vec<Registered> {
    let mut found = Vec::new();
    for (event, groups) in settings["hooks"].as_object().into_iter().flatten() {
        for group in groups.as_array().into_iter().flatten() {
            let matcher = group["matcher"].as_str().map(str::to_owned);
            for handler in group["hooks"].as_array().into_iter().flatten() {
                if let Some(program) = our_program(handler) {
                    let (event, matcher) = (event.clone(), matcher.clone());
                    found.push(Registered { event, matcher, program: program.to_owned() });
                }
            }
        }
    }
    found
}

/// The key by which settings keep the client from calling this hook, if one does.
pub fn switched_off_by(settings: &Value, scope: SettingsScope, hook: SettingsScope) -> Option<&'static str> {
    if settings["disableAllHooks"] == true {
        return Some("disableAllHooks");
    }
    let managed_only = scope == SettingsScope::Managed && settings["allowManagedHooksOnly"] == true;
    (managed_only && hook != SettingsScope::Managed).then_some("allowManagedHooksOnly")
}

/// Whether settings enable the plugin; `None` where they don't speak of it.
pub fn plugin_enabled(settings: &Value) -> Option<bool> {
    let plugins = settings["enabledPlugins"].as_object()?;
    let is_ours = |name: &str| name.split('@').next() == Some(PLUGIN);
    plugins.iter().find(|(name, _)| is_ours(name)).map(|(_, enabled)| enabled == true)
}

/// Where the client has installed the plugin, by its own list.
pub fn plugin_folder(installed: &Value) -> Option<PathBuf> {
    let plugins = installed["plugins"].as_object().or_else(|| installed.as_object())?;
    let (_, entry) = plugins.iter().find(|(name, _)| name.split('@').next() == Some(PLUGIN))?;
    let entry = entry.as_array().and_then(|entries| entries.first()).unwrap_or(entry);
    entry["installPath"].as_str().map(PathBuf::from)
}

/// The program of a handler as a path: the client puts in the folder that the session was started in.
pub fn program_path(program: &str, start: &Path) -> PathBuf {
    let start = start.to_string_lossy();
    let named = program.replace("${CLAUDE_PROJECT_DIR}", &start).replace("$CLAUDE_PROJECT_DIR", &start);
    PathBuf::from(named.replace('"', ""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(start: &str, roots: &[&str], version: Version) -> Vec<String> {
        let roots: Vec<&Path> = roots.iter().map(Path::new).collect();
        let files = around(Path::new(start), &roots, Some(Path::new("/h/.claude")));
        let read = files.into_iter().filter(|file| file.reads.holds(Some(version)));
        let paths = read.filter(|file| file.scope != SettingsScope::Managed).map(|file| file.path);
        paths.map(|path| path.display().to_string().replace("/.claude/", ":")).collect()
    }

    #[test]
    fn a_session_reads_the_files_of_the_folder_that_it_is_started_in() {
        let (older, newer) = ([2, 1, 197], READS_MAIN_CHECKOUT);
        let own = "/h:settings.json";
        for (start, roots, version, expected) in [
            ("/r", &["/r"][..], older, &["/r:settings.local.json", "/r:settings.json", own][..]),
            ("/r", &["/r"], newer, &["/r:settings.local.json", "/r:settings.json", own]),
            ("/r/s", &["/r"], older, &["/r/s:settings.local.json", "/r/s:settings.json", own]),
            (
                "/r/s",
                &["/r"],
                newer,
                &["/r/s:settings.local.json", "/r/s:settings.json", "/r:settings.local.json", own],
            ),
            (
                "/w/s",
                &["/w", "/r"],
                newer,
                &["/w/s:settings.local.json", "/w/s:settings.json", "/r:settings.local.json", own],
            ),
            ("/w", &["/w", "/r"], older, &["/w:settings.local.json", "/w:settings.json", own]),
        ] {
            assert_eq!(read(start, roots, version), expected, "{start} with {version:?}");
        }
        let files = around(Path::new("/w/s"), &[Path::new("/w"), Path::new("/r")], None);
        let named =
            |path: &str| files.iter().find(|file| file.path == Path::new(path)).map(|file| file.reads);
        assert_eq!(named("/w/.claude/settings.local.json"), Some(SessionReads::Never));
        assert_eq!(named("/r/.claude/settings.json"), Some(SessionReads::Never));
    }

    #[test]
    fn what_switches_hooks_off_is_told_from_what_does_not() {
        let off = json!({"disableAllHooks": true});
        let managed = json!({"allowManagedHooksOnly": true});
        assert_eq!(switched_off_by(&off, SettingsScope::User, SettingsScope::Local), Some("disableAllHooks"));
        assert_eq!(
            switched_off_by(&managed, SettingsScope::Managed, SettingsScope::Local),
            Some("allowManagedHooksOnly")
        );
        assert_eq!(switched_off_by(&managed, SettingsScope::Managed, SettingsScope::Managed), None);
        assert_eq!(switched_off_by(&managed, SettingsScope::User, SettingsScope::Local), None);
        assert_eq!(
            switched_off_by(&json!({"disableAllHooks": "true"}), SettingsScope::User, SettingsScope::Local),
            None
        );
    }

    #[test]
    fn the_plugin_is_found_by_its_name_in_any_marketplace() {
        let enabled = |value: bool| plugin_enabled(&json!({"enabledPlugins": {"steadfast@mine": value}}));
        assert_eq!((enabled(true), enabled(false)), (Some(true), Some(false)));
        assert_eq!(plugin_enabled(&json!({"enabledPlugins": {"steadfast-x@mine": true}})), None);
        let newer = json!({"version": 2, "plugins": {"steadfast@mine": [{"installPath": "/p/1"}]}});
        let older = json!({"steadfast@mine": {"installPath": "/p/1"}});
        for installed in [newer, older] {
            assert_eq!(plugin_folder(&installed), Some("/p/1".into()), "{installed}");
        }
    }

    #[test]
    fn a_program_is_found_from_the_folder_of_the_session() {
        for (program, path) in [
            ("${CLAUDE_PROJECT_DIR}/.claude/hooks/steadfast-hook", "/r/.claude/hooks/steadfast-hook"),
            ("\"$CLAUDE_PROJECT_DIR\"/x/steadfast-hook", "/r/x/steadfast-hook"),
            ("/b/steadfast-hook", "/b/steadfast-hook"),
            ("steadfast-hook", "steadfast-hook"),
        ] {
            assert_eq!(program_path(program, Path::new("/r")), Path::new(path), "{program}");
        }
    }
}
