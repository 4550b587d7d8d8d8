//! Tools that are not the client's own: those of MCP servers, and other clients' by the names they have there.
//!
//! The words of a tool's name and the fields of its input, tables both, say what a call does. Where that is what a tool
//! of the client's own does, the call comes to the same action and is judged like it; what moves, copies or deletes
//! files comes to the shell's words for it. A call of which nothing is known but that it may write is
//! [`Action::Foreign`]. What is said to lie elsewhere than on this machine names no file here.

mod words;

use std::path::{Path, PathBuf};

use self::words::{
    ALL_FLAGS, APPENDS, ARGUMENT_FIELDS, CODE_FIELDS, COMMAND_FIELDS, CONTENT_FIELDS, COPIES, DELETES,
    DRY_FLAGS, EDIT_FIELDS, EDIT_LISTS, EDITOR_CHANGES, EDITOR_VIEWS, ELSEWHERE_FIELDS, FILES, FOLDER_FIELDS,
    FOLDERS, HARMLESS, HOST_FIELDS, INTERPRETERS, MAKES_FOLDERS, MORE_FIELDS, MOVE_FIELDS, MOVES, PARTS,
    PATCH_FIELDS, PATH_FIELDS, PATH_LISTS, READS, RUNS, SQL, SQL_FIELDS, TYPED_FIELDS, TYPES, WHOLE, WRITES,
    WRITES_AFTER_READING,
};
use super::json::Node;
use crate::model::event::{Action, Dialect, TextEdit};

/// What the name of a tool of an MCP server begins with.
const SERVER: &str = "mcp__";
/// At most so many files of one call are looked at.
const MOST_PATHS: usize = 100;

/// Whether a tool may change files, by its name alone. Of a server's tool that is believed which says nothing; of
/// another only what its name says, because the client's own that write are known.
pub(super) fn may_write(tool: &str) -> bool {
    if HARMLESS.contains(&tool) {
        return false;
    }
    let of_server = tool.starts_with(SERVER);
    let words = words(tool);
    let has = |table: &[&str]| words.iter().any(|word| table.contains(&word.as_str()));
    let begins_reading = words.first().is_some_and(|first| READS.contains(&first.as_str()));
    match (begins_reading, has(READS)) {
        (true, _) => has(WRITES_AFTER_READING),
        (false, true) => has(WRITES),
        (false, false) => of_server || has(WRITES) || has(RUNS),
    }
}

/// The fields of an input that are read for [`action`].
pub(super) fn fields() -> impl Iterator<Item = &'static str> {
    let lists = [
        PATH_FIELDS,
        PATH_LISTS,
        CONTENT_FIELDS,
        EDIT_LISTS,
        ALL_FLAGS,
        DRY_FLAGS,
        COMMAND_FIELDS,
        ARGUMENT_FIELDS,
        FOLDER_FIELDS,
        CODE_FIELDS,
        TYPED_FIELDS,
        SQL_FIELDS,
        HOST_FIELDS,
        PATCH_FIELDS,
        ELSEWHERE_FIELDS,
        MORE_FIELDS,
    ];
    let pairs = [EDIT_FIELDS, MOVE_FIELDS];
    let singles = lists.into_iter().flatten().copied();
    singles.chain(pairs.into_iter().flatten().flat_map(|(one, other)| [*one, *other]))
}

/// What a call of a tool that may write does.
pub(super) fn action(tool: &str, input: &Node, cwd: &Path) -> Action {
    let call = Call { words: words(tool), input, cwd };
    if DRY_FLAGS.iter().any(|flag| input.flag(flag)) {
        return Action::Other;
    }
    if let Some(action) = call.sql() {
        return action;
    }
    if ELSEWHERE_FIELDS.iter().any(|field| input.has(field)) {
        return Action::Foreign { paths: Vec::new() };
    }
    let known = call
        .editor()
        .or_else(|| call.command())
        .or_else(|| call.typed())
        .or_else(|| call.code())
        .or_else(|| call.transfer())
        .or_else(|| call.folder())
        .or_else(|| call.deletion())
        .or_else(|| call.edit())
        .or_else(|| call.patch())
        .or_else(|| call.content());
    known.unwrap_or_else(|| Action::Foreign { paths: call.paths() })
}

/// The words of a tool's own name, without its server's.
fn words(tool: &str) -> Vec<String> {
    let own = tool.strip_prefix(SERVER).and_then(|rest| rest.split_once("__")).map_or(tool, |(_, own)| own);
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in own.chars() {
        if letter.is_alphanumeric() {
            let begins = !last.is_alphanumeric() || (letter.is_uppercase() && last.is_lowercase());
            match words.last_mut() {
                Some(word) if !begins => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        last = letter;
    }
    words
}

/// A call as it came.
struct Call<'a> {
    words: Vec<String>,
    input: &'a Node,
    cwd: &'a Path,
}

impl Call<'_> {
    fn says(&self, table: &[&str]) -> bool {
        self.words.iter().any(|word| table.contains(&word.as_str()))
    }

    /// Whether the name says one of these of files as a whole, and nothing else.
    fn says_of_files(&self, verbs: &[&str]) -> bool {
        let known = |word: &String| verbs.contains(&word.as_str()) || FILES.contains(&word.as_str());
        self.says(verbs) && self.words.iter().all(known)
    }

    fn first(&self, fields: &[&str]) -> Option<&str> {
        fields.iter().find_map(|field| self.input.text(field)).filter(|text| !text.is_empty())
    }

    fn place(&self, path: &str) -> PathBuf {
        self.cwd.join(path.strip_prefix("file://").unwrap_or(path))
    }

    fn path(&self) -> Option<PathBuf> {
        self.first(PATH_FIELDS).map(|path| self.place(path))
    }

    /// Every file that the input names.
    fn paths(&self) -> Vec<PathBuf> {
        let listed = PATH_LISTS.iter().flat_map(|field| self.input.list(field)).filter_map(Node::as_text);
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
    fn editor(&self) -> Option<Action> {
        let (command, path) = (self.input.text("command")?, self.path()?);
        if EDITOR_VIEWS.contains(&command) {
            return Some(Action::Other);
        }
        if !EDITOR_CHANGES.contains(&command) {
            return None;
        }
        match command {
            "create" => Some(Action::Write { path, content: self.input.string("file_text") }),
            "str_replace" => self.edit(),
            _ => Some(Action::Foreign { paths: vec![path] }),
        }
    }

    /// A command, with its arguments, in its folder, on its host.
    fn command(&self) -> Option<Action> {
        if !self.says(RUNS) {
            return None;
        }
        let mut command = COMMAND_FIELDS.iter().find_map(|field| self.words_of(field))?;
        let arguments = ARGUMENT_FIELDS.iter().filter_map(|field| self.words_of(field));
        command.extend(arguments.flat_map(|arguments| [" ".to_owned(), arguments]));
        if let Some(folder) = self.first(FOLDER_FIELDS) {
            command = format!("cd {} && {command}", quoted(folder));
        }
        if let Some(host) = self.first(HOST_FIELDS) {
            command = format!("ssh {} {}", quoted(host), quoted(&command));
        }
        let windows = self.says(&["powershell", "pwsh"]);
        Some(Action::Shell { command, dialect: if windows { Dialect::PowerShell } else { Dialect::Posix } })
    }

    /// SQL, wherever the database is.
    fn sql(&self) -> Option<Action> {
        let text = self.first(SQL_FIELDS).filter(|_| self.says(SQL))?;
        Some(posix(format!("psql -c {}", quoted(text))))
    }

    /// What is typed into a terminal that somebody may sit before.
    fn typed(&self) -> Option<Action> {
        let text = TYPED_FIELDS.iter().find_map(|field| self.words_of(field))?;
        self.says(TYPES).then(|| posix(format!("tmux send-keys -t 0 {} Enter", quoted(&text))))
    }

    /// A field's text as it is, or its list as quoted words.
    fn words_of(&self, field: &str) -> Option<String> {
        match self.input.get(field) {
            Node::Text(text) if !text.is_empty() => Some(text.clone()),
            Node::List(words) if !words.is_empty() => {
                Some(words.iter().filter_map(Node::as_text).map(quoted).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        }
    }

    /// Code for an interpreter that the name or the input says.
    fn code(&self) -> Option<Action> {
        let language = self.input.text("language").map(str::to_lowercase);
        let said = |word: &str| language.as_deref() == Some(word) || self.words.iter().any(|it| it == word);
        let (_, command) = INTERPRETERS.iter().find(|(word, _)| said(word))?;
        Some(posix(format!("{command} {}", quoted(self.first(CODE_FIELDS)?))))
    }

    /// A move or a copy of files.
    fn transfer(&self) -> Option<Action> {
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

    fn folder(&self) -> Option<Action> {
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

    fn deletion(&self) -> Option<Action> {
        if !self.says_of_files(DELETES) {
            return None;
        }
        let paths: Vec<String> = self.paths().iter().map(|path| in_words(path)).collect();
        (!paths.is_empty()).then(|| posix(format!("rm -r -- {}", paths.join(" "))))
    }

    /// Replacements in one file.
    fn edit(&self) -> Option<Action> {
        let path = self.path()?;
        let listed = EDIT_LISTS.iter().map(|field| self.input.list(field)).find(|edits| !edits.is_empty());
        let edits: Vec<TextEdit> = match listed {
            Some(edits) => edits.iter().map(replacement).collect::<Option<_>>()?,
            None => vec![replacement(self.input)?],
        };
        Some(Action::Edit { path, edits })
    }

    /// A patch in the form that git reads.
    fn patch(&self) -> Option<Action> {
        let patch = self.first(PATCH_FIELDS)?;
        let is_unified = ["diff --git ", "--- "].iter().any(|start| patch.trim_start().starts_with(start));
        is_unified.then(|| posix(format!("git apply <<'END_OF_PATCH'\n{}\nEND_OF_PATCH", patch.trim_end())))
    }

    /// A file written whole, or added to.
    fn content(&self) -> Option<Action> {
        let path = self.path()?;
        let content = CONTENT_FIELDS.iter().find_map(|field| self.input.text(field))?.to_owned();
        if self.says(APPENDS) || self.input.text("mode") == Some("append") {
            return Some(posix(format!("printf %s {} >> {}", quoted(&content), in_words(&path))));
        }
        (self.says(WHOLE) && !self.says(PARTS)).then_some(Action::Write { path, content })
    }
}

/// One replacement, in any of the fields' spellings.
fn replacement(input: &Node) -> Option<TextEdit> {
    let (old, new) = EDIT_FIELDS.iter().find_map(|(old, new)| Some((input.text(old)?, input.text(new)?)))?;
    let all = ALL_FLAGS.iter().any(|flag| input.flag(flag));
    Some(TextEdit { old: old.to_owned(), new: new.to_owned(), all })
}

fn posix(command: String) -> Action {
    Action::Shell { command, dialect: Dialect::Posix }
}

/// A path as one word of a shell text.
fn in_words(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A text as one word of a shell text; plain when it needs no quotes.
fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
