//! Where a shell stands: `cd`, `pushd` and `popd`, and where it stays if they fail.

use std::path::PathBuf;

use crate::shell::model::{Command, Word};
use crate::shell::parse::reader::ScriptReader;

/// The longest directory that is followed, in bytes: no system takes a longer one.
const LONGEST_DIRECTORY: usize = 4096;

impl ScriptReader {
    pub(super) fn change_directory(&mut self, program: &str, operands: &[&Word]) {
        let target = operands.iter().find(|word| word.text == "-" || !word.text.starts_with('-'));
        let from = self.place.directory.clone();
        self.place.directory = match target {
            _ if program == "popd" => self.place.previous.clone(),
            Some(word) if word.text == "-" => self.place.previous.clone(),
            Some(word) => {
                let found = self.below_a_given_folder(word).or(from.clone());
                self.path(word, found.as_deref()).filter(|path| path.as_os_str().len() <= LONGEST_DIRECTORY)
            }
            None if program == "cd" => Some(self.home.clone()),
            None => None,
        };
        self.place.previous = from;
    }

    /// Where the shell stands if a `cd` fails and the text goes on all the same.
    pub(super) fn may_stay(&self, from: Option<PathBuf>) -> Option<(PathBuf, usize)> {
        let ends = |command: &Command| matches!(command.program(), "exit" | "return" | "break" | "continue");
        let from = from.filter(|from| self.place.directory.as_ref().is_some_and(|to| to != from))?;
        let goes_on = !self.place.stops_on_failure && self.tested.is_empty() && self.loops == 0;
        (goes_on && !self.is_elsewhere() && !self.script.commands.iter().any(ends))
            .then_some((from, self.script.commands.len()))
    }

    /// The folder of `CDPATH` in which `cd` looks for a name first.
    fn below_a_given_folder(&self, word: &Word) -> Option<PathBuf> {
        let values = self.place.variables.get("CDPATH")?.as_ref()?;
        let folders = self.known_text(values.first()?)?;
        let first = folders.split(':').find(|folder| !folder.is_empty())?;
        let is_plain = !word.text.starts_with(['/', '.', '-', '~']);
        is_plain.then(|| self.path(&Word::literal(first), self.place.directory.as_deref())).flatten()
    }
}
