//! Whether a session that is started in a folder is guarded, and why: from settings, configuration and files alone.
//!
//! Everything that says it asks here, so that a status line, `status`, `explain` and `doctor` never differ.

use std::env;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::install::client;

use crate::config::{Config, Mode};
use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::hosts::claude_code::settings_files::{SessionReads, SettingsScope};
use crate::hosts::claude_code::versions::{Version, written};
use crate::lifecycle::session::calling::{CallingSettings, FoundSettings};
use crate::lifecycle::session::health;
use crate::project::Project;

/// Whether a session is guarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GuardStatus {
    /// Whether it is.
    pub guarded: bool,
    /// By which settings, or why not and what helps.
    pub why: String,
}

/// The client's own folder of this user.
pub fn own_folder() -> Option<PathBuf> {
    let filled = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    filled("CLAUDE_CONFIG_DIR").or_else(|| filled("HOME").map(|home| home.join(".claude")))
}

/// What calls the guard in a session that is started in `start`. A client whose version is not known is asked for it only
/// where its answer decides.
pub fn calling(start: &Path, version: Option<Version>) -> CallingSettings {
    let own = own_folder();
    let around = |version| CallingSettings::around(start, own.as_deref(), version);
    let calling = around(version);
    if version.is_none() && calling.depends_on_the_version() {
        around(client::version(None))
    } else {
        calling
    }
}

/// The same of a session that is going on. One that has called the guard is guarded by what its client was started with,
/// where no settings say so.
pub fn of_session(start: &Path, version: Option<Version>, has_called: bool) -> GuardStatus {
    let guard = of(start, version);
    let is_off = || switched_off(Project::locate(start).root()).is_some();
    if guard.guarded || !has_called || is_off() {
        return guard;
    }
    GuardStatus { guarded: true, why: "by what the session's client was started with".to_owned() }
}

/// Whether a session that a client of this version starts in `start` is guarded.
pub fn of(start: &Path, version: Option<Version>) -> GuardStatus {
    let calling = calling(start, version);
    let no = |why: String| GuardStatus { guarded: false, why };
    if let Some(why) = switched_off(Project::locate(start).root()) {
        return no(why);
    }
    let Some(seen) = calling.in_force().next() else { return by_plugin(&calling) };
    if let Some((file, key)) = calling.switched_off(seen.file.scope) {
        return no(format!("`{key}` in {} keeps the client from calling the hooks", shown(file)));
    }
    // One that is named by a variable can't be looked at here.
    let is_named = |program: &Path| program.to_string_lossy().contains('$');
    let works =
        |program: &PathBuf| is_named(program) || program.is_file() || health::on_path(program).is_some();
    if let Some(missing) = calling.programs().iter().find(|program| !works(program)) {
        return no(format!(
            "{} calls {}, which is not there: `steadfast install{}`",
            shown(&seen.file.path),
            shown(missing),
            option(seen.file.scope)
        ));
    }
    GuardStatus { guarded: true, why: format!("by {}{}", shown(&seen.file.path), from_version(seen)) }
}

/// The option that names a scope to `steadfast install`.
pub fn option(scope: SettingsScope) -> String {
    match scope {
        SettingsScope::Local | SettingsScope::Managed => String::new(),
        other => format!(" --scope {}", other.name()),
    }
}

/// Why the configuration keeps the hooks from judging anything; `None` where it does not.
pub fn switched_off(project: &Path) -> Option<String> {
    let (config, _) = Config::read(project);
    if !config.enabled {
        return Some("aiwg.yml switches Steadfast off (`agent_persistence: enabled: false`)".to_owned());
    }
    let is_off = config.detection.mode == Mode::Off;
    is_off.then(|| "aiwg.yml switches detection off (`agent_persistence: detection: mode: off`)".to_owned())
}

fn by_plugin(calling: &CallingSettings) -> GuardStatus {
    let no = |why: String| GuardStatus { guarded: false, why };
    let Some(folder) = &calling.plugin else {
        return no(match calling.elsewhere().next() {
            Some(seen) => not_read(calling, seen),
            None => format!(
                "no settings that a session in {} reads call Steadfast: `steadfast install` puts the hooks there",
                shown(&calling.start)
            ),
        });
    };
    if let Some((file, key)) = calling.switched_off(SettingsScope::User) {
        return no(format!("`{key}` in {} keeps the client from calling the plugin's hooks", shown(file)));
    }
    match plugin_executable(folder) {
        Some(_) => GuardStatus { guarded: true, why: "by the plugin".to_owned() },
        None => no(format!(
            "the plugin is enabled, but {HOOK_BINARY} is not in it, in ~/.local/bin or on PATH: ./install.sh in a clone of \
             Steadfast installs it"
        )),
    }
}

/// The executable that the plugin's `hooks/run` finds.
pub fn plugin_executable(folder: &Path) -> Option<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let own = home.map(|home| home.join(".local/bin").join(HOOK_BINARY));
    let found =
        [Some(folder.join("bin").join(HOOK_BINARY)), own].into_iter().flatten().find(|it| it.is_file());
    found.or_else(|| health::on_path(Path::new(HOOK_BINARY)))
}

/// That hooks stand in settings that such a session does not read.
pub fn not_read(calling: &CallingSettings, seen: &FoundSettings) -> String {
    let since = match seen.file.reads {
        SessionReads::Since(first) => format!(" with a client before {}", written(first)),
        _ => String::new(),
    };
    format!(
        "the hooks stand in {}, which a session that is started in {} does not read{since}",
        shown(&seen.file.path),
        shown(&calling.start)
    )
}

fn from_version(seen: &FoundSettings) -> String {
    match seen.file.reads {
        SessionReads::Since(first) => format!(", which clients read here from {} on", written(first)),
        _ => String::new(),
    }
}

/// A path as people write it: the home is `~`.
pub fn shown(path: &Path) -> String {
    let home = env::var_os("HOME").filter(|home| home.len() > 1).map(PathBuf::from);
    match home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}
