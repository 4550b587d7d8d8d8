//! What a command does to the shell itself: directories, variables, functions, and the text that it runs.

use std::path::{Path, PathBuf};

use crate::shell::effects::git_call;
use crate::shell::model::{
    Code, Command, Input, Language, MOST_COMMANDS, UNKNOWN, UNSEEN, Unseen, Word, resolve,
};
use crate::shell::parse::streams::FIRST_SUBSTITUTION;
use crate::shell::parse::{Reader, TREE_LEVELS, output, powershell, unquote};
use crate::shell::wrappers::peeled::Peeled;
use crate::shell::wrappers::{interpreter_code, other_machines, remote_exec, unwrap};

/// The longest directory that is followed, in bytes: no system takes a longer one.
const LONGEST_DIRECTORY: usize = 4096;

impl Reader {
    /// Follows what a command does to the shell, takes wrappers off, and keeps what is left.
    pub(crate) fn run(&mut self, mut command: Command) {
        let bounded = self.script.commands.len() < MOST_COMMANDS;
        if !self.fuel.spend_command(command.words.len()) || !bounded {
            return self.too_much(&command.source.clone());
        }
        command.directory = command.directory.or_else(|| self.place.directory.clone());
        command.reckoned |= self.reckoned;
        self.rename(&mut command);
        if command.program() == "git" {
            self.exported(&mut command);
        }
        if self.starts_own_file(&command) {
            return;
        }
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
        let input_words = |by_lines| {
            let unseen = || remote_exec::comes_in(&self.script, &command.input);
            let word = || vec![Word { text: UNSEEN.to_string(), ..Word::unknown() }];
            output::words_from(&self.script, &command.input, by_lines).or_else(|| unseen().then(word))
        };
        match unwrap::peel(&command, input_words) {
            Peeled::Plain => {
                let texts = match command.program() {
                    "awk" | "gawk" | "mawk" | "nawk" | "osascript" => script_texts(&command),
                    _ => Vec::new(),
                };
                for text in texts {
                    self.shell_text(&text, None, &command);
                }
                if command.program() == "git" {
                    for text in unwrap::git_helpers(&command) {
                        self.shell_text(&text, None, &command);
                    }
                }
                self.push(command);
            }
            Peeled::Inner { words, directory, keeps } => {
                let mut inner = Command { words, ..command.clone() };
                inner.assignments.extend(unwrap::assigned_by(&command, inner.words.len()));
                if keeps {
                    self.push(command.clone());
                }
                if is_emptied(&command) {
                    return self.isolated(|reader| {
                        reader.place.variables = Default::default();
                        reader.run(inner);
                    });
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
            Peeled::Each { commands, keeps } => {
                if keeps {
                    self.push(command.clone());
                }
                for words in commands {
                    self.run(Command { words, ..command.clone() });
                }
            }
            Peeled::ShellInput => match output::sketch_from(&self.script, &command.input) {
                Some(text) => {
                    let outer = self.reckoned;
                    self.reckoned |= output::is_reckoned(&self.script, &command.input);
                    self.shell_text(&text, None, &command);
                    self.reckoned = outer;
                    self.redirects_of(command);
                }
                None => self.push_input(command, Language::Shell),
            },
            Peeled::ShellFile { path, arguments } => match self.file(&path, &command) {
                Some((text, None)) => self.shell_text(&text, Some(arguments), &command),
                Some((_, unseen)) => self.push_unseen(command, Language::Shell, unseen),
                None => self.push_code(command, Language::Shell, None),
            },
            Peeled::CodeFile { language, path } => match self.file(&path, &command) {
                Some((text, None)) => self.push_code(command, language, Some(text)),
                Some((_, unseen)) => self.push_unseen(command, language, unseen),
                None => self.push(command),
            },
            Peeled::Code { language, text } => {
                let unseen = text.as_ref().is_some_and(|text| text.contains(UNSEEN));
                match unseen {
                    true => self.push_unseen(command, language, Some(Unseen::Stream)),
                    false => self.push_code(command, language, text.filter(|text| !text.contains(UNKNOWN))),
                }
            }
            Peeled::CodeInput { language } => match output::sketch_from(&self.script, &command.input) {
                Some(text) if !text.contains(UNSEEN) => self.push_code(command, language, Some(text)),
                _ => self.push_input(command, language),
            },
            Peeled::Windows { text } => self.windows_text(&text, &command),
            Peeled::Remote => {
                for text in unwrap::local_texts(&command) {
                    self.shell_text(&text, None, &command);
                }
                self.push(command.clone());
                if let Some(away) = other_machines::away(&command) {
                    self.read_away(away, &command);
                }
            }
        }
    }

    /// Text run by a shell of Windows.
    fn windows_text(&mut self, text: &str, command: &Command) {
        let directory = command.directory.clone();
        let home = self.home.clone();
        let script = powershell::read(text, directory.as_deref().unwrap_or(Path::new("")), &home);
        for line in &script.unread {
            self.unread(line);
        }
        let mut last = Vec::new();
        for inner in script.commands {
            let input = match inner.input {
                Input::From(index) => last.get(index).copied().flatten().map_or(Input::Unknown, Input::From),
                other => other,
            };
            let directory = inner.directory.filter(|_| directory.is_some());
            self.isolated(|reader| {
                reader.place.directory.clone_from(&directory);
                reader.run(Command { input, directory, ..inner });
            });
            last.push(self.script.commands.len().checked_sub(1));
        }
    }

    /// `./install.sh`, where this text has written or fetched that file.
    fn starts_own_file(&mut self, command: &Command) -> bool {
        let Some(program) = command.words.first().filter(|word| word.known && word.text.contains('/')) else {
            return false;
        };
        match self.file(&program.clone(), command) {
            Some((_, unseen @ Some(_))) => self.push_unseen(command.clone(), Language::Shell, unseen),
            Some((text, None)) if is_shell_script(&text) => {
                let arguments = command.words.get(1..).unwrap_or_default().to_vec();
                self.shell_text(&text, Some(arguments), command);
            }
            _ => return false,
        }
        true
    }

    /// `export HUSKY=0; git commit`: variables of the shell that change what git does.
    fn exported(&self, command: &mut Command) {
        for name in git_call::hook_variables().chain(["GIT_SSH_COMMAND", "GIT_WORK_TREE", "GIT_DIR"]) {
            let Some(Some(values)) = self.place.variables.get(name) else { continue };
            if let [value] = values.as_slice() {
                command.assignments.push((name.to_owned(), self.known_text(value)));
            }
        }
    }

    /// `hash -p /bin/rm name` and programs in capitals, which are the same where file names have no case.
    fn rename(&self, command: &mut Command) {
        let Some(word) = command.words.first_mut().filter(|word| word.known) else { return };
        let builtin = matches!(
            word.text.as_str(),
            "echo" | "printf" | "test" | "[" | "true" | "false" | "pwd" | "kill"
        );
        if let Some(program) =
            self.hashed.get(&word.text).filter(|_| !builtin || self.disabled.contains(&word.text))
        {
            word.text.clone_from(program);
        }
        let capitals =
            |text: &str| text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'.');
        if capitals(&word.text) && !self.functions.contains_key(&word.text) {
            word.text.make_ascii_lowercase();
        }
    }

    /// What is known of a file that this text wrote, opened or downloaded.
    fn file(&self, word: &Word, command: &Command) -> Option<(String, Option<Unseen>)> {
        if word.text.contains(UNSEEN) {
            return Some((String::new(), Some(Unseen::Stream)));
        }
        let path = self.path(word, command.directory.as_deref())?;
        let text = self.files.get(&path)?.clone();
        let stream = path.starts_with("/dev/fd");
        let unseen = if stream { Unseen::Stream } else { Unseen::File };
        let is_unseen = text.contains(UNSEEN);
        Some((text, is_unseen.then_some(unseen)))
    }

    /// Keeps an interpreter whose source comes in, and is not known.
    fn push_input(&mut self, command: Command, language: Language) {
        match remote_exec::comes_in(&self.script, &command.input) {
            true => self.push_unseen(command, language, Some(Unseen::Stream)),
            false => self.push_code(command, language, None),
        }
    }

    fn push_unseen(&mut self, command: Command, language: Language, unseen: Option<Unseen>) {
        self.push(Command { code: Some(Code { language, text: None, unseen }), ..command });
    }

    /// Text run by a new shell.
    fn shell_text(&mut self, text: &str, arguments: Option<Vec<Word>>, command: &Command) {
        // A new shell has the functions only that were exported to it.
        let functions = (!self.exports_functions).then(|| std::mem::take(&mut self.functions));
        self.isolated(|reader| {
            reader.place.directory.clone_from(&command.directory);
            for (name, value) in &command.assignments {
                reader.set(name.clone(), value.as_ref().map(|value| vec![unquote::quoted(value)]));
            }
            reader.place.arguments = arguments;
            reader.inner_text(text);
        });
        if let Some(functions) = functions {
            self.functions = functions;
        }
    }

    /// Keeps a command with its code, and reads the shell texts that the code runs.
    fn push_code(&mut self, command: Command, language: Language, text: Option<String>) {
        let shells =
            text.as_deref().map(|text| interpreter_code::shell_texts(language, text)).unwrap_or_default();
        self.push(Command { code: Some(Code { language, text, unseen: None }), ..command.clone() });
        for shell in shells {
            self.shell_text(&shell, None, &command);
        }
    }

    pub(crate) fn push(&mut self, command: Command) {
        if self.script.commands.len() >= MOST_COMMANDS {
            return self.too_much(&command.source);
        }
        let Some(mut command) = self.placed(command) else { return };
        let sinks = self.sinks_of(&mut command);
        self.script.commands.push(command);
        self.remember_files();
        self.feed(sinks);
    }

    /// What the last command wrote whole with known content, so that running the file runs that text.
    fn remember_files(&mut self) {
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
        self.remember_copies(index);
        let Some(command) = self.script.commands.get(index) else { return };
        let Some(redirect) = command.redirects.iter().find(|redirect| redirect.output) else { return };
        let Some(path) = self.path(&redirect.target, command.directory.as_deref()) else { return };
        match output::text_of(&self.script, index) {
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

    /// Builtins that change the shell's state or run text in it. Says whether it was one.
    fn builtin(&mut self, command: &Command) -> bool {
        let operands: Vec<&Word> = command.words.iter().skip(1).collect();
        match command.program() {
            "cd" | "pushd" | "popd" | "Set-Location" => self.change_directory(command.program(), &operands),
            "read" | "mapfile" | "readarray" | "getopts" => self.read_variables(command),
            "exec" if operands.len() == 1 && operands.iter().all(|word| is_descriptor_name(&word.text)) => {
                let written = command.redirects.first().map(|redirect| redirect.target.clone());
                self.open_named(&operands, &command.input, written);
            }
            "coproc" if operands.get(1).is_some_and(|word| word.text == "{") => self.coprocess(command),
            "enable" if operands.first().is_some_and(|word| word.text == "-n") => {
                self.disabled.extend(operands.iter().skip(1).map(|word| word.text.clone()));
            }
            "hash" => {
                if let [option, program, names @ ..] = operands.as_slice()
                    && option.text == "-p"
                {
                    self.hashed.extend(names.iter().map(|name| (name.text.clone(), program.text.clone())));
                }
                return false;
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
            "source" | "." => match operands.first().and_then(|word| self.file(word, command)) {
                Some((text, None)) => self.inner_text(&text),
                Some((_, unseen)) => self.push_unseen(command.clone(), Language::Shell, unseen),
                None => self.push_code(command.clone(), Language::Shell, None),
            },
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
        self.locals.push(Vec::new());
        let arguments = command.words.get(1..).unwrap_or_default().to_vec();
        let outer = self.place.arguments.replace(arguments);
        self.inner_text(&body);
        self.place.arguments = outer;
        for (name, old) in self.locals.pop().unwrap_or_default().into_iter().rev() {
            match old {
                Some(values) => self.set(name, values),
                None => self.forget(&name),
            }
        }
        true
    }
}

/// `{fd}` before a redirection: the shell puts the descriptor's number into the variable.
fn is_descriptor_name(text: &str) -> bool {
    text.strip_prefix('{').and_then(|name| name.strip_suffix('}')).is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The shell texts that the words of `awk` and `osascript` run.
fn script_texts(command: &Command) -> Vec<String> {
    let words = command.words.iter().skip(1).filter(|word| word.text.contains('"'));
    words.flat_map(|word| interpreter_code::shell_texts(Language::Awk, &word.text)).collect()
}

/// `env -i`: what follows sees no variable.
fn is_emptied(command: &Command) -> bool {
    let leading = command.words.iter().skip(1).take_while(|word| word.text.starts_with('-'));
    command.program() == "env"
        && leading.into_iter().any(|word| matches!(word.text.as_str(), "-i" | "-" | "--ignore-environment"))
}

/// A script for a shell: no first line that names another interpreter.
fn is_shell_script(text: &str) -> bool {
    text.strip_prefix("#!").is_none_or(|rest| rest.lines().next().unwrap_or_default().contains("sh"))
}
