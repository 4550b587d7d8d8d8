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

/// `npm() { echo ok; }`: what only says that another program is meant fails or calls that one.
pub(crate) fn hides_by_function(text: &str) -> bool {
    let mut heads = text.match_indices("()");
    heads.any(|(at, head)| {
        let name = text.get(..at).unwrap_or_default().trim_end();
        let start = name.rfind(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '\'' | '"'));
        let name = name.get(start.map_or(0, |at| at + 1)..).unwrap_or_default();
        let body = text.get(at + head.len()..).unwrap_or_default().trim_start();
        let Some(body) = body.strip_prefix('{') else { return false };
        let body = body.split('}').next().unwrap_or(body);
        let first = body.split([' ', ';', '\n', '\t']).find(|word| !word.is_empty()).unwrap_or_default();
        let goes_on =
            ["return 1", "exit 1", "false", "command ", "$@", "$*"].iter().any(|it| body.contains(it));
        is_check(name) && SAYS_NOTHING.contains(&first) && !goes_on
    })
}

/// Whether a program is what the guard or a project's checks are started with.
fn is_check(name: &str) -> bool {
    CHECKS.contains(&name) || runners::runs_tests(name, "", || false)
}

/// `alias npm=true`.
fn hides(command: &Command) -> bool {
    command.program() == "alias"
        && command.words.iter().skip(1).filter_map(|word| word.text.split_once('=')).any(|(name, value)| {
            let first = value.split_whitespace().next().unwrap_or_default();
            is_check(name) && SAYS_NOTHING.contains(&first)
        })
}
