//! What a command does to the shell itself: directories, variables, functions, and the text that it runs.

use std::path::{Path, PathBuf};

use super::parse::{Reader, TREE_LEVELS};
use super::unwrap::{self, Peeled};
use super::{Code, Command, Language, MOST_COMMANDS, Word, inline, output, resolve, unquote};

/// The longest directory that is followed, in bytes: no system takes a longer one.
const LONGEST_DIRECTORY: usize = 4096;

impl Reader {
    /// Follows what a command does to the shell, takes wrappers off, and keeps what is left.
    pub(super) fn run(&mut self, mut command: Command) {
        if self.script.commands.len() >= MOST_COMMANDS {
            return self.unread(&command.source.clone());
        }
        command.directory = command.directory.or_else(|| self.place.directory.clone());
        if self.builtin(&command) || self.call(&command) {
            self.redirects_of(command);
            return;
        }
        if self.depth >= TREE_LEVELS {
            return self.unread(&command.source.clone());
        }
        self.depth += 1;
        self.peel(command);
        self.depth -= 1;
    }

    /// A builtin that was followed still writes where it is redirected.
    fn redirects_of(&mut self, command: Command) {
        if !command.redirects.is_empty() {
            self.push(Command { words: vec![Word::literal(":")], ..command });
        }
    }

    fn peel(&mut self, command: Command) {
        let input_words = || output::words_from(&self.script, &command.input);
        match unwrap::peel(&command, input_words) {
            Peeled::Plain => self.push(command),
            Peeled::Inner { words, directory, keeps } => {
                let inner = Command { words, ..command.clone() };
                if keeps {
                    self.push(command.clone());
                }
                match directory {
                    Some(to) => {
                        let to = self.path(&to, inner.directory.as_deref());
                        self.isolated(|reader| {
                            reader.place.directory.clone_from(&to);
                            reader.run(Command { directory: to, ..inner });
                        });
                    }
                    None => self.run(inner),
                }
            }
            Peeled::ShellText { text, arguments } => {
                self.shell_text(&text, Some(arguments), &command);
                self.redirects_of(command);
            }
            Peeled::ShellInput => match output::sketch_from(&self.script, &command.input) {
                Some(text) => {
                    self.shell_text(&text, None, &command);
                    self.redirects_of(command);
                }
                None => self.push_code(command, Language::Shell, None),
            },
            Peeled::ShellFile { path, arguments } => {
                let file =
                    self.path(&path, command.directory.as_deref()).and_then(|p| self.files.get(&p).cloned());
                match file {
                    Some(text) => self.shell_text(&text, Some(arguments), &command),
                    None => self.push_code(command, Language::Shell, None),
                }
            }
            Peeled::Code { language, text } => self.push_code(command, language, text),
            Peeled::CodeInput { language } => {
                let text = output::sketch_from(&self.script, &command.input);
                self.push_code(command, language, text);
            }
            Peeled::Remote => self.push(Command { remote: true, ..command }),
        }
    }

    /// Text run by a new shell.
    fn shell_text(&mut self, text: &str, arguments: Option<Vec<Word>>, command: &Command) {
        self.isolated(|reader| {
            reader.place.directory.clone_from(&command.directory);
            for (name, value) in &command.assignments {
                reader.set(name.clone(), value.as_ref().map(|value| vec![unquote::quoted(value)]));
            }
            reader.place.arguments = arguments;
            reader.inner_text(text);
        });
    }

    /// Keeps a command with its code, and reads the shell texts that the code runs.
    fn push_code(&mut self, command: Command, language: Language, text: Option<String>) {
        let shells = text.as_deref().map(|text| inline::shell_texts(language, text)).unwrap_or_default();
        self.push(Command { code: Some(Code { language, text }), ..command.clone() });
        for shell in shells {
            self.shell_text(&shell, None, &command);
        }
    }

    pub(super) fn push(&mut self, command: Command) {
        if self.script.commands.len() >= MOST_COMMANDS {
            return self.unread(&command.source);
        }
        self.script.commands.push(command);
        self.remember_files();
    }

    /// What the last command wrote whole with known content, so that running the file runs that text.
    fn remember_files(&mut self) {
        let Some(index) = self.script.commands.len().checked_sub(1) else { return };
        let Some(command) = self.script.commands.get(index) else { return };
        let Some(redirect) = command.redirects.iter().find(|redirect| redirect.output) else { return };
        let Some(path) = self.path(&redirect.target, command.directory.as_deref()) else { return };
        match output::text_of(&self.script, index) {
            Some(text) if redirect.append => self.files.entry(path).or_default().push_str(&text),
            Some(text) => {
                self.files.insert(path, text);
            }
            None => {
                self.files.remove(&path);
            }
        }
    }

    fn path(&self, word: &Word, directory: Option<&Path>) -> Option<PathBuf> {
        (word.known && !word.glob).then_some(())?;
        match Path::new(&word.text).is_absolute() {
            true => Some(resolve(Path::new("/"), &word.text)),
            false => Some(resolve(directory?, &word.text)),
        }
    }

    /// Builtins that change the shell's state or run text in it. Says whether it was one.
    fn builtin(&mut self, command: &Command) -> bool {
        let operands: Vec<&Word> = command.words.iter().skip(1).collect();
        match command.program() {
            "cd" | "pushd" | "popd" | "Set-Location" => self.change_directory(command.program(), &operands),
            "read" | "mapfile" | "readarray" | "getopts" => {
                for word in operands {
                    self.set(word.text.clone(), None);
                }
            }
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                for word in operands {
                    if let Some((name, value)) = word.text.split_once('=') {
                        let value = word.known.then(|| vec![unquote::quoted(value)]);
                        self.set(name.to_owned(), value);
                    }
                }
            }
            "eval" => {
                let text = operands.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                self.inner_text(&text);
            }
            "trap" => {
                if let Some(word) = operands.first().filter(|word| word.known && !word.text.starts_with('-'))
                {
                    self.inner_text(&word.text.clone());
                }
            }
            "source" | "." => {
                let directory = command.directory.as_deref();
                let path = operands.first().and_then(|word| self.path(word, directory));
                match path.and_then(|path| self.files.get(&path).cloned()) {
                    Some(text) => self.inner_text(&text),
                    None => self.push_code(command.clone(), Language::Shell, None),
                }
            }
            _ => return false,
        }
        true
    }

    fn change_directory(&mut self, program: &str, operands: &[&Word]) {
        let target = operands.iter().find(|word| word.text == "-" || !word.text.starts_with('-'));
        let from = self.place.directory.clone();
        self.place.directory = match target {
            _ if program == "popd" => self.place.previous.clone(),
            Some(word) if word.text == "-" => self.place.previous.clone(),
            Some(word) => {
                self.path(word, from.as_deref()).filter(|path| path.as_os_str().len() <= LONGEST_DIRECTORY)
            }
            None if program == "cd" => Some(self.home.clone()),
            None => None,
        };
        self.place.previous = from;
    }

    /// A call of a function of the text.
    fn call(&mut self, command: &Command) -> bool {
        let Some(name) = command.words.first().filter(|word| word.known).map(|word| word.text.clone()) else {
            return false;
        };
        let Some(function) = self.functions.get_mut(&name) else { return false };
        function.called = true;
        let body = function.body.clone();
        let arguments = command.words.get(1..).unwrap_or_default().to_vec();
        let outer = self.place.arguments.replace(arguments);
        self.inner_text(&body);
        self.place.arguments = outer;
        true
    }
}
