//! The text of a file before and after a call, as a transcript tells it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::TranscriptCall;

/// What a call makes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct EditedText {
    /// The file.
    pub(in crate::cli) file: PathBuf,
    /// What it held; `None` where it was not there.
    pub(in crate::cli) before: Option<String>,
    /// What it holds then.
    pub(in crate::cli) after: String,
    /// Whether only the replaced piece is known, and not the file around it.
    pub(in crate::cli) is_piece: bool,
}

/// The texts of files as a session has read and written them.
#[derive(Debug, Default)]
pub(in crate::cli) struct SessionTexts(HashMap<PathBuf, String>);

impl SessionTexts {
    /// Takes note of what a call that reads shows of a file, where that is all of it.
    pub(in crate::cli) fn read(&mut self, call: &TranscriptCall) {
        let shown = call.result.get("file").filter(|_| call.tool == "Read");
        let Some(shown) = shown else { return };
        let number = |field: &str| shown.get(field).and_then(Value::as_u64);
        let is_whole = number("startLine") == Some(1) && number("numLines") == number("totalLines");
        let text = shown.get("content").and_then(Value::as_str);
        if let (Some(file), Some(text), true) = (call.file(), text, is_whole) {
            self.0.insert(file, text.to_owned());
        }
    }

    /// Takes note of what a call has written.
    pub(in crate::cli) fn write(&mut self, edited: &EditedText) {
        if !edited.is_piece {
            self.0.insert(edited.file.clone(), edited.after.clone());
        }
    }

    /// What a call makes of its file; `None` for a call that writes none, or whose edit does not fit.
    pub(in crate::cli) fn edited(&self, call: &TranscriptCall) -> Option<EditedText> {
        let file = call.file()?;
        match call.tool.as_str() {
            "Write" => {
                let after = call.text("content")?.to_owned();
                let before = self.before(call, &file);
                // Without a word about it nobody knows whether the file was there.
                let is_known =
                    before.is_some() || call.result.get("type").and_then(Value::as_str) == Some("create");
                is_known.then_some(EditedText { file, before, after, is_piece: false })
            }
            "Edit" => edit(file.clone(), self.before(call, &file), std::slice::from_ref(&call.input)),
            "MultiEdit" => {
                let before = self.before(call, &file);
                edit(file, before, call.input.get("edits")?.as_array()?)
            }
            _ => None,
        }
    }

    /// What the client says that the file held, or else what the session knew of it.
    fn before(&self, call: &TranscriptCall, file: &Path) -> Option<String> {
        let said = call.result.get("originalFile").and_then(Value::as_str).map(str::to_owned);
        said.or_else(|| self.0.get(file).cloned())
    }
}

fn edit(file: PathBuf, before: Option<String>, edits: &[Value]) -> Option<EditedText> {
    let Some(before) = before else { return piece(file, edits) };
    let mut after = before.clone();
    for edit in edits {
        let (old, new) = strings(edit)?;
        if old.is_empty() {
            after = format!("{new}{after}");
        } else if !after.contains(old) {
            return None;
        } else if edit.get("replace_all") == Some(&Value::Bool(true)) {
            after = after.replace(old, new);
        } else {
            after = after.replacen(old, new, 1);
        }
    }
    Some(EditedText { file, before: Some(before), after, is_piece: false })
}

fn piece(file: PathBuf, edits: &[Value]) -> Option<EditedText> {
    let pieces: Option<Vec<(&str, &str)>> = edits.iter().map(strings).collect();
    let (old, new): (Vec<&str>, Vec<&str>) = pieces?.into_iter().unzip();
    Some(EditedText { file, before: Some(old.join("\n")), after: new.join("\n"), is_piece: true })
}

fn strings(edit: &Value) -> Option<(&str, &str)> {
    Some((edit.get("old_string")?.as_str()?, edit.get("new_string")?.as_str()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(tool: &str, input: Value, result: Value) -> TranscriptCall {
        TranscriptCall { tool: tool.to_owned(), input, result, cwd: "/p".into(), ..TranscriptCall::default() }
    }

    #[test]
    fn the_text_of_a_call_is_the_clients_word_or_what_was_read_or_the_piece_alone() {
        let mut texts = SessionTexts::default();
        let edit = |old: &str, result: Value| {
            call("Edit", json!({"file_path": "a", "old_string": old, "new_string": "N"}), result)
        };
        let seen = |edited: Option<EditedText>| edited.map(|it| (it.before, it.after, it.is_piece));
        let original = json!({"originalFile": "one two"});
        assert_eq!(
            seen(texts.edited(&edit("two", original))),
            Some((Some("one two".into()), "one N".into(), false))
        );
        assert_eq!(
            seen(texts.edited(&edit("two", Value::Null))),
            Some((Some("two".into()), "N".into(), true))
        );
        let whole = json!({"file": {"content": "two two", "startLine": 1, "numLines": 1, "totalLines": 1}});
        texts.read(&call("Read", json!({"file_path": "/p/a"}), whole));
        assert_eq!(
            seen(texts.edited(&edit("two", Value::Null))),
            Some((Some("two two".into()), "N two".into(), false))
        );
        assert_eq!(texts.edited(&edit("three", Value::Null)), None);
        let write = |result: Value| call("Write", json!({"file_path": "b", "content": "x"}), result);
        assert_eq!(texts.edited(&write(Value::Null)), None);
        assert_eq!(seen(texts.edited(&write(json!({"type": "create"})))), Some((None, "x".into(), false)));
        let part = json!({"file": {"content": "two", "startLine": 3, "numLines": 1, "totalLines": 9}});
        texts.read(&call("Read", json!({"file_path": "c"}), part));
        let edits = json!({"file_path": "c", "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": ""}]});
        assert_eq!(
            seen(texts.edited(&call("MultiEdit", edits, Value::Null))),
            Some((Some("1\n3".into()), "2\n".into(), true))
        );
    }
}
