//! What a command really runs: `sudo`, `env`, `timeout`, `xargs`, `find -exec`, `bash -c`, interpreters.
//!
//! `prefixes` says which options take a value, because the command begins after them.

pub(crate) mod find_exec;
pub(crate) mod frameworks;
pub(crate) mod prefixes;
pub(crate) mod runners;
pub(crate) mod texts;
pub(crate) mod transport;
pub(crate) mod unknown;
pub(crate) mod windows;
pub(crate) mod xargs;

use crate::shell::edit::{is_editor, shell_orders};
use crate::shell::effects::git_call;
use crate::shell::model::{Command, Word};
use crate::shell::wrappers::peeled::{PeeledCommand, shell_text};
use crate::shell::wrappers::unwrap::find_exec::{fd, find};
use crate::shell::wrappers::unwrap::prefixes::{after_option, inner, skip_options};
use crate::shell::wrappers::unwrap::texts::as_shell;
use crate::shell::wrappers::unwrap::windows::windows;
use crate::shell::wrappers::unwrap::xargs::xargs;
use crate::shell::wrappers::{interpreters, other_machines};

use crate::shell::wrappers::unwrap::transport::local_texts;

/// Looks inside of a command. `input_words` gives the words that come in, for `xargs`.
pub(crate) fn peel(command: &Command, input_words: impl FnOnce(bool) -> Option<Vec<Word>>) -> PeeledCommand {
    let Some(rest) = command.words.get(1..) else { return PeeledCommand::Plain };
    if let Some(text) = other_machines::comes_back(command) {
        return PeeledCommand::ShellText { text, arguments: Vec::new() };
    }
    if other_machines::goes_away(command) {
        return PeeledCommand::Remote;
    }
    let program = command.program();
    let peeled = frameworks::source(command).or_else(|| runners::by_runner(program, rest));
    if let Some(peeled) = peeled.or_else(|| texts::texts(command)) {
        return peeled;
    }
    match program {
        "cmd" | "powershell" | "pwsh" => windows(program, rest),
        "xargs" => xargs(false, rest, input_words),
        "parallel" | "env_parallel" | "rush" => xargs(true, rest, input_words),
        // One run, whose words come from nowhere else.
        "sem" => xargs(true, rest, |_| Some(vec![Word::literal("")])),
        "find" => find(command),
        "fd" | "fdfind" => fd(command),
        "cmake" if deletes_by_cmake(rest) => {
            let words = ["rm", "-rf"].map(Word::literal).into_iter();
            inner(&words.chain(rest.iter().skip(2).cloned()).collect::<Vec<_>>(), None)
        }
        "tmux" | "screen" => terminal(rest),
        "su" | "script" => session(program, rest),
        "at" | "batch" if !lists_jobs(rest) => job(rest),
        "git" => alias(command),
        _ if is_editor(command) => orders(command),
        // Copies go out and come back as files here, but the words may start a program on the way.
        "rsync" | "scp" | "sftp" if !local_texts(command).is_empty() => {
            PeeledCommand::ShellText { text: local_texts(command).join("\n"), arguments: Vec::new() }
        }
        _ if interpreters::is_shell(program) => interpreters::shell(rest, &command.input),
        loader if loader.starts_with("ld-") && loader.contains(".so") => {
            inner(skip_options(rest, &["--library-path", "--preload", "--argv0", "--audit"]), None)
        }
        _ => match prefixes::by_prefix(command, rest) {
            Some(peeled) => peeled,
            None => match interpreters::source(program, rest, &command.input) {
                PeeledCommand::Plain => unknown::unknown(command).unwrap_or(PeeledCommand::Plain),
                peeled => peeled,
            },
        },
    }
}

/// `cmake -E remove_directory x`: a deletion on every system.
fn deletes_by_cmake(rest: &[Word]) -> bool {
    let texts: Vec<&str> = rest.iter().take(2).map(|word| word.text.as_str()).collect();
    matches!(texts.as_slice(), ["-E", "rm" | "remove" | "remove_directory"])
}

/// `su -c text` and `script -c text`.
fn session(program: &str, rest: &[Word]) -> PeeledCommand {
    match after_option(rest, &["-c", "--command", "-qc", "-qec", "-ec", "-eqc", "-lc"]) {
        Some(text) => shell_text(&text, Vec::new()),
        // Where BSD's is used the command follows the file.
        None if program == "script" => {
            inner(skip_options(rest, &["-t", "-F"]).get(1..).unwrap_or_default(), None)
        }
        None => PeeledCommand::Plain,
    }
}

/// Whether `at` and `batch` are asked about what waits to run.
fn lists_jobs(rest: &[Word]) -> bool {
    rest.iter().any(|word| matches!(word.text.as_str(), "-l" | "-r" | "-d" | "-c"))
}

/// What `at` and `batch` read is run later.
fn job(rest: &[Word]) -> PeeledCommand {
    match after_option(rest, &["-f"]) {
        Some(path) => PeeledCommand::ShellFile { path, arguments: Vec::new() },
        None => PeeledCommand::ShellInput { arguments: Vec::new() },
    }
}

/// What an editor is told to have the shell run, besides what it does itself.
fn orders(command: &Command) -> PeeledCommand {
    let texts = shell_orders(command);
    let commands: Vec<Vec<Word>> = texts.into_iter().map(|text| as_shell(Word::literal(text))).collect();
    if commands.is_empty() { PeeledCommand::Plain } else { PeeledCommand::Each { commands, keeps: true } }
}

/// `git -c alias.name=value name`: the alias is what runs.
fn alias(command: &Command) -> PeeledCommand {
    let rest = command.words.get(1..).unwrap_or_default();
    for (name, value) in git_call::given_settings(command) {
        let Some(name) = name.strip_prefix("alias.") else { continue };
        let Some(at) = rest.iter().position(|word| word.text == name) else { continue };
        let after = rest.get(at + 1..).unwrap_or_default();
        if let Some(shell) = value.strip_prefix('!') {
            return PeeledCommand::ShellText { text: shell.to_owned(), arguments: after.to_vec() };
        }
        let program = std::iter::once(Word::literal("git"));
        let words = program.chain(value.split_whitespace().map(Word::literal)).chain(after.iter().cloned());
        return PeeledCommand::Inner { words: words.collect(), directory: None, keeps: false };
    }
    PeeledCommand::Plain
}

/// `tmux new-session -d 'command'`: the last word that is no option.
fn terminal(rest: &[Word]) -> PeeledCommand {
    const STARTS: &[&str] =
        &["new-session", "new", "new-window", "neww", "split-window", "splitw", "-dm", "-dmS"];
    if rest.first().is_some_and(|word| matches!(word.text.as_str(), "send-keys" | "send")) {
        let is_key = |word: &&Word| word.text.len() > 2 && word.text.contains(' ');
        // Who reads the keys is not known: a shell, or a client whose words are no shell's.
        let typed = |text: &Word| PeeledCommand::Each { commands: vec![as_shell(text.clone())], keeps: true };
        return rest.iter().find(is_key).map_or(PeeledCommand::Plain, typed);
    }
    let starts = rest.first().is_some_and(|word| STARTS.contains(&word.text.as_str()));
    match rest.last().filter(|word| starts && rest.len() > 1 && word.text.contains(' ')) {
        Some(text) => shell_text(text, Vec::new()),
        None => PeeledCommand::Plain,
    }
}
