//! The commands whose words are an edit: which of them is the program, which are files, and where the result goes.

pub(crate) mod perl_words;
pub(crate) mod sed_words;
pub(crate) mod settings;

use crate::shell::edit::commands::perl_words::perl_words;
use crate::shell::edit::commands::sed_words::sed_words;
use crate::shell::edit::commands::settings::one;
use crate::shell::edit::pattern::Flavour;
use crate::shell::edit::values::query::program;
use crate::shell::edit::values::{Format, ValueEdit, plain};
use crate::shell::edit::{ComputedEdit, EditStep, filters};
use crate::shell::model::{Command, Word};

/// The words of a command that are all known, without the program.
fn texts(command: &Command) -> Option<Vec<&str>> {
    let words = command.words.get(1..)?;
    words.iter().all(|word| word.known).then(|| words.iter().map(|word| word.text.as_str()).collect())
}

/// The edit that `sed -i` or `perl -pi` makes in its files.
pub(in crate::shell) fn in_place(command: &Command) -> Option<ComputedEdit> {
    // The files may be unknown: only the program must be known.
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let is_known = |text: &str| command.words.iter().any(|word| word.known && word.text == text);
    match command.program() {
        "sed" | "gsed" => sed_words(&words, is_known).map(|(edit, _)| edit),
        "perl" | "ruby" => perl_words(command.program(), &words, is_known).map(|(edit, _)| edit),
        "gawk" | "awk" => {
            let at = words.windows(2).position(|pair| matches!(pair, ["-i", "inplace"]))?;
            let text = words.iter().skip(at + 2).find(|word| !word.starts_with('-'))?;
            is_known(text).then(|| filters::awk::awk(text)).flatten()
        }
        _ => None,
    }
}

/// The edit between what a command reads and what it prints, and the files that it reads one after the other: none for
/// its input.
pub(in crate::shell) fn filter(command: &Command) -> Option<(ComputedEdit, Vec<&Word>)> {
    let words = texts(command)?;
    let (edit, files) = match command.program() {
        "sed" | "gsed" => sed_words(&words, |_| true)?,
        name @ ("perl" | "ruby") => perl_words(name, &words, |_| true)?,
        "grep" => filters::grep(&words, Flavour::Basic, false)?,
        "egrep" => filters::grep(&words, Flavour::Extended, false)?,
        "fgrep" => filters::grep(&words, Flavour::Basic, true)?,
        "head" => filters::ends(&words, true)?,
        "tail" => filters::ends(&words, false)?,
        "awk" | "gawk" | "mawk" | "nawk" => {
            if words.first()?.starts_with('-') {
                return None;
            }
            (filters::awk::awk(words.first()?)?, (1..words.len()).collect())
        }
        "cat" => (ComputedEdit { steps: Vec::new() }, files_only(&words)?),
        "jq" | "yq" | "gojq" | "jaq" => query(command.program(), &words)?,
        "toml" => toml_set(&words)?,
        _ => return None,
    };
    // Of several files most programs print more than their lines, or number them in their own way.
    let may_be_several = command.program() == "cat";
    match files.as_slice() {
        [one] if words.get(*one) == Some(&"-") => Some((edit, Vec::new())),
        [_, _, ..] if !may_be_several || files.iter().any(|at| words.get(*at) == Some(&"-")) => None,
        files => Some((edit, files.iter().filter_map(|at| command.words.get(at + 1)).collect())),
    }
}

fn files_only(words: &[&str]) -> Option<Vec<usize>> {
    words.iter().all(|word| !word.starts_with('-') || *word == "-").then(|| (0..words.len()).collect())
}

fn is_part(words: &[&str], script: &str) -> bool {
    words.iter().any(|word| word.len() > script.len() && word.ends_with(script))
}

/// A program of `jq` or `yq` and the places of its files.
fn query(name: &str, words: &[&str]) -> Option<(ComputedEdit, Vec<usize>)> {
    let mut files = Vec::new();
    let mut arguments = Vec::new();
    let mut text = None;
    let mut index = 0;
    while let Some(word) = words.get(index).copied() {
        index += 1;
        match word {
            "--arg" | "--argjson" => {
                let (key, value) = (words.get(index)?, words.get(index + 1)?);
                let value = if word == "--arg" { serde_json::Value::from(*value) } else { plain(value) };
                arguments.push(((*key).to_owned(), value));
                index += 2;
            }
            "--indent" | "-I" => index += 1,
            "eval" | "e" if text.is_none() && name == "yq" => {}
            "-n" | "--null-input" | "-s" | "--slurp" | "-R" | "--raw-input" | "-f" | "--from-file" => {
                return None;
            }
            _ if word.starts_with('-') && word.len() > 1 => {}
            _ if text.is_none() => text = Some(word),
            _ => files.push(index - 1),
        }
    }
    let assignments = program(text?, &arguments)?;
    let first = files.first().and_then(|at| words.get(*at)).copied().unwrap_or_default();
    let format = match name {
        "yq" if first.is_empty() => Format::Yaml,
        _ => Format::of(first),
    };
    Some((ComputedEdit { steps: vec![EditStep::Set(ValueEdit { format, assignments })] }, files))
}

/// `toml set FILE KEY VALUE`, which prints.
fn toml_set(words: &[&str]) -> Option<(ComputedEdit, Vec<usize>)> {
    let ["set", _, key, value] = words else { return None };
    Some((one(Format::Toml, key, Some(value)), vec![1]))
}
