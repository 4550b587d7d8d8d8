//! The scripts of a criterion: what counts of them, what they run, and what they take in.

use std::path::Path;

use crate::languages::modules::imports::folder;
use crate::languages::{file_name, is_test_path};
use crate::loops::criterion_inputs::{
    CHECK_FOLDERS, DEEPEST, FilePiece, INTERPRETERS, InputSearch, LARGEST_SCRIPT, TAKES_IN, helpers, joined,
    relative,
};
use crate::model::folders::{BUILT, FETCHED, INSTALLED};
use crate::shell::{Command, UNKNOWN, UNSEEN};

impl InputSearch<'_> {
    /// A script that a command takes in or runs from a folder that it works out: `. "$(dirname "$0")/lib.sh"`.
    pub(super) fn computed(&mut self, command: &Command, depth: u32) {
        let Some(folder) = self.script.clone() else { return };
        let mut words = command.words.iter();
        let first = words.next();
        let runs = first.is_some_and(|word| {
            let name = word.text.rsplit('/').next().unwrap_or_default();
            word.known && (TAKES_IN.contains(&name) || INTERPRETERS.contains(&name))
        });
        let word = if runs { words.find(|word| !(word.known && word.text.starts_with('-'))) } else { first };
        let Some(word) = word.filter(|word| !word.known) else { return };
        let Some((_, tail)) = word.text.rsplit_once([UNKNOWN, UNSEEN]) else { return };
        let tail = tail.trim_start_matches('/');
        // The folder is mostly the script's own, else the one above, or the project.
        for place in [folder.as_str(), &joined(&folder, ".."), ""] {
            let found = relative(Path::new(place), tail)
                .filter(|path| !tail.is_empty() && (self.read)(path).is_some());
            if let Some(path) = found {
                return self.script(&path, "", true, depth);
            }
        }
    }

    /// Adds the first of these files that is there, as a part of the check.
    pub(super) fn first_of(&mut self, paths: &[String], depth: u32) {
        if let Some(path) = paths.iter().find(|path| (self.read)(path).is_some()) {
            self.script(path, "", true, depth);
        }
    }

    /// A file that is run: what it says counts when it is a check and not what is being made.
    pub(super) fn script(&mut self, file: &str, place: &str, always: bool, depth: u32) {
        let Some(path) = relative(Path::new(place), file) else { return };
        let mut segments: Vec<&str> = path.split('/').collect();
        let name = segments.pop().unwrap_or_default();
        if segments
            .iter()
            .any(|folder| [BUILT, INSTALLED, FETCHED].iter().any(|names| names.contains(folder)))
            || is_test_path(&path) && !always
        {
            return;
        }
        let stem = name.split('.').next().unwrap_or_default();
        let checks =
            segments.iter().any(|folder| CHECK_FOLDERS.contains(folder)) || helpers::is_check_name(stem);
        let Some(text) =
            (self.read)(&path).filter(|text| text.len() <= LARGEST_SCRIPT && !text.contains('\0'))
        else {
            return;
        };
        if !(always || checks) || !self.add(&path, FilePiece::Whole, Some(&text)) {
            return;
        }
        self.follow(&path, &text, place, depth + 1);
    }

    /// What a script runs and takes in.
    fn follow(&mut self, path: &str, text: &str, place: &str, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        let folder = folder(path);
        let is_run_by_shell = match text.lines().next().filter(|line| line.starts_with("#!")) {
            Some(line) => line.ends_with("sh"),
            None => !file_name(path).contains('.'),
        };
        if is_run_by_shell || is_shell(path) {
            let before = self.script.replace(folder.to_owned());
            self.command(text, Path::new(if place.is_empty() { "." } else { place }), depth);
            self.script = before;
            return;
        }
        for taken in helpers::taken(path, text) {
            let there = taken.paths.iter().find(|path| (self.read)(path).is_some());
            if let Some(helper) = there.filter(|helper| taken.is_helper(helper, folder)) {
                self.script(helper, "", true, depth);
            }
        }
    }
}

/// Whether a file holds commands of a shell by its name.
pub(super) fn is_shell(path: &str) -> bool {
    [".sh", ".bash", ".zsh", ".bats"].iter().any(|ending| path.ends_with(ending))
}
