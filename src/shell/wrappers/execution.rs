//! Following one command: what it does to the shell's state, and the text that it runs.

use std::path::Path;

use crate::shell::effects::awk_output;
use crate::shell::model::{
    Command, CommandInput, InterpreterCode, MOST_COMMANDS, ScriptLanguage, UNKNOWN, UNSEEN, Unseen, Word,
};
use crate::shell::parse::reader::{ScriptReader, TREE_LEVELS};
use crate::shell::parse::{output, powershell, unquote};
use crate::shell::wrappers::interpreters::is_shell;
use crate::shell::wrappers::peeled::PeeledCommand;
use crate::shell::wrappers::unwrap::{prefixes, texts, transport};
use crate::shell::wrappers::{interpreter_code, other_languages, other_machines, remote_exec, unwrap};

impl ScriptReader {
    /// Follows what a command does to the shell, takes wrappers off, and keeps what is left.
    pub(crate) fn run(&mut self, mut command: Command) {
        if self.place.ended {
            return;
        }
        let bounded = self.script.commands.len() < MOST_COMMANDS;
        if !self.fuel.spend_command(command.words.len()) || !bounded {
            return self.too_much(&command.source.clone());
        }
        command.directory = command.directory.or_else(|| self.place.directory.clone());
        command.astray = command.astray.or_else(|| self.place.astray.clone());
        self.take_list(&mut command);
        command.reckoned |= self.reckoned;
        self.spelled_out(&mut command);
        self.rename(&mut command);
        self.note_names(&command);
        for text in self.own_scripts(&command) {
            self.shell_text(&text, None, &command);
        }
        self.exported(&mut command);
        if is_shell(command.program()) {
            for text in self.start_up_texts(&command) {
                self.shell_text(&text, None, &command);
            }
        }
        if self.starts_own_file(&command) {
            return;
        }
        if self.builtin(&command) || self.call(&command) {
            self.redirects_of(command);
            return;
        }
        if self.depth >= TREE_LEVELS {
            return self.too_much(&command.source.clone());
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

    /// Takes one wrapper off, and goes on with what is inside of it.
    fn peel(&mut self, command: Command) {
        if self.removes_untracked(&command) {
            let words = ["git", "clean", "-f", "-d"].map(Word::literal).to_vec();
            return self.push(Command { words, input: CommandInput::None, ..command });
        }
        if let Some(commands) = in_each_folder(&command) {
            return self.each_command(&command, commands, false);
        }
        if self.restores_deleted(&command) {
            return self.push(command);
        }
        let input_words = |by_lines| {
            let unseen = || remote_exec::comes_in(&self.script, &command.input);
            let word = || vec![Word { text: UNSEEN.to_string(), ..Word::unknown() }];
            output::words_from(&self.script, &command.input, by_lines).or_else(|| unseen().then(word))
        };
        match unwrap::peel(&command, input_words) {
            PeeledCommand::Plain => self.plain(command),
            PeeledCommand::Inner { words, directory, keeps } => {
                self.project_task(&command);
                self.inner_command(&command, words, directory, keeps)
            }
            PeeledCommand::Each { commands, keeps } => self.each_command(&command, commands, keeps),
            PeeledCommand::ShellText { text, .. } if is_all_unknown(&text) && is_shell(command.program()) => {
                self.push_unseen(command, ScriptLanguage::Shell, Some(Unseen::Made));
            }
            PeeledCommand::ShellText { text, arguments } => {
                self.shell_text(&text, Some(arguments), &command);
                self.redirects_of(command);
            }
            PeeledCommand::ShellInput { arguments } => self.shell_input(command, arguments),
            PeeledCommand::ShellFile { path, arguments } => self.shell_file(command, &path, arguments),
            PeeledCommand::Code { language, text } => self.code(command, language, text),
            PeeledCommand::CodeInput { language } => self.code_input(command, language),
            PeeledCommand::CodeFile { language, path } => {
                self.project_task(&command);
                self.code_file(command, language, &path);
            }
            PeeledCommand::Windows { text } => self.windows_text(&text, &command),
            PeeledCommand::Remote => self.remote(&command),
        }
    }

    /// A command that is what it seems; some have text for a shell in their words.
    fn plain(&mut self, command: Command) {
        let own = match command.program() {
            "awk" | "gawk" | "mawk" | "nawk" => {
                let put_together = awk_output::shell_texts(&command);
                let own = script_texts(&command).into_iter().chain(self.told_by_awk(&command));
                own.chain(put_together).collect()
            }
            "tclsh" | "wish" | "expect" => {
                let source = output::sketch::sketch_from(&self.script, &command.input);
                source.map(|text| other_languages::deletions("tclsh", &text)).unwrap_or_default()
            }
            "emacs" | "emacsclient" => {
                let words = command.words.iter().skip(1).map(|word| word.text.as_str());
                words.flat_map(|text| other_languages::deletions("emacs", text)).collect()
            }
            "osascript" => script_texts(&command),
            "sed" | "gsed" => texts::of_sed(&command),
            "git" => [transport::git_helpers(&command), transport::git_programs(&command)].concat(),
            "make" | "gmake" => self.own_recipes(&command),
            _ => Vec::new(),
        };
        let shown = texts::by_variable(&command);
        for text in own.into_iter().chain(shown) {
            self.shell_text(&text, None, &command);
        }
        let (texts, directory) = self.project_texts(&command);
        let there = Command { directory, ..command.clone() };
        for text in texts {
            self.shell_text(&text, None, &there);
        }
        self.push(command);
    }

    /// `pdm run wipe`: a task of the project's settings, where they have one of that name.
    fn project_task(&mut self, command: &Command) {
        if matches!(command.program(), "pdm" | "hatch" | "rye" | "pixi" | "mise" | "bun" | "deno") {
            let (texts, directory) = self.project_texts(command);
            let there = Command { directory, ..command.clone() };
            texts.iter().for_each(|text| self.shell_text(text, None, &there));
        }
    }

    /// Another command, perhaps run in another directory or without the shell's variables.
    fn inner_command(&mut self, outer: &Command, words: Vec<Word>, directory: Option<Word>, keeps: bool) {
        let mut inner = Command { words, ..outer.clone() };
        inner.assignments.extend(prefixes::assigned_by(outer, inner.words.len()));
        if keeps {
            self.push(outer.clone());
        }
        if is_emptied(outer) {
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

    /// Several commands, each run on its own.
    fn each_command(&mut self, outer: &Command, commands: Vec<Vec<Word>>, keeps: bool) {
        if keeps {
            self.push(outer.clone());
        }
        for words in commands {
            self.run(Command { words, ..outer.clone() });
        }
    }

    /// A shell that reads its text from the standard input.
    fn shell_input(&mut self, command: Command, arguments: Vec<Word>) {
        let Some(text) = output::sketch::sketch_from(&self.script, &command.input) else {
            return self.push_input(command, ScriptLanguage::Shell);
        };
        let outer = self.reckoned;
        self.reckoned |= output::text::is_reckoned(&self.script, &command.input);
        self.shell_text(&text, Some(arguments).filter(|all| !all.is_empty()), &command);
        self.reckoned = outer;
        self.redirects_of(command);
    }

    /// A shell that reads its text from a file.
    fn shell_file(&mut self, command: Command, path: &Word, arguments: Vec<Word>) {
        match self.file(path, &command) {
            Some((text, None)) => self.shell_text(&text, Some(arguments), &command),
            Some((_, unseen)) => self.push_unseen(command, ScriptLanguage::Shell, unseen),
            None if is_all_unknown(&path.text) && self.was_printed_by_a_program(&command) => {
                self.push_unseen(command, ScriptLanguage::Shell, Some(Unseen::Made));
            }
            None => {
                let known = self.known_file(path, &command);
                self.push_code(command.clone(), ScriptLanguage::Shell, None);
                if let Some(text) = known {
                    self.shell_text(&text, Some(arguments), &named_as(path, &command));
                }
            }
        }
    }

    /// An interpreter whose source stands in its words.
    fn code(&mut self, command: Command, language: ScriptLanguage, text: Option<String>) {
        match text.as_ref().is_some_and(|text| text.contains(UNSEEN)) {
            true => self.push_unseen(command, language, Some(Unseen::Stream)),
            false => {
                let text = text.filter(|text| !text.contains(UNKNOWN));
                self.push_code(command.clone(), language, text.clone());
                let own = text.as_deref().map(|text| other_languages::deletions(command.program(), text));
                for shell in own.unwrap_or_default() {
                    self.shell_text(&shell, None, &command);
                }
                if let Some(text) = text {
                    self.deleted_unnamed(&command, language, &text);
                }
            }
        }
    }

    /// An interpreter that reads its source from the standard input.
    fn code_input(&mut self, command: Command, language: ScriptLanguage) {
        match output::sketch::sketch_from(&self.script, &command.input) {
            Some(text) if !text.contains(UNSEEN) => self.push_code(command, language, Some(text)),
            _ => self.push_input(command, language),
        }
    }

    /// An interpreter that reads its source from a file.
    fn code_file(&mut self, command: Command, language: ScriptLanguage, path: &Word) {
        match self.file(path, &command) {
            Some((text, None)) => self.push_code(command, language, Some(text)),
            Some((_, unseen)) => self.push_unseen(command, language, unseen),
            None => {
                let known = self.known_file(path, &command);
                self.push(command.clone());
                // Beside the command itself: what else a program loads nobody knows.
                if let Some(text) = known {
                    self.push_code(command, language, Some(text));
                }
            }
        }
    }

    /// A command for another machine, and what it runs on this one to get there.
    fn remote(&mut self, command: &Command) {
        for text in transport::local_texts(command) {
            self.shell_text(&text, None, command);
        }
        self.push(command.clone());
        if let Some(away) = other_machines::away(command) {
            self.read_away(away, command);
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
                CommandInput::From(index) => {
                    last.get(index).copied().flatten().map_or(CommandInput::Unknown, CommandInput::From)
                }
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

    /// Keeps an interpreter whose source comes in, and is not known.
    pub(crate) fn push_input(&mut self, command: Command, language: ScriptLanguage) {
        match remote_exec::comes_in(&self.script, &command.input) {
            true => self.push_unseen(command, language, Some(Unseen::Stream)),
            false if language == ScriptLanguage::Shell && self.is_made_up(&command.input) => {
                self.push_unseen(command, language, Some(Unseen::Made));
            }
            false => self.push_code(command, language, None),
        }
    }

    pub(crate) fn push_unseen(&mut self, command: Command, language: ScriptLanguage, unseen: Option<Unseen>) {
        self.push(Command { code: Some(InterpreterCode { language, text: None, unseen }), ..command });
    }

    /// Text run by a new shell.
    pub(crate) fn shell_text(&mut self, text: &str, arguments: Option<Vec<Word>>, command: &Command) {
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
    pub(crate) fn push_code(&mut self, command: Command, language: ScriptLanguage, text: Option<String>) {
        let shells =
            text.as_deref().map(|text| interpreter_code::shell_texts(language, text)).unwrap_or_default();
        self.push(Command {
            code: Some(InterpreterCode { language, text, unseen: None }),
            ..command.clone()
        });
        for shell in shells {
            self.shell_text(&shell, None, &command);
        }
    }

    pub(crate) fn push(&mut self, command: Command) {
        if self.script.commands.len() >= MOST_COMMANDS {
            return self.too_much(&command.source);
        }
        let Some(mut command) = self.placed(command) else { return };
        // What a loop names without its being known is a choice of other commands.
        if self.loops > 0 && matches!(command.program(), "rm" | "unlink" | "shred" | "truncate") {
            let unknown = command.words.iter_mut().skip(1).filter(|word| !word.known);
            unknown.for_each(|word| word.partial = true);
        }
        let sinks = self.sinks_of(&mut command);
        self.script.commands.push(command);
        self.remember_files();
        self.feed(sinks);
    }
}

/// The command with the name by which a script knows itself.
pub(crate) fn named_as(path: &Word, command: &Command) -> Command {
    let name = path.known.then(|| path.text.clone());
    let own = ["0", "BASH_SOURCE"].map(|variable| (variable.to_owned(), name.clone()));
    Command { assignments: command.assignments.iter().cloned().chain(own).collect(), ..command.clone() }
}

/// The shell texts that the words of `awk` and `osascript` run.
fn script_texts(command: &Command) -> Vec<String> {
    let words = command.words.iter().skip(1).filter(|word| word.text.contains('"'));
    words.flat_map(|word| interpreter_code::shell_texts(ScriptLanguage::Awk, &word.text)).collect()
}

/// Whether nothing at all is known of a text that a shell runs.
pub(super) fn is_all_unknown(text: &str) -> bool {
    text.contains(UNKNOWN) && text.trim_matches(UNKNOWN).trim().is_empty()
}

/// `git -C FOLDER … clean` with the values of a loop's variable: one command for each folder.
fn in_each_folder(command: &Command) -> Option<Vec<Vec<Word>>> {
    let (first, rest) = command.words.split_at_checked(2)?;
    let is_in = first.last().is_some_and(|option| option.text == "-C");
    (command.program() == "git" && is_in).then_some(())?;
    let folders = rest.iter().take_while(|word| word.text.contains('/')).count();
    let (folders, rest) = rest.split_at_checked(folders)?;
    (folders.len() > 1)
        .then(|| folders.iter().map(|folder| [first, std::slice::from_ref(folder), rest].concat()).collect())
}

/// `env -i`: what follows sees no variable.
fn is_emptied(command: &Command) -> bool {
    let leading = command.words.iter().skip(1).take_while(|word| word.text.starts_with('-'));
    command.program() == "env"
        && leading.into_iter().any(|word| matches!(word.text.as_str(), "-i" | "-" | "--ignore-environment"))
}
