//! Tools that change pieces of a file in ways of their own: one that replaces, inserts or creates by which of its fields
//! are there, and one that takes blocks of what to find and what to put there.

use std::path::{Path, PathBuf};

use super::json::EventValue;
use crate::model::event::{Action, TextEdit};
use crate::model::proc_path;

/// A line of dashes and this word begins what to find.
const FIND: &str = "SEARCH";
/// Ends what to put there.
const PUT: &str = "REPLACE";
/// The fewest signs of a line that parts a block.
const LINE: usize = 3;

/// A file that a call names.
pub(super) fn place(cwd: &Path, path: &str) -> PathBuf {
    proc_path::plain(&cwd.join(path.strip_prefix("file://").unwrap_or(path)))
}

/// `old_text` is replaced by `new_text`; without it `new_text` goes before a line, or is a new file.
pub(super) fn piece(input: &EventValue, cwd: &Path) -> Option<Action> {
    let path = place(cwd, input.text("path")?);
    let new = input.text("new_text")?;
    if let Some(old) = input.text("old_text").filter(|old| !old.is_empty()) {
        return Some(Action::Edit { path, edits: vec![replacement(old, new)] });
    }
    // The number of the line is none of what is read here, only that there is one.
    if input.has("insert_line") && !input.is_null("insert_line") {
        return Some(Action::Foreign { paths: vec![path] });
    }
    Some(Action::Write { path, content: new.to_owned() })
}

/// The blocks of `diff`, as replacements in `path`.
pub(super) fn blocks(input: &EventValue, cwd: &Path) -> Option<Action> {
    let path = place(cwd, input.text("path")?);
    let edits = parsed(input.text("diff")?)?;
    Some(Action::Edit { path, edits })
}

/// One replacement of the only place.
fn replacement(old: &str, new: &str) -> TextEdit {
    TextEdit { old: old.to_owned(), new: new.to_owned(), all: false }
}

/// Reads blocks of `------- SEARCH`, `=======`, `+++++++ REPLACE`. `None` for what is no such text.
fn parsed(text: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    let (mut old, mut new) = (String::new(), String::new());
    let mut part = PatchPart::Outside;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        part = match part {
            PatchPart::Outside if is_mark(bare, &['-', '<'], FIND) => PatchPart::Old,
            PatchPart::Outside if bare.is_empty() => PatchPart::Outside,
            PatchPart::Outside => return None,
            PatchPart::Old if is_mark(bare, &['='], "") => PatchPart::New,
            PatchPart::Old => {
                old.push_str(line);
                PatchPart::Old
            }
            PatchPart::New if is_mark(bare, &['+', '>'], PUT) => {
                edits.push(replacement(&old, &new));
                (old, new) = (String::new(), String::new());
                PatchPart::Outside
            }
            PatchPart::New => {
                new.push_str(line);
                PatchPart::New
            }
        };
    }
    (!edits.is_empty() && part == PatchPart::Outside).then_some(edits)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PatchPart {
    Outside,
    Old,
    New,
}

/// Whether a line is several of one of these signs, and then a word.
fn is_mark(line: &str, signs: &[char], word: &str) -> bool {
    signs.iter().any(|sign| {
        let rest = line.trim_start_matches(*sign);
        line.len() - rest.len() >= LINE && rest.trim() == word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_replacements_and_other_texts_do_not() {
        let block = |old: &str, new: &str| format!("------- SEARCH\n{old}=======\n{new}+++++++ REPLACE\n");
        let two = block("a\n", "b\nc\n") + &block("d\n", "");
        assert_eq!(parsed(&two), Some(vec![replacement("a\n", "b\nc\n"), replacement("d\n", "")]));
        let older = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE";
        assert_eq!(parsed(older), Some(vec![replacement("x\n", "y\n")]));
        for text in ["", "hello", "------- SEARCH\na\n=======\nb\n", &format!("x\n{two}"), "=======\n"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn which_fields_are_there_says_what_is_done() {
        let read = |text: &str| {
            let wanted = ["path", "old_text", "new_text", "insert_line"];
            piece(&EventValue::read(text.as_bytes(), &wanted).unwrap(), Path::new("/w"))
        };
        let path = || "/w/a".into();
        for (text, expected) in [
            (
                r#"{"path":"a","old_text":"x","new_text":"y"}"#,
                Some(Action::Edit { path: path(), edits: vec![replacement("x", "y")] }),
            ),
            (
                r#"{"path":"/w/a","old_text":null,"new_text":"y","insert_line":null}"#,
                Some(Action::Write { path: path(), content: "y".to_owned() }),
            ),
            (r#"{"path":"a","new_text":"y","insert_line":3}"#, Some(Action::Foreign { paths: vec![path()] })),
            (r#"{"path":"a"}"#, None),
            (r#"{"new_text":"a"}"#, None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
