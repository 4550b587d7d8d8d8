//! The text of a file after an edit, as the host applies it.

use std::path::Path;

use crate::model::event::TextEdit;

/// The text after the replacements; `None` when one does not apply, since the host then refuses the call.
pub(super) fn edited(before: &str, edits: &[TextEdit]) -> Option<String> {
    let mut text = before.to_owned();
    for edit in edits {
        if edit.old.is_empty() {
            text = if text.is_empty() { edit.new.clone() } else { text };
            continue;
        }
        let windows = !text.contains(&edit.old) && text.contains("\r\n");
        let (old, new) = if windows {
            (edit.old.replace('\n', "\r\n"), edit.new.replace('\n', "\r\n"))
        } else {
            (edit.old.clone(), edit.new.clone())
        };
        if !text.contains(&old) {
            return None;
        }
        text = if edit.all { text.replace(&old, &new) } else { text.replacen(&old, &new, 1) };
    }
    Some(text)
}

/// What an edit says of a file that is there and can't be read: the parts that it takes out. So what is lost in them is
/// seen all the same.
pub(super) fn in_its_own_words(path: &Path, edits: &[TextEdit]) -> Option<String> {
    let is_there = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let parts: Vec<&str> = edits.iter().map(|edit| edit.old.as_str()).filter(|old| !old.is_empty()).collect();
    (is_there && !parts.is_empty()).then(|| parts.join("\n"))
}

/// A notebook's text after one cell changed.
pub(crate) fn notebook(before: &str, cell_id: Option<&str>, mode: &str, source: &str) -> Option<String> {
    let mut book: serde_json::Value = serde_json::from_str(before).ok()?;
    let cells = book.get_mut("cells")?.as_array_mut()?;
    let at = cells
        .iter()
        .position(|cell| cell.get("id").and_then(|id| id.as_str()) == cell_id && cell_id.is_some());
    match mode {
        "delete" => {
            cells.remove(at?);
        }
        "insert" => {
            let cell =
                serde_json::json!({"cell_type": "code", "source": source, "metadata": {}, "outputs": []});
            cells.insert(at.map_or(0, |at| at + 1), cell);
        }
        _ => *cells.get_mut(at?)?.get_mut("source")? = source.into(),
    }
    serde_json::to_string_pretty(&book).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str, all: bool) -> TextEdit {
        TextEdit { old: old.into(), new: new.into(), all }
    }

    #[test]
    fn edits_apply_as_the_host_applies_them() {
        let rows: [(&str, Vec<TextEdit>, Option<&str>); 8] = [
            ("a b a", vec![edit("a", "c", false)], Some("c b a")),
            ("a b a", vec![edit("a", "c", true)], Some("c b c")),
            ("a", vec![edit("x", "y", false)], None),
            ("a", vec![edit("a", "b", false), edit("b", "c", false)], Some("c")),
            ("", vec![edit("", "new file", false)], Some("new file")),
            ("a\r\nb\r\n", vec![edit("a\nb", "c\nd", false)], Some("c\r\nd\r\n")),
            ("a\nb", vec![edit("a\n", "", false)], Some("b")),
            ("x", vec![], Some("x")),
        ];
        for (before, edits, after) in rows {
            assert_eq!(edited(before, &edits).as_deref(), after, "{before:?} {edits:?}");
        }
    }

    #[test]
    fn a_notebook_cell_is_found_by_its_id() {
        let book = r#"{"cells":[{"id":"a","source":"1"},{"id":"b","source":"2"}]}"#;
        let after = notebook(book, Some("b"), "replace", "3").unwrap();
        assert!(after.contains("\"3\"") && after.contains("\"1\"") && !after.contains("\"2\""));
        assert!(!notebook(book, Some("a"), "delete", "").unwrap().contains("\"1\""));
        assert_eq!(notebook(book, Some("zz"), "replace", ""), None);
        assert_eq!(notebook("not json", None, "replace", ""), None);
    }
}
