//! Builtins that change the shell itself: its directory, variables and functions, and the text that it runs.

use std::path::PathBuf;

use crate::model::words::is_plain_name;
use crate::shell::effects::git_call;
use crate::shell::effects::services::scratch::says_where;
use crate::shell::effects::weakened_test_runs::{by_text, startup};
use crate::shell::model::{Command, ScriptLanguage, UNSEEN, Unseen, Word};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::parse::{output, unquote};

/// The longest directory that is followed, in bytes: no system takes a longer one.
const LONGEST_DIRECTORY: usize = 4096;

/// `{fd}` before a redirection: the shell puts the descriptor's number into the variable.
fn is_descriptor_name(text: &str) -> bool {
    text.strip_prefix('{').and_then(|name| name.strip_suffix('}')).is_some_and(is_plain_name)
}

fn is_standard_input(text: &str) -> bool {
    matches!(text, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

impl ScriptReader {
    /// `export HUSKY=0; git commit`: variables of the shell that change what git does, or how tests run.
    pub(crate) fn exported(&self, command: &mut Command) {
        let of_git = command.program() == "git";
        let names = git_call::settings::hook_variables()
            .chain([
                "GIT_SSH_COMMAND",
                "GIT_WORK_TREE",
                "GIT_DIR",
                "GIT_EDITOR",
                "GIT_SEQUENCE_EDITOR",
                "GIT_EXTERNAL_DIFF",
            ])
            .filter(|_| of_git)
            .chain(by_text::VARIABLES.iter().map(|(name, _)| *name).filter(|_| !of_git))
            .chain(startup::VARIABLES.iter().map(|(name, _)| *name).filter(|_| !of_git))
            .chain(["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"].into_iter().filter(|_| !of_git));
        if of_git {
            self.settings_of_own_files(command);
        }
        let of_settings =
            self.place.variables.keys().filter(|name| of_git && name.starts_with("GIT_CONFIG_"));
        let of_services = self.place.variables.keys().filter(|name| !of_git && says_where(name));
        let names: Vec<String> =
            names.map(str::to_owned).chain(of_settings.cloned()).chain(of_services.cloned()).collect();
        for name in names {
            let Some(Some(values)) = self.place.variables.get(&name) else { continue };
            if let [value] = values.as_slice() {
                command.assignments.push((name, self.known_text(value)));
            }
        }
    }

    /// `GIT_CONFIG_GLOBAL=FILE git …`: where this text has written the file, its place of hooks is given to the call.
    fn settings_of_own_files(&self, command: &mut Command) {
        const NAMES: &[&str] = &["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"];
        let own = command.assignments.iter().filter(|(name, _)| NAMES.contains(&name.as_str()));
        let own = own.filter_map(|(_, value)| value.clone());
        let set = NAMES.iter().filter_map(|name| self.place.variables.get(*name)?.as_ref()?.first());
        let files: Vec<String> = own.chain(set.filter_map(|marks| self.known_text(marks))).collect();
        for file in files {
            let Some((text, None)) = self.file(&Word::literal(file), command) else { continue };
            let hooks = text.lines().find_map(|line| {
                let (name, value) = line.split_once('=')?;
                name.trim().eq_ignore_ascii_case("hookspath").then(|| value.trim().to_owned())
            });
            let settings = hooks.map(|value| format!("'core.hookspath={value}'"));
            command.assignments.extend(settings.map(|it| ("GIT_CONFIG_PARAMETERS".to_owned(), Some(it))));
        }
    }

    /// `hash -p /bin/rm name` and programs in capitals, which are the same where file names have no case.
    pub(crate) fn rename(&self, command: &mut Command) {
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

    /// Builtins that change the shell's state or run text in it. Says whether it was one.
    pub(crate) fn builtin(&mut self, command: &Command) -> bool {
        let operands: Vec<&Word> = command.words.iter().skip(1).collect();
        match command.program() {
            "cd" | "pushd" | "popd" | "Set-Location" => {
                let from = self.place.directory.clone();
                self.change_directory(command.program(), &operands);
                self.place.astray = self.may_stay(from).filter(|_| command.program() != "popd");
            }
            "set" => match operands.iter().position(|word| word.text == "--") {
                _ if self.switches_stopping(&operands) => return false,
                Some(at) => self.place.arguments = command.words.get(at + 2..).map(<[Word]>::to_vec),
                None if operands.first().is_some_and(|word| !word.text.starts_with(['-', '+'])) => {
                    self.place.arguments = command.words.get(1..).map(<[Word]>::to_vec);
                }
                None => return false,
            },
            "shift" => {
                let count = operands.first().and_then(|word| word.text.parse().ok()).unwrap_or(1usize);
                let arguments = self.place.arguments.iter_mut();
                arguments.for_each(|all| _ = all.drain(..count.min(all.len())));
            }
            "read" | "mapfile" | "readarray" | "getopts" => self.read_variables(command),
            "printf" if operands.first().is_some_and(|word| word.text == "-v") => {
                let words: Vec<Word> = operands.iter().skip(2).map(|word| (**word).clone()).collect();
                let text =
                    words.iter().all(|word| word.known).then(|| output::text::printf(&words)).flatten();
                if let Some(name) = operands.get(1) {
                    self.set(name.text.clone(), text.map(|text| vec![unquote::quoted(&text)]));
                }
            }
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
                let texts: Vec<String> = operands.iter().map(|word| word.text.clone()).collect();
                self.inner_text(&texts.join(" "));
                // The values of a loop's variable are a text each.
                if texts.len() > 1 && texts.iter().any(|text| text.contains(' ')) {
                    texts.iter().for_each(|text| self.inner_text(text));
                }
            }
            "trap" => {
                self.set_trap(&operands);
                // Which signals it is for says whether a run ends well anyhow.
                if operands.first().is_some_and(|word| word.text.contains("exit 0")) {
                    return false;
                }
            }
            "source" | "." if operands.first().is_some_and(|word| is_standard_input(&word.text)) => {
                let text = output::sketch::sketch_from(&self.script, &command.input);
                match text {
                    Some(text) if text.contains(UNSEEN) => {
                        let stream = Some(Unseen::Stream);
                        self.push_unseen(command.clone(), ScriptLanguage::Shell, stream);
                    }
                    Some(text) => self.inner_text(&text),
                    None => self.push_input(command.clone(), ScriptLanguage::Shell),
                }
            }
            "source" | "." => match operands.first().and_then(|word| self.file(word, command)) {
                Some((text, None)) => self.inner_text(&text),
                Some((_, unseen)) => self.push_unseen(command.clone(), ScriptLanguage::Shell, unseen),
                None => {
                    let known = operands.first().and_then(|word| self.known_file(word, command));
                    self.push_code(command.clone(), ScriptLanguage::Shell, None);
                    if let Some(text) = known {
                        self.inner_text(&text);
                    }
                }
            },
            _ => return false,
        }
        true
    }

    /// `set -e`, `set +e`, `set -o errexit`: says whether the words switched it.
    fn switches_stopping(&mut self, operands: &[&Word]) -> bool {
        let names = |word: &Word, sign: char| {
            let cluster = word.text.strip_prefix(sign).filter(|rest| !rest.starts_with('-'));
            cluster.is_some_and(|cluster| cluster.contains('e'))
        };
        let named = operands.windows(2).find(|pair| matches!(pair, [_, name] if name.text == "errexit"));
        let on = operands.first().is_some_and(|word| names(word, '-'))
            || named.is_some_and(|pair| pair.first().is_some_and(|option| option.text == "-o"));
        let off = operands.first().is_some_and(|word| names(word, '+'))
            || named.is_some_and(|pair| pair.first().is_some_and(|option| option.text == "+o"));
        self.place.stops_on_failure = (self.place.stops_on_failure || on) && !off;
        on || off
    }

    fn change_directory(&mut self, program: &str, operands: &[&Word]) {
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
    fn may_stay(&self, from: Option<PathBuf>) -> Option<(PathBuf, usize)> {
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

    /// The files that a shell reads before anything else, where this text has written them.
    pub(crate) fn start_up_texts(&self, command: &Command) -> Vec<String> {
        let words = &command.words;
        let by_option = words.iter().enumerate().filter_map(|(index, word)| {
            matches!(word.text.as_str(), "--rcfile" | "--init-file").then(|| words.get(index + 1).cloned())?
        });
        let value = |name: &str| {
            let own = command.assignments.iter().rev().find(|(known, _)| known == name);
            match own {
                Some((_, value)) => value.clone(),
                None => self.known_text(self.place.variables.get(name)?.as_ref()?.first()?),
            }
        };
        let by_variable =
            ["BASH_ENV", "ENV"].into_iter().filter_map(|name| Some(Word::literal(value(name)?)));
        let files = by_option.chain(by_variable).filter_map(|file| self.file(&file, command));
        let texts = files.filter(|(_, unseen)| unseen.is_none()).map(|(text, _)| text);
        texts.chain(value("PROMPT_COMMAND")).collect()
    }

    /// A call of a function of the text.
    pub(crate) fn call(&mut self, command: &Command) -> bool {
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
