//! A foreign tool that does what a git command does.

use super::call::{ForeignToolCall, posix};
use super::fields::{ARGUMENT_FIELDS, FOLDER_FIELDS, REPOSITORY_FIELDS, REVISION_FIELDS};
use super::words::{GIT, NO_GIT};
use crate::model::event::Action;
use crate::model::shell_word::word;

impl ForeignToolCall<'_> {
    /// A tool that does what a git command does, by the name of that command.
    pub(super) fn git(&self) -> Option<Action> {
        let verb = self.words.iter().find(|word| GIT.contains(&word.as_str()))?;
        if !(self.says(&["git"]) || self.server == "git") || self.says(NO_GIT) {
            return None;
        }
        // How far a server's own reset goes without a word is not known.
        let says_how_far = self.input.has("mode") || self.input.flag("hard");
        if verb == "reset" && !says_how_far {
            return None;
        }
        let mut command = "git".to_owned();
        if let Some(folder) = self.first(FOLDER_FIELDS).or_else(|| self.first(REPOSITORY_FIELDS)) {
            command.push_str(&format!(" -C {}", word(folder)));
        }
        command.push_str(&format!(" {verb}"));
        for mode in ["mode", "type"].iter().filter_map(|field| self.input.text(field)) {
            command.push_str(&format!(" --{}", word(mode.trim_start_matches('-'))));
        }
        if ["hard", "force"].iter().any(|flag| self.input.flag(flag)) {
            command.push_str(if verb == "reset" { " --hard" } else { " --force" });
        }
        command.extend(
            REVISION_FIELDS
                .iter()
                .filter_map(|field| self.words_of(field))
                .flat_map(|it| [" ".to_owned(), it]),
        );
        let arguments = ARGUMENT_FIELDS.iter().filter_map(|field| self.words_of(field));
        command.extend(arguments.flat_map(|arguments| [" ".to_owned(), arguments]));
        Some(posix(command))
    }
}
