//! One call of a foreign tool, read as what each kind of tool would do with its input.

use std::path::{Path, PathBuf};

use super::fields::{
    ALL_FLAGS, ARGUMENT_FIELDS, CODE_FIELDS, COMMAND_FIELDS, CONTENT_FIELDS, EDIT_FIELDS, EDIT_LISTS,
    EDITOR_CHANGES, EDITOR_VIEWS, FOLDER_FIELDS, HOST_FIELDS, MOVE_FIELDS, PATCH_FIELDS, PATH_FIELDS,
    PATH_LISTS, SQL_FIELDS, TYPED_FIELDS,
};
use super::words::{
    APPENDS, COPIES, DELETES, FILES, FOLDERS, INTERPRETERS, MAKES_FOLDERS, MOVES, PARTS, RUNS, SQL, TYPES,
    WHOLE,
};
use crate::hosts::json::EventValue;
use crate::hosts::patch_text;
use crate::model::event::{Action, ShellDialect, TextEdit};
use crate::model::proc_path;
use crate::model::shell_word::word;

/// At most so many files of one call are looked at.
const MOST_PATHS: usize = 100;

/// A call as it came.
pub(super) struct ForeignToolCall<'a> {
    /// The words of the tool's name.
    pub(super) words: Vec<String>,
    /// The server whose tool it is.
    pub(super) server: &'a str,
    pub(super) input: &'a EventValue,
    pub(super) cwd: &'a Path,
}

impl ForeignToolCall<'_> {
    pub(super) fn says(&self, table: &[&str]) -> bool {
        self.words.iter().any(|word| table.contains(&word.as_str()))
    }

    /// Whether the name says one of these of files as a whole, and nothing else.
    fn says_of_files(&self, verbs: &[&str]) -> bool {
        let known = |word: &String| verbs.contains(&word.as_str()) || FILES.contains(&word.as_str());
        self.says(verbs) && self.words.iter().all(known)
    }

    pub(super) fn first(&self, fields: &[&str]) -> Option<&str> {
        fields.iter().find_map(|field| self.input.text(field)).filter(|text| !text.is_empty())
    }

    fn place(&self, path: &str) -> PathBuf {
        proc_path::plain(&self.cwd.join(path.strip_prefix("file://").unwrap_or(path)))
    }

    fn path(&self) -> Option<PathBuf> {
        self.first(PATH_FIELDS).map(|path| self.place(path))
    }

    /// Every file that the input names.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let listed =
            PATH_LISTS.iter().flat_map(|field| self.input.list(field)).filter_map(EventValue::as_text);
        let pairs = MOVE_FIELDS.iter().flat_map(|(from, to)| [*from, *to]);
        let single = PATH_FIELDS.iter().copied().chain(pairs).filter_map(|field| self.input.text(field));
        let mut paths: Vec<PathBuf> = single
            .chain(listed)
            .filter(|path| !path.is_empty() && !path.contains('\n'))
            .take(MOST_PATHS)
            .map(|path| self.place(path))
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// A text editor that is one tool: its `command` is what it does to `path`.
    pub(super) fn editor(&self) -> Option<Action> {
        let (command, path) = (self.input.text("command")?, self.path()?);
        if EDITOR_VIEWS.contains(&command) {
            return Some(Action::Other);
        }
        if !EDITOR_CHANGES.contains(&command) {
            return None;
        }
        match command {
            "create" | "write" => Some(Action::Write { path, content: self.input.string("file_text") }),
            "str_replace" => self.edit(),
            "append" => Some(appended(&path, self.input.text("new_str")?)),
            _ => Some(Action::Foreign { paths: vec![path] }),
        }
    }

    /// A command, with its arguments, in its folder, on its host.
    pub(super) fn command(&self) -> Option<Action> {
        if !self.says(RUNS) {
            return None;
        }
        let mut command = COMMAND_FIELDS.iter().find_map(|field| self.words_of(field))?;
        let arguments = ARGUMENT_FIELDS.iter().filter_map(|field| self.words_of(field));
        command.extend(arguments.flat_map(|arguments| [" ".to_owned(), arguments]));
        if let Some(folder) = self.first(FOLDER_FIELDS) {
            command = format!("cd {} && {command}", word(folder));
        }
        if let Some(host) = self.first(HOST_FIELDS) {
            command = format!("ssh {} {}", word(host), word(&command));
        }
        let windows = self.says(&["powershell", "pwsh"]);
        Some(Action::Shell {
            command,
            dialect: if windows { ShellDialect::PowerShell } else { ShellDialect::Posix },
        })
    }

    /// SQL, wherever the database is.
    pub(super) fn sql(&self) -> Option<Action> {
        let text = self.first(SQL_FIELDS).filter(|_| self.says(SQL))?;
        Some(posix(format!("psql -c {}", word(text))))
    }

    /// What is typed into a terminal that somebody may sit before.
    pub(super) fn typed(&self) -> Option<Action> {
        let text = TYPED_FIELDS.iter().find_map(|field| self.words_of(field))?;
        self.says(TYPES).then(|| posix(format!("tmux send-keys -t 0 {} Enter", word(&text))))
    }

    /// A field's text as it is, or its list as quoted words.
    pub(super) fn words_of(&self, field: &str) -> Option<String> {
        match self.input.get(field) {
            EventValue::Text(text) if !text.is_empty() => Some(text.clone()),
            EventValue::List(words) if !words.is_empty() => {
                Some(words.iter().filter_map(EventValue::as_text).map(word).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        }
    }

    /// Code for an interpreter that the name or the input says.
    pub(super) fn code(&self) -> Option<Action> {
        let language = self.input.text("language").map(str::to_lowercase);
        let said = |word: &str| language.as_deref() == Some(word) || self.words.iter().any(|it| it == word);
        let (_, command) = INTERPRETERS.iter().find(|(word, _)| said(word))?;
        Some(run_by(command, self.first(CODE_FIELDS)?))
    }

    /// A move or a copy of files.
    pub(super) fn transfer(&self) -> Option<Action> {
        let program = match (self.says_of_files(MOVES), self.says_of_files(COPIES)) {
            (true, _) => "mv",
            (_, true) => "cp -R",
            _ => return None,
        };
        let both = |(from, to): &(&str, &str)| Some((self.input.filled(from)?, self.input.filled(to)?));
        let renamed = || {
            let from = self.path()?;
            let to = from.with_file_name(self.first(&["new_name"])?);
            Some((from.to_string_lossy().into_owned(), to.to_string_lossy().into_owned()))
        };
        let (from, to) = MOVE_FIELDS.iter().find_map(both).or_else(renamed)?;
        let (from, to) = (self.place(&from), self.place(&to));
        Some(posix(format!("{program} -- {} {}", in_words(&from), in_words(&to))))
    }

    pub(super) fn folder(&self) -> Option<Action> {
        let known = |word: &String| {
            MAKES_FOLDERS.contains(&word.as_str())
                || FOLDERS.contains(&word.as_str())
                || FILES.contains(&word.as_str())
        };
        let makes = self.says(MAKES_FOLDERS) && self.says(FOLDERS) && self.words.iter().all(known);
        if !makes || self.first(CONTENT_FIELDS).is_some() {
            return None;
        }
        Some(posix(format!("mkdir -p -- {}", in_words(&self.path()?))))
    }

    pub(super) fn deletion(&self) -> Option<Action> {
        if !self.says_of_files(DELETES) {
            return None;
        }
        let paths: Vec<String> = self.paths().iter().map(|path| in_words(path)).collect();
        (!paths.is_empty()).then(|| posix(format!("rm -r -- {}", paths.join(" "))))
    }

    /// Replacements in one file.
    pub(super) fn edit(&self) -> Option<Action> {
        let path = self.path()?;
        let listed = EDIT_LISTS.iter().map(|field| self.input.list(field)).find(|edits| !edits.is_empty());
        let one = EDIT_LISTS.iter().find_map(|field| replacement(self.input.get(field)));
        let edits: Vec<TextEdit> = match listed {
            Some(edits) => edits.iter().map(replacement).collect::<Option<_>>()?,
            None => vec![one.or_else(|| replacement(self.input))?],
        };
        Some(Action::Edit { path, edits })
    }

    /// A patch that names files and lines, whatever the tool is called.
    pub(super) fn line_patch(&self) -> Option<Action> {
        let texts = PATCH_FIELDS.iter().chain(COMMAND_FIELDS).filter_map(|field| self.input.text(field));
        let text = texts.into_iter().find(|text| patch_text::is_patch(text))?;
        Some(Action::Patch { files: patch_text::read(text, self.cwd)? })
    }

    /// A patch in the form that git reads.
    pub(super) fn patch(&self) -> Option<Action> {
        let patch = self.first(PATCH_FIELDS)?;
        let is_unified = ["diff --git ", "--- "].iter().any(|start| patch.trim_start().starts_with(start));
        is_unified.then(|| posix(format!("git apply <<'END_OF_PATCH'\n{}\nEND_OF_PATCH", patch.trim_end())))
    }

    /// A file written whole, or added to.
    pub(super) fn content(&self) -> Option<Action> {
        let path = self.path()?;
        let content = CONTENT_FIELDS.iter().find_map(|field| self.input.text(field))?.to_owned();
        if self.says(APPENDS) || self.input.text("mode") == Some("append") {
            return Some(appended(&path, &content));
        }
        (self.says(WHOLE) && !self.says(PARTS)).then_some(Action::Write { path, content })
    }
}

/// One replacement, in any of the fields' spellings.
fn replacement(input: &EventValue) -> Option<TextEdit> {
    let (old, new) = EDIT_FIELDS.iter().find_map(|(old, new)| Some((input.text(old)?, input.text(new)?)))?;
    let all = ALL_FLAGS.iter().any(|flag| input.flag(flag));
    Some(TextEdit { old: old.to_owned(), new: new.to_owned(), all })
}

/// Code as an argument of its interpreter.
pub(super) fn run_by(interpreter: &str, code: &str) -> Action {
    posix(format!("{interpreter} {}", word(code)))
}

pub(super) fn posix(command: String) -> Action {
    Action::Shell { command, dialect: ShellDialect::Posix }
}

/// A text at the end of a file.
fn appended(path: &Path, content: &str) -> Action {
    posix(format!("printf %s {} >> {}", word(content), in_words(path)))
}

/// A path as one word of a shell text.
fn in_words(path: &Path) -> String {
    word(&path.to_string_lossy())
}
