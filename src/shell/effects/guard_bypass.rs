//! Commands that decide in a person's place or stop the guard, said plainly or carried to another terminal, session,
//! language or time.
//!
//! What only shows or stores such words (a commit message, a search) is none: a carrier is a program that runs, types
//! or sends them.

use crate::shell::effects::git_call;
use crate::shell::model::{Command, Effect, EffectKind, Script, program_name};
use crate::shell::parse::output;

/// What only a person may say to `steadfast`, by its first word.
const DECISIONS: &[&str] = &[
    "run",
    "gate",
    "allow",
    "accept",
    "approve",
    "uninstall",
    "disable",
    "ralph",
    "ralph-pause",
    "ralph-resume",
    "ralph-abort",
];
/// What only a person types in a session, after `/steadfast:`.
const TYPED: &[&str] = &["gate", "allow", "loop", "pause", "resume", "abort"];
/// Programs that run, type or send what stands in their words.
const CARRIERS: &[&str] = &[
    "abduco",
    "alacritty",
    "byobu",
    "claude",
    "dtach",
    "empty",
    "expect",
    "faketty",
    "foot",
    "ghostty",
    "gnome-terminal",
    "gotty",
    "kgx",
    "kitty",
    "konsole",
    "open",
    "osascript",
    "ptyxis",
    "rxvt",
    "screen",
    "socat",
    "start",
    "terminator",
    "tilix",
    "tmux",
    "ttyd",
    "urxvt",
    "wezterm",
    "wtype",
    "wt",
    "xdotool",
    "xfce4-terminal",
    "xterm",
    "ydotool",
    "zellij",
];
/// Programs that run what comes in, later or at a terminal of their own.
const READERS: &[&str] = &["at", "batch", "crontab", "expect", "script", "tclsh"];
/// Words by which code starts a program.
const STARTS: &[&str] = &[
    "spawn",
    "system",
    "popen",
    "Popen",
    "subprocess",
    "exec",
    "execv",
    "execvp",
    "execSync",
    "execFile",
    "execl",
    "spawnSync",
    "check_call",
    "check_output",
    "child_process",
    "posix_spawn",
    "fork",
    "Process",
];
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
/// Variables with which a client runs no hooks, or looks for its settings elsewhere. So does another `HOME`.
pub const SILENCING: &[&str] = &["CLAUDE_CODE_SIMPLE", "CLAUDE_CONFIG_DIR"];
/// Settings of a client that say which hooks run.
const HOOK_KEYS: &[&str] = &["disableAllHooks", "allowManagedHooksOnly", "hooks", "enabledPlugins"];
/// The most of a text that is looked at, bytes.
const LONGEST: usize = 64 * 1024;

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
    let text = output::text_of(script, index)?;
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

/// What `steadfast` with these words decides.
fn decision(words: &[&str]) -> Option<String> {
    let mut words = words.iter().filter(|text| !text.starts_with('-'));
    let (first, second) = (*words.next()?, words.next().copied().unwrap_or_default());
    let decides = match first {
        // Listing gates decides nothing.
        "gate" => !matches!(second, "list" | "show" | "status" | "diff" | "history" | "suggest" | "help"),
        "loop" => !matches!(second, "status" | "list" | "help" | ""),
        "reflect" => second == "clear",
        "patterns" => second == "false-positive",
        other => DECISIONS.contains(&other),
    };
    decides.then(|| format!("steadfast {first} {second}").trim_end().to_owned())
}

/// A client that is started without its hooks, or told to leave ours out from now on.
fn unguarded(command: &Command) -> Option<String> {
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

/// Code that types into the terminal that it runs at, letter by letter.
fn typed(command: &Command) -> Option<String> {
    let code = command.code.as_ref().and_then(|code| code.text.as_deref())?;
    let types =
        code.contains("TIOCSTI") || (code.contains("ioctl") && code.to_lowercase().contains("0x5412"));
    types.then(|| "keys typed into a terminal".to_owned())
}

/// A decision in what a command runs elsewhere.
fn carried(script: &Script, command: &Command) -> Option<String> {
    let name = command.program();
    let code = command.code.as_ref().and_then(|code| code.text.as_deref());
    if let Some(text) = code.filter(|text| starts_programs(text)) {
        return said(text);
    }
    let by_words = || words_of(command);
    let by_input = || said(&output::sketch_from(script, &command.input)?);
    let of_words = CARRIERS.contains(&name).then(by_words).flatten();
    of_words.or_else(|| READERS.contains(&name).then(by_input).flatten())
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

fn words_of(command: &Command) -> Option<String> {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    said(&words.join(" "))
}

/// Whether code that names the guard starts a program.
fn starts_programs(text: &str) -> bool {
    text.contains("steadfast")
        && text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| STARTS.contains(&word) || word == "run")
}

/// The first decision in a text that is no shell's: its words one after the other, whatever stands between them.
fn said(text: &str) -> Option<String> {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let text = end.and_then(|end| text.get(..end)).unwrap_or_default();
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    // `tmux send-keys` has names for keys.
    let words = text.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty() && *word != "Space");
    let words: Vec<&str> = words.collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let after = words.get(at + 1..at + 8).or_else(|| words.get(at + 1..))?;
        match *word {
            "/steadfast" => {
                after.first().filter(|name| TYPED.contains(name)).map(|name| format!("/steadfast:{name}"))
            }
            word if program_name(word) == "steadfast" => decision(after),
            _ => None,
        }
    })
}
