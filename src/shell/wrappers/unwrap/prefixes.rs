//! Programs that run the rest of their words as a command: `sudo`, `env`, `timeout` and their like.
//!
//! The tables say which options take a value, because the command begins after them.

use crate::model::words::is_assignment;
use crate::shell::model::{Command, Word};
use crate::shell::wrappers::peeled::{PeeledCommand, shell_text};

/// A program that runs the rest of its words.
pub(crate) struct Wrapper {
    pub(crate) names: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    /// Words of its own before the command.
    operands: usize,
}

pub(crate) static WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas"],
        valued: &[
            "-u",
            "-g",
            "-h",
            "-p",
            "-C",
            "-T",
            "-r",
            "-t",
            "-U",
            "-D",
            "-R",
            "--user",
            "--group",
            "--host",
            "--prompt",
            "--close-from",
            "--command-timeout",
            "--role",
            "--type",
            "--other-user",
            "--chdir",
            "--chroot",
        ],
        operands: 0,
    },
    Wrapper {
        names: &["env"],
        valued: &["-u", "--unset", "-C", "--chdir", "-P", "-a", "--argv0"],
        operands: 0,
    },
    Wrapper {
        names: &["timeout", "gtimeout"],
        valued: &["-k", "-s", "--kill-after", "--signal"],
        operands: 1,
    },
    Wrapper { names: &["sshpass"], valued: &["-p", "-f", "-d", "-P"], operands: 0 },
    Wrapper { names: &["nice"], valued: &["-n", "--adjustment"], operands: 0 },
    Wrapper { names: &["ionice"], valued: &["-c", "-n", "-P", "--class", "--classdata"], operands: 0 },
    Wrapper {
        names: &["stdbuf"],
        valued: &["-i", "-o", "-e", "--input", "--output", "--error"],
        operands: 0,
    },
    Wrapper { names: &["faketime"], valued: &["-p", "--pid"], operands: 1 },
    Wrapper { names: &["exec"], valued: &["-a"], operands: 0 },
    Wrapper { names: &["time", "gtime"], valued: &["-o", "-f", "--output", "--format"], operands: 0 },
    Wrapper { names: &["taskset", "chrt", "chroot"], valued: &[], operands: 1 },
    Wrapper { names: &["flock"], valued: &["-w", "-E", "--timeout", "--wait"], operands: 1 },
    Wrapper { names: &["watch"], valued: &["-n", "-d", "--interval"], operands: 0 },
    Wrapper { names: &["strace", "ltrace"], valued: &["-e", "-o", "-p", "-s"], operands: 0 },
    Wrapper {
        names: &[
            "nohup",
            "setsid",
            "command",
            "builtin",
            "coproc",
            "busybox",
            "toybox",
            "unbuffer",
            "caffeinate",
            "unshare",
            "noglob",
            "nocorrect",
            "xvfb-run",
            "winpty",
            "!",
            "then",
            "do",
        ],
        valued: &[],
        operands: 0,
    },
    Wrapper { names: &["systemd-run"], valued: &["-u", "--unit", "-p", "--property"], operands: 0 },
    Wrapper { names: &["npx", "bunx", "pnpx"], valued: &["-p", "--package"], operands: 0 },
    Wrapper {
        names: &["watchexec"],
        valued: &[
            "-w", "-e", "-i", "-f", "-o", "-s", "-d", "-W", "--watch", "--exts", "--ignore", "--filter",
        ],
        operands: 0,
    },
    Wrapper {
        names: &["entr", "chronic", "fakeroot", "setarch", "rlwrap", "pkexec"],
        valued: &[],
        operands: 0,
    },
    Wrapper { names: &["gosu", "su-exec"], valued: &[], operands: 1 },
    Wrapper { names: &["cross-env", "dotenv"], valued: &["-e", "-f", "-c"], operands: 0 },
];

pub(crate) fn inner(words: &[Word], directory: Option<Word>) -> PeeledCommand {
    match words.is_empty() {
        true => PeeledCommand::Plain,
        false => PeeledCommand::Inner { words: words.to_vec(), directory, keeps: false },
    }
}

/// What a program of the table runs; `None` for another program.
pub(crate) fn by_prefix(command: &Command, rest: &[Word]) -> Option<PeeledCommand> {
    let program = command.program();
    let second = rest.first().map_or("", |word| word.text.as_str());
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&program))?;
    Some(match program {
        "command" if second.starts_with("-v") || second.starts_with("-V") => PeeledCommand::Plain,
        // With a variable before it `!` is a program that isn't there.
        "!" if !command.assignments.is_empty() => PeeledCommand::Plain,
        "sudo" | "doas" => as_user(wrapper, rest),
        "env" => env(wrapper, rest),
        _ => wrapped(wrapper, rest),
    })
}

/// `sudo`, which may change the directory first.
fn as_user(wrapper: &Wrapper, rest: &[Word]) -> PeeledCommand {
    let directory = after_option(rest, &["-D", "--chdir"]);
    match wrapped(wrapper, rest) {
        PeeledCommand::Inner { words, keeps, .. } => PeeledCommand::Inner { words, directory, keeps },
        _ => PeeledCommand::Plain,
    }
}

pub(crate) fn wrapped(wrapper: &Wrapper, rest: &[Word]) -> PeeledCommand {
    let after = skip_options(rest, wrapper.valued);
    let command = skip_assignments(after.get(wrapper.operands..).unwrap_or_default());
    if wrapper.names.contains(&"flock") && command.first().is_some_and(|word| word.text == "-c") {
        return command.get(1).map_or(PeeledCommand::Plain, |text| shell_text(text, Vec::new()));
    }
    // `npx rimraf@5 src`: which version runs makes no difference.
    if let (true, Some((first, rest))) = (wrapper.names.contains(&"npx"), command.split_first())
        && let Some((name, _)) = first.text.rsplit_once('@').filter(|(name, _)| !name.is_empty())
    {
        let first = Word { text: name.to_owned(), ..first.clone() };
        return inner(&[&[first], rest].concat(), None);
    }
    if wrapper.names.contains(&"watch") && command.len() == 1 {
        return command.first().map_or(PeeledCommand::Plain, |text| shell_text(text, Vec::new()));
    }
    inner(command, None)
}

pub(crate) fn skip_options<'w>(words: &'w [Word], valued: &[&str]) -> &'w [Word] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        match word.text.as_str() {
            "--" => return after,
            option if valued.contains(&option) => rest = after.get(1..).unwrap_or_default(),
            option if option.starts_with('-') && option.len() > 1 => rest = after,
            _ => break,
        }
    }
    rest
}

fn skip_assignments(words: &[Word]) -> &[Word] {
    let set = words.iter().take_while(|word| is_assignment(&word.text)).count();
    words.get(set..).unwrap_or_default()
}

/// The variables that `env` and `sudo` set for the command in the last `inner` of their words.
pub(crate) fn assigned_by(command: &Command, inner: usize) -> Vec<(String, Option<String>)> {
    if !matches!(command.program(), "env" | "sudo" | "doas") {
        return Vec::new();
    }
    let own = command.words.len().saturating_sub(inner);
    let own = command.words.get(1..own).unwrap_or_default();
    let assigned = own.iter().filter(|word| !word.text.starts_with('-')).filter_map(|word| {
        let (name, value) = word.text.split_once('=')?;
        Some((name.to_owned(), word.known.then(|| value.to_owned())))
    });
    assigned.collect()
}

fn env(wrapper: &Wrapper, rest: &[Word]) -> PeeledCommand {
    let split =
        rest.iter().position(|word| word.text.starts_with("-S") || word.text.starts_with("--split-string"));
    if let Some(at) =
        split.filter(|at| rest.get(..*at).is_some_and(|words| words.iter().all(|w| w.text.starts_with('-'))))
    {
        let own = rest.get(at).map_or("", |word| word.text.as_str());
        let glued =
            own.strip_prefix("-S").or_else(|| own.strip_prefix("--split-string=")).unwrap_or_default();
        let words: Vec<&str> =
            std::iter::once(glued).chain(rest.iter().skip(at + 1).map(|word| word.text.as_str())).collect();
        return shell_text(&Word::literal(words.join(" ")), Vec::new());
    }
    let directory = after_option(rest, &["-C", "--chdir"]);
    match wrapped(wrapper, rest) {
        PeeledCommand::Inner { words, keeps, .. } => PeeledCommand::Inner { words, directory, keeps },
        other => other,
    }
}

/// The value of the first of these options, before the command begins.
pub(crate) fn after_option(words: &[Word], options: &[&str]) -> Option<Word> {
    for (index, word) in words.iter().enumerate() {
        if options.contains(&word.text.as_str()) {
            return words.get(index + 1).cloned();
        }
        for option in options.iter().filter(|option| option.starts_with("--")) {
            if let Some(value) = word.text.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
                return Some(Word { text: value.to_owned(), ..word.clone() });
            }
        }
    }
    None
}
