//! A client that is started without its hooks, or told to leave ours out from now on.

use crate::shell::model::Command;

/// Variables with which a client runs no hooks, or looks for its settings elsewhere. So does another `HOME`.
pub const SILENCING: &[&str] = &["CLAUDE_CODE_SIMPLE", "CLAUDE_CONFIG_DIR", "STEADFAST_ASK"];

/// Settings of a client that say which hooks run.
const HOOK_KEYS: &[&str] = &["disableAllHooks", "allowManagedHooksOnly", "hooks", "enabledPlugins"];

/// A client that is started without its hooks, or told to leave ours out from now on.
pub(crate) fn unguarded(command: &Command) -> Option<String> {
    let silences = |name: &str| SILENCING.contains(&name) || name == "HOME";
    if let Some((name, _)) = command.assignments.iter().find(|(name, _)| silences(name)) {
        return Some(format!("{name} for a client"));
    }
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let ours = || words.iter().any(|word| word.split('@').next() == Some("steadfast"));
    let says = match words.as_slice() {
        ["plugin" | "plugins", "disable" | "uninstall" | "remove" | "rm", ..]
        | ["plugin" | "plugins", "marketplace", "remove" | "rm", ..] => ours(),
        ["config", "set" | "add" | "remove" | "unset", key, ..] => HOOK_KEYS.contains(key),
        _ => words.iter().enumerate().any(|(at, word)| {
            let value = word.split_once('=').map(|(_, value)| value).or(words.get(at + 1).copied());
            match word.split('=').next() {
                Some("--bare" | "--safe-mode") => true,
                Some("--settings") => value.is_some_and(|it| it.contains("disableAllHooks")),
                // Whoever leaves a source out leaves out what is registered there.
                Some("--setting-sources") => {
                    let has = |source: &&str| value.is_some_and(|it| it.split(',').any(|one| one == *source));
                    !["user", "project", "local"].iter().all(has)
                }
                _ => false,
            }
        }),
    };
    says.then(|| words.join(" "))
}
