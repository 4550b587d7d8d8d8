//! What else calls a loop's machinery here: a plugin that is enabled, hooks of AIWG's. They stay, and are named.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Migration;
use crate::cli::guard::own_folder;
use crate::state::own_file;

/// The longest settings file that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// The plugins that continue turns by themselves.
const PLUGINS: &[&str] = &["ralph-loop", "ralph-wiggum"];
/// Folders of AIWG's own programs.
const AIWG: &[&str] = &["aiwg", ".aiwg", "ralph-external"];

/// Names what goes on beside Steadfast.
pub(super) fn what_goes_on(project: &Path, into: &mut Migration) {
    let folders = [Some(project.join(".claude")), own_folder()];
    let files: Vec<PathBuf> = folders
        .iter()
        .flatten()
        .flat_map(|folder| ["settings.json", "settings.local.json"].map(|name| folder.join(name)))
        .collect();
    for file in files {
        let bytes = own_file::read_within(&file, LONGEST).unwrap_or_default();
        let settings: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        for plugin in plugins(&settings) {
            let says = format!(
                "the plugin {plugin} is enabled and continues turns by itself: `claude plugin disable {plugin}` ends that"
            );
            into.leave(&file, says);
        }
        for (event, command) in aiwg_hooks(&settings) {
            into.leave(
                &file,
                format!("its {event} hook `{command}` still runs; take it out where you no longer need it"),
            );
        }
    }
}

fn plugins(settings: &Value) -> Vec<&str> {
    let all = settings["enabledPlugins"].as_object().into_iter().flatten();
    let on = all.filter(|(_, on)| **on == true).map(|(name, _)| name.as_str());
    on.filter(|name| name.split('@').next().is_some_and(|own| PLUGINS.contains(&own))).collect()
}

/// The hooks whose program lies in a folder of AIWG's, or is it.
fn aiwg_hooks(settings: &Value) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (event, groups) in settings["hooks"].as_object().into_iter().flatten() {
        for handler in
            groups.as_array().into_iter().flatten().flat_map(|group| group["hooks"].as_array()).flatten()
        {
            let command = handler["command"].as_str().unwrap_or_default();
            let is_aiwg =
                |word: &str| word.trim_matches(['"', '\'']).split('/').any(|part| AIWG.contains(&part));
            if command.split_whitespace().any(is_aiwg) {
                found.push((event.as_str(), command));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn plugins_and_hooks_that_go_on_are_named() {
        let hook = |command: &str| json!([{"hooks": [{"type": "command", "command": command}]}]);
        let settings = json!({
            "enabledPlugins": {"ralph-loop@official": true, "ralph-wiggum@x": false, "steadfast@here": true},
            "hooks": {
                "Stop": hook("node \"$HOME/.local/share/ai-writing-guide/aiwg/ralph.js\""),
                "SessionStart": hook("/usr/bin/true about-aiwg"),
                "PreToolUse": hook("aiwg hook"),
            },
        });
        assert_eq!(plugins(&settings), ["ralph-loop@official"]);
        let events: Vec<&str> = aiwg_hooks(&settings).into_iter().map(|(event, _)| event).collect();
        assert_eq!(events, ["Stop", "PreToolUse"]);
        assert!(plugins(&json!([])).is_empty() && aiwg_hooks(&Value::Null).is_empty());
    }
}
