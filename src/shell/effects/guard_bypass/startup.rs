//! What a file that a shell reads at its start does to everything that is started from there: limits under which a hook
//! dies, and names that stand for something else.

use crate::runners;
use crate::shell::effects::guard_bypass::clients::SILENCING;
use crate::shell::model::{Command, Script};

/// Programs that say that all is well, whatever they are asked.
const SAYS_NOTHING: &[&str] = &[":", "echo", "exit", "printf", "true"];
/// What the guard and a project's checks are started with, besides test runners.
const CHECKS: &[&str] = &[
    "bun",
    "cargo",
    "claude",
    "git",
    "go",
    "make",
    "node",
    "npm",
    "npx",
    "pnpm",
    "python",
    "python3",
    "steadfast",
    "yarn",
];
/// The letters of limits under which a process that writes or grows is ended.
const LIMITS: &[char] = &['f', 'n', 'u', 'v', 't', 's', 'd', 'm'];
/// A smaller number of anything is no limit that a person works with.
const SMALLEST: u64 = 64;

/// What of a startup file's text takes the guard or a check away.
pub(crate) fn disarms(script: &Script) -> Option<String> {
    script.commands.iter().find_map(|command| {
        let found = limits(command) || hides(command) || silences(command);
        found.then(|| command.source.clone())
    })
}

/// `ulimit -f 0`.
fn limits(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let named = words.iter().any(|word| {
        word.strip_prefix('-').is_some_and(|letters| letters.chars().any(|it| LIMITS.contains(&it)))
    });
    let small = words.iter().filter_map(|word| word.parse::<u64>().ok()).any(|number| number < SMALLEST);
    command.program() == "ulimit" && named && small
}

/// `export CLAUDE_CONFIG_DIR=/elsewhere`.
fn silences(command: &Command) -> bool {
    let names =
        command.words.iter().skip(1).filter_map(|word| word.text.split_once('=')).map(|(name, _)| name);
    command.program() == "export" && names.into_iter().any(|name| SILENCING.contains(&name))
}

/// `alias npm=true`.
fn hides(command: &Command) -> bool {
    command.program() == "alias"
        && command.words.iter().skip(1).filter_map(|word| word.text.split_once('=')).any(|(name, value)| {
            let checks = CHECKS.contains(&name) || runners::runs_tests(name, "", || false);
            let first = value.split_whitespace().next().unwrap_or_default();
            checks && SAYS_NOTHING.contains(&first)
        })
}
