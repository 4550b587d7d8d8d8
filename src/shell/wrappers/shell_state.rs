//! Builtins that change the shell itself: its directory, variables and functions, and the text that it runs.

use crate::shell::effects::git_call;
use crate::shell::effects::services::scratch::says_where;
use crate::shell::effects::weakened_test_runs::stand_ins::answers_in_its_place;
use crate::shell::effects::weakened_test_runs::{by_text, startup};
use crate::shell::model::{Command, Word};
use crate::shell::parse::reader::ScriptReader;

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
        if answers_in_its_place(command, &body) {
            let words = ["function", &name, &body].map(Word::literal).to_vec();
            self.push(Command { words, source: command.source.clone(), ..Command::default() });
        }
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
