//! Whether the client's settings call the guard, by a look at the files alone.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::hosts::claude_code::registration::our_program;
use crate::state::own_file;

/// The longest settings file that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// The event without which no call is judged before it runs.
const BEFORE_CALLS: &str = "PreToolUse";

/// Whether a call in the project is judged before it runs: its settings or the user's name a hook of ours that is there,
/// or the plugin.
pub(super) fn is_called(project: &Path) -> bool {
    let user = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".claude"));
    let folders = [Some(project.join(".claude")), user.or_else(home)];
    let files = folders
        .iter()
        .flatten()
        .flat_map(|folder| ["settings.local.json", "settings.json"].map(|name| folder.join(name)));
    files.into_iter().any(|file| calls(&own_file::read_within(&file, LONGEST).unwrap_or_default()))
}

fn calls(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let settings: Value = serde_json::from_slice(bytes).unwrap_or_default();
    if settings["disableAllHooks"] == true {
        return false;
    }
    let groups = settings["hooks"][BEFORE_CALLS].as_array().into_iter().flatten();
    let handlers = groups.flat_map(|group| group["hooks"].as_array().into_iter().flatten());
    // One that is looked up in PATH or by a variable can't be looked at here.
    let is_there =
        |program: &str| program.contains('$') || !program.contains('/') || Path::new(program).exists();
    let by_hooks = handlers.filter_map(our_program).any(is_there);
    let plugins = settings["enabledPlugins"].as_object().into_iter().flatten();
    let by_plugin =
        plugins.filter(|(_, on)| **on == true).any(|(name, _)| name.split('@').next() == Some("steadfast"));
    by_hooks || by_plugin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_call_the_guard_by_a_hook_that_is_there_or_by_the_plugin() {
        let hook = |program: &str| {
            format!(
                r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{{"type": "command", "command": "{program}"}}]}}]}}}}"#
            )
        };
        let directory = tempfile::tempdir().unwrap();
        let there = directory.path().join("steadfast-hook");
        std::fs::write(&there, "").unwrap();
        let off = hook(there.to_str().unwrap()).replacen('{', r#"{"disableAllHooks": true, "#, 1);
        for (text, expected) in [
            (hook(there.to_str().unwrap()), true),
            (hook("steadfast-hook"), true),
            (hook("${CLAUDE_PLUGIN_ROOT}/steadfast-hook"), true),
            (hook("/gone/steadfast-hook"), false),
            (hook("/usr/bin/true"), false),
            (off, false),
            (r#"{"enabledPlugins": {"steadfast@here": true}}"#.to_owned(), true),
            (r#"{"enabledPlugins": {"steadfast@here": false}}"#.to_owned(), false),
            ("{".to_owned(), false),
            (String::new(), false),
            ("[]".to_owned(), false),
        ] {
            assert_eq!(calls(text.as_bytes()), expected, "{text}");
        }
    }
}
