//! What the text has written, copied, cloned or taken away by the time that a later command runs.

use crate::shell::model::{Command, UNSEEN, Word};
use crate::shell::parse::output;
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::remote_exec;

impl ScriptReader {
    /// What the last command wrote whole with known content, so that running the file runs that text.
    pub(crate) fn remember_files(&mut self) {
        let Some(index) = self.script.commands.len().checked_sub(1) else { return };
        let Some(command) = self.script.commands.get(index) else { return };
        let directory = command.directory.clone();
        let fetched = remote_exec::downloads_to(command);
        let passed_on = match (command.program(), remote_exec::comes_in(&self.script, &command.input)) {
            ("tee", true) => command.words.get(1).cloned(),
            _ => None,
        };
        for file in fetched.iter().chain(&passed_on) {
            if let Some(path) = self.path(file, directory.as_deref()) {
                self.files.insert(path, UNSEEN.to_string());
            }
        }
        self.remember_made(index);
        self.remember_clone(index);
        self.remember_passed_on(index);
        self.remember_copies(index);
        let Some(command) = self.script.commands.get(index) else { return };
        let Some(redirect) = command.redirects.iter().find(|redirect| redirect.output) else { return };
        let Some(path) = self.path(&redirect.target, command.directory.as_deref()) else { return };
        match output::text::text_of(&self.script, index) {
            Some(text) if redirect.append => self.files.entry(path).or_default().push_str(&text),
            Some(text) => {
                self.files.insert(path, text);
            }
            None if remote_exec::prints(&self.script, index)
                || self.prints_unseen_but_for_redirect(index) =>
            {
                self.files.insert(path, UNSEEN.to_string());
            }
            None => {
                self.files.remove(&path);
            }
        }
    }

    /// The files that a command makes by a redirection, or by a new name for another.
    fn remember_made(&mut self, index: usize) {
        const MOST_MADE: usize = 64;
        let Some(command) = self.script.commands.get(index) else { return };
        let directory = command.directory.clone();
        let renames = matches!(command.program(), "mv" | "cp" | "ln" | "install");
        let mut operands = command.words.iter().skip(1).filter(|it| renames && !it.text.starts_with('-'));
        let renamed = operands.next().and(operands.next()).filter(|_| operands.next().is_none());
        let written = command.redirects.iter().map(|redirect| &redirect.target);
        let files: Vec<Word> = written.chain(renamed).cloned().collect();
        for file in files {
            let path = self.path(&file, directory.as_deref());
            self.made.extend(path.filter(|_| self.made.len() < MOST_MADE));
        }
    }

    /// `git clone https://… folder`: what is in the folder then, nobody has seen.
    fn remember_clone(&mut self, index: usize) {
        let Some(command) = self.script.commands.get(index) else { return };
        let words: Vec<&Word> =
            command.words.iter().skip(1).filter(|word| !word.text.starts_with('-')).collect();
        let is_clone = command.program() == "git" && words.first().is_some_and(|word| word.text == "clone");
        let is_away = |word: &Word| {
            word.text.starts_with("git@") || (word.text.contains("://") && !word.text.starts_with("file:"))
        };
        let Some(at) = words.iter().position(|word| is_away(word)).filter(|_| is_clone) else { return };
        let address = words.get(at).map_or("", |word| word.text.trim_end_matches('/'));
        let name = address.trim_end_matches(".git").rsplit(['/', ':']).next().unwrap_or_default();
        let folder = words.get(at + 1).map_or_else(|| Word::literal(name), |word| (*word).clone());
        let path = self.path(&folder, command.directory.as_deref());
        self.fetched.extend(path);
    }

    /// `tee file` and `dd of=file`: what comes in goes into the file.
    fn remember_passed_on(&mut self, index: usize) {
        let Some(command) = self.script.commands.get(index) else { return };
        let files: Vec<Word> = match command.program() {
            "tee" | "sponge" => {
                let appends =
                    command.words.iter().any(|word| matches!(word.text.as_str(), "-a" | "--append"));
                let files = command.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
                files.filter(|_| !appends).cloned().collect()
            }
            "dd" => {
                let given = |word: &Word| word.text.strip_prefix("of=").map(Word::literal);
                command.words.iter().filter_map(given).collect()
            }
            _ => return,
        };
        let Some(text) = output::text::text_from(&self.script, &command.input) else { return };
        let directory = command.directory.clone();
        for file in files {
            if let Some(path) = self.path(&file, directory.as_deref()) {
                self.files.insert(path, text.clone());
            }
        }
    }

    /// `curl … > file`: what would be printed goes into the file.
    fn prints_unseen_but_for_redirect(&self, index: usize) -> bool {
        let Some(command) = self.script.commands.get(index) else { return false };
        let bare = Command { redirects: Vec::new(), ..command.clone() };
        remote_exec::would_print(&self.script, &bare)
    }

    /// A copy of a file of this text, by whichever program, is the same text.
    fn remember_copies(&mut self, index: usize) {
        let Some(command) = self.script.commands.get(index) else { return };
        let directory = command.directory.clone();
        let operands: Vec<Word> = match command.program() {
            "cp" | "mv" | "ln" | "install" | "rsync" => {
                command.words.iter().skip(1).filter(|word| !word.text.starts_with('-')).cloned().collect()
            }
            "rm" | "unlink" => {
                let words: Vec<Word> = command.words.iter().skip(1).cloned().collect();
                for word in words {
                    if let Some(path) = self.path(&word, directory.as_deref()) {
                        self.files.remove(&path);
                    }
                }
                return;
            }
            "dd" => ["if=", "of="]
                .iter()
                .filter_map(|name| command.words.iter().find_map(|word| word.text.strip_prefix(name)))
                .map(Word::literal)
                .collect(),
            _ => return,
        };
        let fetches = command.program() == "rsync";
        let [from, to] = operands.as_slice() else { return };
        let remote = fetches && from.text.split('/').next().is_some_and(|host| host.contains(':'));
        let Some(path) = self.path(to, directory.as_deref()) else { return };
        let text = match (remote, self.path(from, directory.as_deref())) {
            (true, _) => Some(UNSEEN.to_string()),
            (false, Some(from)) => self.files.get(&from).cloned(),
            (false, None) => None,
        };
        self.files.extend(text.map(|text| (path, text)));
    }
}
