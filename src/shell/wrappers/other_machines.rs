//! Which words of a command are one for another machine or a container: a table of programs, and how it is read.

pub(crate) mod ways;

use std::path::{Path, PathBuf};

use crate::shell::model::{Command, Word, resolve};
use crate::shell::wrappers::other_machines::ways::{
    COMPOSE, RemoteCommandPlace, RemoteProgram, SSH, WAYS, program_is_compose,
};

use RemoteCommandPlace::{AfterDashes, Text, Words};

/// What a command has run elsewhere.
pub(crate) struct RemoteRun {
    /// Its words, or one word with the text for a shell.
    pub(crate) words: Vec<Word>,
    /// Whether a shell reads the text.
    pub(crate) is_text: bool,
    /// Whether what it runs in is gone afterwards.
    pub(crate) throwaway: bool,
    /// Folders of this machine, each with the name that it has there.
    pub(crate) mounts: Vec<(PathBuf, PathBuf)>,
    /// The folder that it starts in, as it is called there.
    pub(crate) directory: Option<PathBuf>,
}

/// Whether a command is for elsewhere, and what of it runs there.
pub(crate) fn away(command: &Command) -> Option<RemoteRun> {
    let program = command.program();
    WAYS.iter().filter(|way| way.program == program).find_map(|way| along(way, command))
}

/// Names of this machine.
const HERE: &[&str] = &["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0"];

/// What `ssh` to this machine itself runs, as text for a shell that starts in the home.
pub(crate) fn comes_back(command: &Command) -> Option<String> {
    let rest = command.words.get(1..).filter(|_| command.program() == "ssh")?;
    let operands = after_operands(rest, SSH, 0);
    let host = operands.first()?.text.rsplit('@').next()?.to_owned();
    let text = HERE.contains(&host.as_str()).then(|| away(command))??.words.pop()?;
    Some(format!("cd ~ && {}", text.text))
}

/// Whether the words of a command name one for elsewhere.
pub(crate) fn goes_away(command: &Command) -> bool {
    away(command).is_some()
}

fn along(way: &RemoteProgram, command: &Command) -> Option<RemoteRun> {
    let mut rest = command.words.get(1..)?;
    for word in way.words {
        // Options of the program itself stand before the word.
        let at = own_word(rest, if program_is_compose(way) { COMPOSE } else { &[] })?;
        (rest.get(at)?.text == *word).then_some(())?;
        rest = rest.get(at + 1..)?;
    }
    let value_of = |names: &[&str]| {
        rest.iter().enumerate().find_map(|(index, word)| {
            let glued = names.iter().find_map(|name| word.text.strip_prefix(name)?.strip_prefix('='));
            match glued {
                Some(value) => Some(Word { text: value.to_owned(), ..word.clone() }),
                None => names.contains(&word.text.as_str()).then(|| rest.get(index + 1).cloned()).flatten(),
            }
        })
    };
    let (words, is_text) = match way.command {
        RemoteCommandPlace::Option(names) => (value_of(names).into_iter().collect(), true),
        AfterDashes => {
            let at = rest.iter().position(|word| word.text == "--");
            (at.and_then(|at| rest.get(at + 1..)).unwrap_or_default().to_vec(), false)
        }
        Text(operands) => (after_operands(rest, way.valued, operands), true),
        Words(operands) => (after_operands(rest, way.valued, operands), false),
    };
    let words = match (is_text, words.as_slice()) {
        (true, [_, _, ..]) => vec![joined(&words)],
        _ => words,
    };
    let directory =
        value_of(&["-w", "--workdir"]).filter(|word| word.known).map(|word| PathBuf::from(word.text));
    let mounts = if way.throwaway { mounts(rest, command.directory.as_deref()) } else { Vec::new() };
    Some(RemoteRun { words, is_text, throwaway: way.throwaway, mounts, directory })
}

/// The first word that is neither an option nor, for those that take one, its value.
fn own_word(words: &[Word], valued: &[&str]) -> Option<usize> {
    const GLOBAL: &[&str] =
        &["--context", "--namespace", "-n", "--kubeconfig", "-H", "--host", "-c", "--config"];
    let mut at = 0;
    loop {
        let text = words.get(at)?.text.as_str();
        match text.starts_with('-') {
            true if valued.contains(&text) || GLOBAL.contains(&text) => at += 2,
            true => at += 1,
            false => return Some(at),
        }
    }
}

/// What is left after the options and so many operands, each of which may be followed by options.
fn after_operands(words: &[Word], valued: &[&str], operands: usize) -> Vec<Word> {
    let mut rest = words;
    for taken in 0..=operands {
        while let Some((word, after)) = rest.split_first() {
            match word.text.as_str() {
                "--" => {
                    rest = after;
                    break;
                }
                // After a container or an image all words are the command.
                text if text.starts_with('-') && (taken == 0 || valued == SSH) => {
                    let skip = usize::from(valued.contains(&text));
                    rest = after.get(skip..).unwrap_or_default();
                }
                _ => break,
            }
        }
        if taken < operands {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest.to_vec()
}

/// The text that a shell elsewhere gets: the words with a blank between them, whatever quoted them here.
fn joined(words: &[Word]) -> Word {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    Word { text: texts.join(" "), known: words.iter().all(|word| word.known), ..Word::default() }
}

/// `-v HERE:THERE` and `--mount source=HERE,target=THERE`.
fn mounts(words: &[Word], directory: Option<&Path>) -> Vec<(PathBuf, PathBuf)> {
    let mut mounts = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let (name, glued) = match word.text.split_once('=').filter(|(name, _)| name.starts_with("--")) {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        let Some(value) = glued.or_else(|| words.get(index + 1).map(|next| next.text.as_str())) else {
            continue;
        };
        let (from, to) = match name {
            "-v" | "--volume" => {
                let mut parts = value.split(':');
                (parts.next(), parts.next())
            }
            "--mount" => {
                let part = |names: &[&str]| {
                    value.split(',').find_map(|part| {
                        let (name, value) = part.split_once('=')?;
                        names.contains(&name).then_some(value)
                    })
                };
                (part(&["source", "src"]), part(&["target", "destination", "dst"]))
            }
            _ => continue,
        };
        let (Some(from), Some(to)) = (from, to) else { continue };
        // A name without a slash is a volume, not a folder of this machine.
        if from.starts_with(['/', '.', '~']) {
            let from = match directory {
                Some(directory) => resolve(directory, from),
                None => PathBuf::from(from),
            };
            mounts.push((from, PathBuf::from(to)));
        }
    }
    mounts
}
