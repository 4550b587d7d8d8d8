//! Files that the text itself wrote, copied, opened or downloaded, so that running one of them runs what is known of it.

use std::path::{Path, PathBuf};

use crate::shell::model::{
    Command, CommandInput, ScriptLanguage, UNKNOWN, UNSEEN, Unseen, Word, program_name, resolve,
};
use crate::shell::parse::output;
use crate::shell::parse::reader::ScriptReader;
use crate::shell::parse::streams::FIRST_SUBSTITUTION;
use crate::shell::wrappers::execution::named_as;
use crate::shell::wrappers::unwrap::prefixes;
use crate::shell::wrappers::{interpreters, remote_exec};

/// So many files are noted whose text a text runs.
const MOST_RUN: usize = 16;

/// A script for a shell: no first line that names another interpreter.
fn is_shell_script(text: &str) -> bool {
    text.strip_prefix("#!").is_none_or(|rest| rest.lines().next().unwrap_or_default().contains("sh"))
}

/// `-a file` among the words of `xargs`: where it stands, the file, and how many words it is.
fn list_of_xargs(words: &[Word]) -> Option<(usize, Word, usize)> {
    let glued = |word: &Word| {
        let text = word.text.strip_prefix("--arg-file=").or_else(|| word.text.strip_prefix("-a"))?;
        (!text.is_empty()).then(|| Word { text: text.to_owned(), ..word.clone() })
    };
    words.iter().enumerate().skip(1).take_while(|(_, word)| word.text.starts_with('-')).find_map(
        |(at, word)| match word.text.as_str() {
            "-a" | "--arg-file" => Some((at, words.get(at + 1)?.clone(), 2)),
            _ => Some((at, glued(word)?, 1)),
        },
    )
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

    /// Files whose lines a command hands on, or gets as words: what is known of them, and a note of what is not.
    pub(crate) fn take_list(&mut self, command: &mut Command) {
        match command.program() {
            "cat" | "tac" | "sort" if !command.words.iter().any(|word| word.text == "-o") => {
                let files: Vec<Word> = command
                    .words
                    .iter()
                    .skip(1)
                    .filter(|word| !word.text.starts_with('-'))
                    .cloned()
                    .collect();
                let texts = files.iter().map(|file| self.list_text(file, command));
                let texts: Option<Vec<String>> = texts.collect();
                command.prints = texts.map(|texts| texts.concat()).filter(|_| !files.is_empty());
            }
            "grep" | "egrep" | "fgrep" | "head" | "tail" | "awk" | "uniq"
                if command.input == CommandInput::None =>
            {
                let file = command.words.last().filter(|_| command.words.len() > 1).cloned();
                let text = file.and_then(|file| self.list_text(&file, command));
                command.input = text.map_or(CommandInput::None, CommandInput::Text);
            }
            "psql" | "mysql" | "mariadb" | "cockroach" | "sqlcmd" if command.input == CommandInput::None => {
                let named = prefixes::after_option(
                    command.words.get(1..).unwrap_or_default(),
                    &["-f", "--file", "-i"],
                );
                let text = named.and_then(|file| self.list_text(&file, command));
                command.input = text.map_or(CommandInput::None, CommandInput::Text);
            }
            "xargs" | "parallel" | "env_parallel" | "rush" => {
                let Some((at, file, length)) = list_of_xargs(&command.words) else { return };
                if let Some(text) = self.list_text(&file, command) {
                    command.words.drain(at..at + length);
                    command.input = CommandInput::Text(text);
                }
            }
            _ => {}
        }
    }

    /// The text of a file, where this text wrote it or it is known; else it is noted.
    pub(crate) fn list_text(&mut self, file: &Word, command: &Command) -> Option<String> {
        if self.is_elsewhere() {
            return None;
        }
        let path = self.path(file, command.directory.as_deref())?;
        let text = self.files.get(&path).filter(|text| !text.contains([UNSEEN, UNKNOWN])).cloned();
        if text.is_none() {
            self.note_list(path);
        }
        text
    }

    /// Notes a file whose lines become words and whose text is not known.
    pub(crate) fn note_list(&mut self, path: PathBuf) {
        let is_new = !self.files.contains_key(&path) && !self.script.lists.contains(&path);
        if is_new && self.script.lists.len() < MOST_RUN {
            self.script.lists.push(path);
        }
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
