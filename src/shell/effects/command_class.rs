//! What a program does when nothing is known to be lost by it: read, check, make something new, or run code.

pub(crate) mod checkers;
pub(crate) mod readers;

use crate::shell::effects::command_class::checkers::is_check;
use crate::shell::effects::command_class::readers::{MAKERS, READERS, writes_in_program};
use crate::shell::model::{Command, Word};

/// What running a command means for the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandClass {
    /// Changes nothing.
    Reads,
    /// Compilers, linters and test runners: they write build output only.
    Checks,
    /// Makes new files or changes what is not a file of the project.
    Makes,
    /// May change files in ways that are not known.
    RunsCode,
}

/// What a command does besides its known effects.
pub(crate) fn class(command: &Command) -> CommandClass {
    if command.remote || command.words.is_empty() {
        return if command.remote { CommandClass::Makes } else { CommandClass::Reads };
    }
    let program = command.program();
    let operands = command.words.get(1..).unwrap_or_default();
    if operands.iter().all(|word| word.known) && is_version_or_help(operands) {
        return CommandClass::Reads;
    }
    let first = command.words.first().map_or("", |word| word.text.as_str());
    let at_home = !first.contains('/') || first.starts_with("/usr/") || first.starts_with("/bin/");
    let reader = READERS.iter().find(|(names, _)| names.contains(&program)).filter(|_| at_home);
    if let Some((_, options)) = reader {
        if !operands.iter().any(|word| options.contains(&word.text.as_str()))
            && !writes_in_program(program, operands)
        {
            return CommandClass::Reads;
        }
        return if program == "curl" || program == "gh" {
            CommandClass::Makes
        } else {
            CommandClass::RunsCode
        };
    }
    if is_check(program, operands) {
        return CommandClass::Checks;
    }
    if MAKERS.contains(&program) { CommandClass::Makes } else { CommandClass::RunsCode }
}

fn is_version_or_help(operands: &[Word]) -> bool {
    matches!(operands, [only] if matches!(only.text.as_str(), "--version" | "--help" | "-V" | "-h" | "-help"))
}
