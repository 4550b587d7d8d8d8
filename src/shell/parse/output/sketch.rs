//! The text that a pipeline makes for a shell, good enough to read commands from: names of files are patterns of the
//! disk where only a pattern is known, and what is not known at all has a sign of its own.

use crate::shell::edit;
use crate::shell::model::{Command, CommandInput, PATTERN_SIGNS, Script, Word};
use crate::shell::parse::output::text::{LONGEST_PIPELINE, text_from};
use crate::shell::parse::output::{templates, words_from};

/// The text that comes in.
pub(crate) fn sketch_from(script: &Script, input: &CommandInput) -> Option<String> {
    sketch_in(script, input, LONGEST_PIPELINE)
}

fn sketch_in(script: &Script, input: &CommandInput, depth: u32) -> Option<String> {
    if let Some(text) = text_from(script, input) {
        return Some(text);
    }
    match input {
        CommandInput::Sketch(text) => Some(text.clone()),
        CommandInput::From(index) if depth > 0 => sketch_of(script, *index, depth - 1),
        _ => None,
    }
}

fn sketch_of(script: &Script, index: usize, depth: u32) -> Option<String> {
    let command = script.commands.get(index).filter(|command| !command.remote)?;
    match command.program() {
        "cat" | "tee" | "sort" | "uniq" if command.words.len() == 1 => {
            sketch_in(script, &command.input, depth)
        }
        "echo" => Some(echoed(command)),
        "ls" if !command.words.iter().any(|word| word.text == "-d") => Some(listed(command)),
        "sed" | "gsed" | "awk" | "gawk" | "mawk" | "nawk" => {
            let (edit, files) = edit::filter(command)?;
            files.is_empty().then_some(())?;
            edit.apply(&sketch_in(script, &command.input, depth)?)
        }
        "git" if templates::filled(command).is_some() => templates::filled(command),
        "find" | "fd" | "fdfind" | "git" | "grep" | "egrep" | "rg" | "head" | "tail" => {
            let words = words_from(script, &CommandInput::From(index), true)?;
            Some(words.iter().map(|word| word.handed() + "\n").collect())
        }
        _ => None,
    }
}

/// What `echo` prints, the names that its words stand for as patterns.
fn echoed(command: &Command) -> String {
    let words =
        command.words.iter().skip(1).skip_while(|word| matches!(word.text.as_str(), "-n" | "-e" | "-E"));
    words.map(Word::handed).collect::<Vec<_>>().join(" ") + "\n"
}

/// The names that `ls` prints: of a folder, those in it.
fn listed(command: &Command) -> String {
    let operands = command.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    let globs: Vec<String> = operands.filter(|word| word.glob).map(|word| word.handed() + "\n").collect();
    let any: String = PATTERN_SIGNS.iter().take(1).map(|(private, _)| *private).collect();
    if globs.is_empty() { any + "\n" } else { globs.concat() }
}
