//! Commands that decide in a person's place or stop the guard, said plainly or carried to another terminal, session,
//! language or time.
//!
//! What only shows or stores such words (a commit message, a search) is none: a carrier is a program that runs, types
//! or sends them.

pub(crate) mod carriers;
pub(crate) mod clients;

use crate::shell::effects::git_call;
use crate::shell::effects::guard_bypass::carriers::{carried, decision, typed, words_of};
use crate::shell::effects::guard_bypass::clients::unguarded;
use crate::shell::model::{Command, Effect, EffectKind, Script};
use crate::shell::parse::output;

/// Files that a person's shell reads by itself.
const STARTUP: &[&str] = &[
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".kshrc",
    ".profile",
    ".xprofile",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
];
/// Folders whose files are run by themselves.
const STARTED: &[&str] = &[
    "/.git/hooks/",
    "/.githooks/",
    "/.husky/",
    "/etc/profile.d/",
    "/cron.",
    "/.config/autostart/",
    "/systemd/",
    "/LaunchAgents/",
    "/fish/conf.d/",
];

/// The effect of a command on the guard. `decides` reads a file's path and text like a script of its own.
pub(crate) fn effect(
    script: &Script,
    index: usize,
    command: &Command,
    decides: fn(&str, &str) -> bool,
) -> Option<Effect> {
    let name = command.program();
    if let Some(detail) = left_behind(script, index, command, decides) {
        return Some(Effect::of(EffectKind::DisarmsGuard, command, &detail, &[], None));
    }
    let says = match name {
        "steadfast" => {
            let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
            decision(&words)
        }
        // An alias that a person would use.
        "git" if command.words.get(1).is_some_and(|word| word.text == "config") => words_of(command),
        "git" => stashes_state(command),
        "pkill" | "killall" => names_the_guard(command).then(|| name.to_owned()),
        "claude" => unguarded(command).or_else(|| carried(script, command)),
        "chattr" | "ln" | "mount" | "setfacl" => names_its_state(command).then(|| name.to_owned()),
        "tar" | "bsdtar" | "unzip" => {
            (unpacks(command) && names_its_state(command)).then(|| format!("{name} over the guard's state"))
        }
        _ => typed(command).or_else(|| carried(script, command)),
    };
    says.map(|detail| Effect::of(EffectKind::DisarmsGuard, command, &detail, &[], None))
}

/// Whether a file is run without anybody asking for it, at a person's own terminal.
pub(crate) fn runs_by_itself(path: &str) -> bool {
    let path = format!("/{}", path.replace('\\', "/"));
    let name = path.rsplit('/').next().unwrap_or_default();
    STARTUP.contains(&name) || STARTED.iter().any(|folder| path.contains(folder))
}

/// What a redirection leaves for a person's own terminal to run.
fn left_behind(
    script: &Script,
    index: usize,
    command: &Command,
    decides: fn(&str, &str) -> bool,
) -> Option<String> {
    let target = command.redirects.iter().find(|redirect| redirect.output)?;
    let text = output::text::text_of(script, index)?;
    decides(&target.target.text, &text).then(|| format!("a decision left in {}", target.target.text))
}

/// Whether an operand lies in the guard's state or is all of it.
fn names_its_state(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| {
        let mut parts = word
            .text
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .skip_while(|it| *it != ".aiwg");
        parts.next().is_some() && parts.next().is_none_or(|part| part == "ralph")
    })
}

/// Whether an archive's files are written to the disk.
fn unpacks(command: &Command) -> bool {
    let first = command.words.get(1).map_or("", |word| word.text.as_str());
    let short = |word: &str| {
        !word.starts_with("--") && (word.starts_with('-') || word == first) && word.contains('x')
    };
    match command.program() {
        "unzip" => !command.words.iter().any(|word| matches!(word.text.as_str(), "-l" | "-t" | "-p" | "-Z")),
        _ => command
            .words
            .iter()
            .skip(1)
            .any(|word| short(&word.text) || matches!(word.text.as_str(), "--extract" | "--get")),
    }
}

/// `kill $(pgrep steadfast)`.
pub(crate) fn kills(script: &Script) -> bool {
    let finds = |command: &Command| {
        matches!(command.program(), "pgrep" | "pidof" | "ps" | "grep") && names_the_guard(command)
    };
    let holds = |command: &Command| matches!(command.program(), "kill" | "gdb" | "lldb");
    script.commands.iter().any(holds) && script.commands.iter().any(finds)
}

fn names_the_guard(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| word.text.contains("steadfast"))
}

/// `git stash --all` takes ignored files away, and the guard's state is among them.
fn stashes_state(command: &Command) -> Option<String> {
    let call = git_call::call(command);
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let puts = call.subcommand == "stash"
        && !words
            .iter()
            .any(|word| matches!(*word, "pop" | "apply" | "list" | "show" | "drop" | "branch" | "--"));
    (puts && words.iter().any(|word| matches!(*word, "-a" | "--all"))).then(|| words.join(" "))
}
