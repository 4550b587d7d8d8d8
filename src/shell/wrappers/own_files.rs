//! Files that the text itself wrote, copied, opened or downloaded, so that running one of them runs what is known of it.

use std::path::{Path, PathBuf};

use crate::shell::model::{Command, ScriptLanguage, UNSEEN, Unseen, Word, program_name, resolve};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::parse::streams::FIRST_SUBSTITUTION;
use crate::shell::wrappers::execution::named_as;
use crate::shell::wrappers::{interpreters, remote_exec};

/// So many files are noted whose text a text runs.
const MOST_RUN: usize = 16;

/// A script for a shell: no first line that names another interpreter.
fn is_shell_script(text: &str) -> bool {
    text.strip_prefix("#!").is_none_or(|rest| rest.lines().next().unwrap_or_default().contains("sh"))
}

impl ScriptReader {
    /// `./install.sh`, where this text has written or fetched that file.
    pub(crate) fn starts_own_file(&mut self, command: &Command) -> bool {
        let Some(program) = command.words.first().filter(|word| word.known && word.text.contains('/')) else {
            return false;
        };
        match self.file(&program.clone(), command) {
            Some((_, unseen @ Some(_))) => self.push_unseen(command.clone(), ScriptLanguage::Shell, unseen),
            Some((text, None)) if is_shell_script(&text) => {
                let arguments = command.words.get(1..).unwrap_or_default().to_vec();
                self.shell_text(&text, Some(arguments), command);
            }
            Some((_, None)) => return false,
            None => {
                // The command stays what it is; what is known of its text comes beside it.
                if let Some(text) = self.known_file(&program.clone(), command) {
                    self.runs_known(&text, command);
                }
                return false;
            }
        }
        true
    }

    /// Reads the text of a file that is run by its name.
    fn runs_known(&mut self, text: &str, command: &Command) {
        if let (true, Some(path)) = (is_shell_script(text), command.words.first()) {
            let arguments = command.words.get(1..).unwrap_or_default().to_vec();
            return self.shell_text(text, Some(arguments), &named_as(path, command));
        }
        let first = text.lines().next().unwrap_or_default();
        let mut words = first.trim_start_matches("#!").split_whitespace().map(program_name);
        let program = words.find(|word| *word != "env" && !word.starts_with('-')).unwrap_or_default();
        if let Some(language) = interpreters::language(program) {
            self.push_code(command.clone(), language, Some(text.to_owned()));
        }
    }

    /// The text of a file that somebody else is known to have written; of any other it is noted that its text is run.
    pub(crate) fn known_file(&mut self, word: &Word, command: &Command) -> Option<String> {
        let path = self.path(word, command.directory.as_deref())?;
        if let Some(text) = self.known.get(&path) {
            return Some(text.clone());
        }
        let of_the_system = ["/usr", "/bin", "/sbin", "/opt", "/dev"].iter().any(|it| path.starts_with(it));
        if !of_the_system && self.script.runs.len() < MOST_RUN && !self.script.runs.contains(&path) {
            self.script.runs.push(path);
        }
        None
    }

    /// What is known of a file that this text wrote, opened or downloaded.
    pub(crate) fn file(&self, word: &Word, command: &Command) -> Option<(String, Option<Unseen>)> {
        if word.text.contains(UNSEEN) {
            return Some((String::new(), Some(Unseen::Stream)));
        }
        let path = self.path(word, command.directory.as_deref())?;
        if self.fetched.iter().any(|folder| path.starts_with(folder)) && !self.files.contains_key(&path) {
            return Some((String::new(), Some(Unseen::Folder)));
        }
        let text = self.files.get(&path)?.clone();
        let stream = path.starts_with("/dev/fd");
        let unseen = if stream { Unseen::Stream } else { Unseen::File };
        let is_unseen = text.contains(UNSEEN);
        Some((text, is_unseen.then_some(unseen)))
    }

    /// Gives a text the name that a process substitution has.
    pub(crate) fn virtual_file(&mut self, text: String) -> String {
        self.opened += 1;
        let name = format!("/dev/fd/{}", FIRST_SUBSTITUTION + self.opened);
        self.files.insert(PathBuf::from(&name), text);
        name
    }

    pub(crate) fn path(&self, word: &Word, directory: Option<&Path>) -> Option<PathBuf> {
        (word.known && !word.glob).then_some(())?;
        if let Some(number) = remote_exec::descriptor(Path::new(&word.text)) {
            return Some(self.descriptor(number));
        }
        match Path::new(&word.text).is_absolute() {
            true => self.home_of(&resolve(Path::new("/"), &word.text)),
            false => Some(resolve(directory?, &word.text)),
        }
    }
}
