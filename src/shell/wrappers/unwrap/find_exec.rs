//! The commands that `find -exec` runs for what it finds.

use crate::shell::model::{Command, Word, program_name};
use crate::shell::parse::output::fd::fd_words;
use crate::shell::parse::output::find::{find_deletes, find_words};
use crate::shell::wrappers::peeled::PeeledCommand;
use crate::shell::wrappers::unwrap::xargs::fill;

/// The most `-exec` of one `find` that are read.
const MOST_EXECS: usize = 16;

pub(crate) fn find(command: &Command) -> PeeledCommand {
    let is_exec = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let mut commands = Vec::new();
    let mut rest = command.words.as_slice();
    while let Some(at) = rest.iter().position(is_exec).filter(|_| commands.len() < MOST_EXECS) {
        let after = rest.get(at + 1..).unwrap_or_default();
        let end =
            after.iter().position(|word| matches!(word.text.as_str(), ";" | "+")).unwrap_or(after.len());
        let given = after.get(..end).unwrap_or_default();
        rest = after.get(end..).unwrap_or_default();
        let Some(program) = given.first().map(|word| program_name(&word.text)) else { continue };
        let mut words = fill(given, "{}", &find_words(command));
        // What `find` names is everything below its roots.
        if matches!(program, "chmod" | "chown" | "chgrp") {
            words.insert(1, Word::literal("-R"));
        }
        if program != "find" {
            commands.push(words);
        }
    }
    match commands.is_empty() {
        true => PeeledCommand::Plain,
        false => PeeledCommand::Each { commands, keeps: find_deletes(command) },
    }
}

/// `fd … -x command`: the words after the option, up to a `;`.
pub(crate) fn fd(command: &Command) -> PeeledCommand {
    let is_exec = |word: &Word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch");
    let Some(at) = command.words.iter().position(is_exec) else { return PeeledCommand::Plain };
    let given = command.words.get(at + 1..).unwrap_or_default();
    let given = given.split(|word| word.text == ";").next().unwrap_or_default();
    let values = fd_words(command.words.get(1..at).unwrap_or_default());
    let holds = given.iter().any(|word| word.text.contains("{}"));
    let words = match holds {
        true => fill(given, "{}", &values),
        false => given.iter().chain(&values).cloned().collect(),
    };
    if given.is_empty() {
        PeeledCommand::Plain
    } else {
        PeeledCommand::Each { commands: vec![words], keeps: false }
    }
}
