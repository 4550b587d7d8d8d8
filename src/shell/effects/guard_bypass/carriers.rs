//! Decisions that a command carries to another terminal, session, language or time.

use crate::shell::model::{Command, Script, program_name};
use crate::shell::parse::output;

/// What only a person may say to `steadfast`, by its first word.
const DECISIONS: &[&str] = &[
    "run",
    "hook",
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
const READERS: &[&str] = &["at", "batch", "claude", "crontab", "expect", "script", "tclsh"];

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

/// The most of a text that is looked at, bytes.
const LONGEST: usize = 64 * 1024;

/// What `steadfast` with these words decides.
pub(crate) fn decision(words: &[&str]) -> Option<String> {
    let only_looks = words.contains(&"--dry-run");
    let places = words.iter().any(|word| word.starts_with("--bin-dir") || *word == "--force");
    let mut words = words.iter().filter(|text| !text.starts_with('-'));
    let (first, second) = (*words.next()?, words.next().copied().unwrap_or_default());
    let decides = match first {
        // Listing gates decides nothing.
        "gate" => !matches!(second, "list" | "show" | "status" | "diff" | "history" | "suggest" | "help"),
        "loop" => !matches!(second, "status" | "list" | "help" | ""),
        "migrate" => !only_looks,
        "reflect" => second == "clear",
        "patterns" => second == "false-positive",
        // Other programs as hooks, or as the guard.
        "install" => places,
        other => DECISIONS.contains(&other),
    };
    decides.then(|| format!("steadfast {first} {second}").trim_end().to_owned())
}

/// Code that types into the terminal that it runs at, letter by letter.
pub(crate) fn typed(command: &Command) -> Option<String> {
    let code = command.code.as_ref().and_then(|code| code.text.as_deref())?;
    let types =
        code.contains("TIOCSTI") || (code.contains("ioctl") && code.to_lowercase().contains("0x5412"));
    types.then(|| "keys typed into a terminal".to_owned())
}

/// A decision in what a command runs elsewhere.
pub(crate) fn carried(script: &Script, command: &Command) -> Option<String> {
    let name = command.program();
    let code = command.code.as_ref().and_then(|code| code.text.as_deref());
    if let Some(text) = code.filter(|text| starts_programs(text)) {
        return said(text);
    }
    let by_words = || words_of(command);
    let by_input = || said(&output::sketch::sketch_from(script, &command.input)?);
    let of_words = CARRIERS.contains(&name).then(by_words).flatten();
    of_words.or_else(|| READERS.contains(&name).then(by_input).flatten())
}

pub(crate) fn words_of(command: &Command) -> Option<String> {
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
