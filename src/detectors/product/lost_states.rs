//! Names of what a file writes to no more: `journal` of `journal_.push_back(entry)`, by which its tests may tell that it is missed.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::languages::Language;
use crate::languages::code::identifiers;
use crate::model::finding::Change;

/// Calls that write to what they are called on, in lower case and without `_`.
const WRITING: &[&str] = &[
    "push",
    "pushback",
    "append",
    "add",
    "insert",
    "put",
    "set",
    "remove",
    "pop",
    "delete",
    "clear",
    "enqueue",
    "emplace",
    "emplaceback",
    "record",
    "write",
    "extend",
    "unshift",
    "update",
    "store",
    "save",
    "log",
    "emit",
    "publish",
    "notify",
];
/// What a line of a test has that claims something.
const CLAIMING: &[&str] =
    &["assert", "expect", "check", "require", "should", "verify", "want", "equal", "must", "got", "=="];
/// A name shorter than this stands for many things.
const TELLING: usize = 5;

/// The names of what the lines wrote to that are gone, and that no line of the file writes to now.
pub(crate) fn lost_states(change: &Change) -> BTreeSet<String> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return BTreeSet::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let gone: BTreeSet<String> =
        places.iter().flat_map(|hunk| &hunk.gone).filter_map(|it| written(it.text)).collect();
    if gone.is_empty() {
        return gone;
    }
    let kept: BTreeSet<String> = new.lines().filter_map(|line| written(line.trim())).collect();
    gone.difference(&kept).map(|name| stem(name)).filter(|it| it.len() >= TELLING).collect()
}

/// The line of a test that claims something about one of the names.
pub(crate) fn state_asked(test: &str, names: &BTreeSet<String>) -> Option<String> {
    test.lines().find_map(|line| {
        let lower = line.to_lowercase();
        let is_claim = CLAIMING.iter().any(|word| lower.contains(word));
        let has = |name: &&String| identifiers(line).any(|word| stem(word) == **name);
        names.iter().find(|name| is_claim && has(name)).cloned()
    })
}

/// The field that a statement counts: `ring->dropped++;`, `++self.dropped`, `@dropped += 1`.
fn counted(line: &str) -> Option<String> {
    let line = line.trim_end_matches(';').trim();
    let step = ["++", "--"].iter().find_map(|sign| line.strip_prefix(sign).or(line.strip_suffix(sign)));
    let path = step.or_else(|| Some(line.split_once(" += ")?.0))?.trim();
    let is_path = path.chars().all(|c| c.is_alphanumeric() || "_.@$->".contains(c));
    let is_field = path.contains(['.', '>', '@']) || path.ends_with('_');
    let name = path.rsplit(['.', '>', '@', '$']).next()?;
    (is_path && is_field).then(|| name.to_owned())
}

/// The field that a statement counts, or calls a writing function on, and nothing else: `this.events.push(x);`.
fn written(line: &str) -> Option<String> {
    if let Some(name) = counted(line) {
        return Some(name);
    }
    let (head, _) = line.split_once('(')?;
    let (holder, call) = head.rsplit_once(['.', '>'])?;
    let plain: String = call.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let is_path =
        holder.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '$' | '-' | '>' | '#'));
    let name = holder.rsplit(['.', '>', '@', '$', '#']).find(|it| !it.is_empty() && *it != "-")?;
    (is_path && WRITING.contains(&plain.as_str())).then(|| name.trim_end_matches('-').to_owned())
}

/// A name without the signs of a field, in lower case.
fn stem(name: &str) -> String {
    name.trim_matches('_').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_nothing_writes_to_is_known_by_a_claim() {
        let change = |after: &str| Change {
            path: "src/book.cpp".to_owned(),
            before: Some(
                "void Book::post(Entry e) {\n    journal_.push_back(e.memo);\n    total_ += e.sum;\n}\n"
                    .to_owned(),
            ),
            after: Some(after.to_owned()),
        };
        let names = lost_states(&change("void Book::post(Entry e) {\n    total_ += e.sum;\n}\n"));
        assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["journal"]);
        assert!(state_asked("    CHECK(book.journal().size() == 1);", &names).is_some());
        assert!(state_asked("    book.journal().clear();", &names).is_none());
        let other = "void Book::post(Entry e) {\n    journal_.push_back(e.note);\n    total_ += e.sum;\n}\n";
        assert!(lost_states(&change(other)).is_empty());
    }
}
