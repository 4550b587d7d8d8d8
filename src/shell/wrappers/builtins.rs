//! Builtins that change the shell's state or run text in it.

use crate::model::words::is_plain_name;
use crate::shell::model::{Command, ScriptLanguage, UNSEEN, Unseen, Word};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::parse::{output, unquote};
use crate::shell::wrappers::execution::is_all_unknown;

/// `{fd}` before a redirection: the shell puts the descriptor's number into the variable.
fn is_descriptor_name(text: &str) -> bool {
    text.strip_prefix('{').and_then(|name| name.strip_suffix('}')).is_some_and(is_plain_name)
}

fn is_standard_input(text: &str) -> bool {
    matches!(text, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

impl ScriptReader {
    /// Builtins that change the shell's state or run text in it. Says whether it was one.
    pub(crate) fn builtin(&mut self, command: &Command) -> bool {
        let operands: Vec<&Word> = command.words.iter().skip(1).collect();
        let first = operands.first().map_or("", |word| word.text.as_str());
        match command.program() {
            "cd" | "pushd" | "popd" | "Set-Location" => {
                self.go_to(command.program(), &operands);
            }
            "set" => return self.set_options(command, &operands),
            "shift" => {
                let count = first.parse().unwrap_or(1usize);
                let arguments = self.place.arguments.iter_mut();
                arguments.for_each(|all| _ = all.drain(..count.min(all.len())));
            }
            "read" | "mapfile" | "readarray" | "getopts" => self.read_variables(command),
            "printf" if first == "-v" => self.print_into_variable(&operands),
            "exec" if operands.len() == 1 && is_descriptor_name(first) => {
                let written = command.redirects.first().map(|redirect| redirect.target.clone());
                self.open_named(&operands, &command.input, written);
            }
            "coproc" if operands.get(1).is_some_and(|word| word.text == "{") => self.coprocess(command),
            "enable" if first == "-n" => {
                self.disabled.extend(operands.iter().skip(1).map(|word| word.text.clone()));
            }
            "hash" => {
                self.hash(&operands);
                return false;
            }
            "export" | "declare" | "local" | "readonly" | "typeset" => self.declare(&operands),
            "eval" => self.evaluate(command, &operands),
            "trap" => {
                self.set_trap(&operands);
                // Which signals it is for says whether a run ends well anyhow.
                return !first.contains("exit 0");
            }
            "source" | "." if is_standard_input(first) => self.source_input(command),
            "source" | "." => self.source(command, &operands),
            _ => return false,
        }
        true
    }

    fn go_to(&mut self, program: &str, operands: &[&Word]) {
        let from = self.place.directory.clone();
        self.change_directory(program, operands);
        self.place.astray = self.may_stay(from).filter(|_| program != "popd");
    }

    /// `hash -p program name`.
    fn hash(&mut self, operands: &[&Word]) {
        if let [option, program, names @ ..] = operands
            && option.text == "-p"
        {
            self.hashed.extend(names.iter().map(|name| (name.text.clone(), program.text.clone())));
        }
    }

    /// `set -e` and `set -- words`: says whether it was one of these.
    fn set_options(&mut self, command: &Command, operands: &[&Word]) -> bool {
        if self.switches_stopping(operands) {
            return false;
        }
        let from = match operands.iter().position(|word| word.text == "--") {
            Some(at) => at + 2,
            None if operands.first().is_some_and(|word| !word.text.starts_with(['-', '+'])) => 1,
            None => return false,
        };
        self.place.arguments = command.words.get(from..).map(<[Word]>::to_vec);
        true
    }

    /// `printf -v name format words`.
    fn print_into_variable(&mut self, operands: &[&Word]) {
        let words: Vec<Word> = operands.iter().skip(2).map(|word| (**word).clone()).collect();
        let text = words.iter().all(|word| word.known).then(|| output::text::printf(&words)).flatten();
        if let Some(name) = operands.get(1) {
            self.set(name.text.clone(), text.map(|text| vec![unquote::quoted(&text)]));
        }
    }

    /// `export name=value`.
    fn declare(&mut self, operands: &[&Word]) {
        for word in operands {
            if let Some((name, value)) = word.text.split_once('=') {
                let value = word.known.then(|| vec![unquote::quoted(value)]);
                self.set(name.to_owned(), value);
            }
        }
    }

    fn evaluate(&mut self, command: &Command, operands: &[&Word]) {
        let texts: Vec<String> = operands.iter().map(|word| word.text.clone()).collect();
        if is_all_unknown(&texts.join(" ")) && self.was_printed_by_a_program(command) {
            self.push_unseen(command.clone(), ScriptLanguage::Shell, Some(Unseen::Made));
        }
        self.inner_text(&texts.join(" "));
        // The values of a loop's variable are a text each.
        if texts.len() > 1 && texts.iter().any(|text| text.contains(' ')) {
            texts.iter().for_each(|text| self.inner_text(text));
        }
    }

    /// `source /dev/stdin`: the text that comes in.
    fn source_input(&mut self, command: &Command) {
        match output::sketch::sketch_from(&self.script, &command.input) {
            Some(text) if text.contains(UNSEEN) => {
                self.push_unseen(command.clone(), ScriptLanguage::Shell, Some(Unseen::Stream));
            }
            Some(text) => self.inner_text(&text),
            None => self.push_input(command.clone(), ScriptLanguage::Shell),
        }
    }

    fn source(&mut self, command: &Command, operands: &[&Word]) {
        match operands.first().and_then(|word| self.file(word, command)) {
            Some((text, None)) => self.inner_text(&text),
            Some((_, unseen)) => self.push_unseen(command.clone(), ScriptLanguage::Shell, unseen),
            None if operands.first().is_some_and(|word| is_all_unknown(&word.text))
                && self.was_printed_by_a_program(command) =>
            {
                self.push_unseen(command.clone(), ScriptLanguage::Shell, Some(Unseen::Made));
            }
            None => {
                let known = operands.first().and_then(|word| self.known_file(word, command));
                self.push_code(command.clone(), ScriptLanguage::Shell, None);
                if let Some(text) = known {
                    self.inner_text(&text);
                }
            }
        }
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
}
