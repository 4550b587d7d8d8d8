//! What a command does besides its effects, where these are known.

use crate::shell::effects::command_class::CommandClass;
use crate::shell::effects::{command_class, git_call, programs};
use crate::shell::model::Command;
use crate::shell::wrappers::{interpreter_code, other_machines};

/// What a command does besides its effects.
pub(super) fn class(command: &Command, has_effects: bool) -> CommandClass {
    if command.remote || other_machines::goes_away(command) {
        return CommandClass::Makes;
    }
    if let Some(code) = &command.code {
        return match &code.text {
            None if only_sets_variables(command) => CommandClass::Reads,
            Some(text) if interpreter_code::only_reads(code.language, text) => CommandClass::Reads,
            Some(text) if has_effects && !interpreter_code::file_calls(code.language, text).is_empty() => {
                CommandClass::RunsCode
            }
            None if code.unseen.is_some() => CommandClass::RunsCode,
            _ if has_effects && is_edit_in_place(command) => CommandClass::Makes,
            _ => CommandClass::RunsCode,
        };
    }
    match command.program() {
        "git" => git_call::class::class(command),
        name if has_effects && programs::known(name).is_some() => CommandClass::Makes,
        "rm" | "rmdir" | "mv" | "cp" | "tee" | "chmod" | "chown" | "ln" | "dd" | "rsync" | "install" => {
            CommandClass::Makes
        }
        "find" | "steadfast" if has_effects => CommandClass::Makes,
        // What is empty is no loss, and is a change.
        "find" if command.words.iter().any(|word| word.text == "-delete") => CommandClass::Makes,
        _ => command_class::class(command),
    }
}

/// Files that are sourced everywhere and only set the shell's variables.
fn only_sets_variables(command: &Command) -> bool {
    let file = command.words.get(1).filter(|file| file.known).map_or("", |file| file.text.as_str());
    matches!(command.program(), "source" | ".")
        && ["bin/activate", ".cargo/env", "nvm.sh"].iter().any(|known| file.ends_with(known))
}

fn is_edit_in_place(command: &Command) -> bool {
    matches!(command.program(), "perl" | "ruby")
}
