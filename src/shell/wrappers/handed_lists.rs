//! Files whose lines a command hands on, or gets as words.

use std::path::PathBuf;

use crate::shell::model::{Command, CommandInput, UNKNOWN, UNSEEN, Word};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::unwrap::prefixes;

/// The most files of which a reading notes that they are not known.
const MOST_LISTS: usize = 16;

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
        if is_new && self.script.lists.len() < MOST_LISTS {
            self.script.lists.push(path);
        }
    }
}
