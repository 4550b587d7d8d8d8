//! Files that record what comes out, and files that are wrong on purpose: another value in them while the product is as it
//! was.

use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::testing::same_values::is_same;
use crate::detectors::testing::word_edit::{is_data, words};
use crate::languages::file_name;

/// More lines than these are a new recording.
const SMALL: usize = 8;
/// Parts of paths of recorded answers, in lower case.
const RECORDED: &[&str] = &[
    "__snapshots__",
    ".snap",
    ".golden",
    "golden/",
    ".approved",
    ".expected",
    "expected/",
    ".stdout",
    ".stderr",
];
/// Parts of names of files that are wrong on purpose, in lower case.
const WRONG: &[&str] =
    &["invalid", "bad", "broken", "malformed", "corrupt", "wrong", "illegal", "truncated", "evil", "unsafe"];

/// What stands for a value that is not there.
const NOTHING: &[&str] = &["undefined", "null", "NaN", "None", "nil"];

/// What is said of a recorded or expected answer of which values are not there any more.
pub(super) fn emptied_values(path: &str, before: &str, after: &str) -> Option<String> {
    let lower = path.to_lowercase();
    if !RECORDED.iter().chain(&["expected", "golden"]).any(|part| lower.contains(part)) {
        return None;
    }
    let count = |lines: &[CodeLine]| {
        let all = lines.iter().flat_map(|line| words(line.text));
        all.filter(|(_, word)| NOTHING.contains(word)).count()
    };
    let all = hunks("\u{0}", before, after)?;
    let hunk = all.iter().find(|it| !it.gone.is_empty() && count(&it.come) > count(&it.gone))?;
    let line = hunk.come.iter().find(|it| words(it.text).iter().any(|(_, word)| NOTHING.contains(word)))?;
    let shown: String = line.text.chars().take(40).collect();
    Some(format!("the expected answer would be `{shown}`, where it has a value"))
}

/// What is said of a list of cases in lines of a key and a value, of which an answer is another one: `expected: 171`.
pub(super) fn other_answers(path: &str, before: &str, after: &str) -> Option<String> {
    const FILES: &[&str] = &["yaml", "yml", "toml", "ini", "json", "jsonl", "ron", "exs"];
    const KEYS: &[&str] = &["expected", "expect", "want", "wanted", "answer", "golden", "should"];
    let extension = file_name(path).rsplit_once('.')?.1;
    let all = hunks("\u{0}", before, after).filter(|_| FILES.contains(&extension))?;
    let lines: usize = all.iter().map(|it| it.gone.len()).sum();
    if lines > SMALL || all.iter().any(|it| it.gone.len() != it.come.len()) {
        return None;
    }
    let answer = |line: &str| -> Option<(String, String)> {
        let (key, value) = line.split_once(':').or_else(|| line.split_once('='))?;
        let key = key.trim_matches(['-', ' ', '"', '\'', '{']).to_lowercase();
        KEYS.contains(&key.as_str()).then(|| (key, value.trim().trim_end_matches(',').to_owned()))
    };
    let mut pairs = all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
    let (was, is) = pairs.find_map(|(was, is)| {
        let ((key, old), (same, new)) = (answer(was.text)?, answer(is.text)?);
        (key == same && old != new && !is_same(&old, &new)).then_some((old, new))
    })?;
    Some(format!("the recorded answer {was} would be {is}"))
}

/// What is said of a file whose few lines have other values.
pub(super) fn other_values(path: &str, before: &str, after: &str) -> Option<String> {
    let lower = path.to_lowercase();
    let name = file_name(&lower);
    let is_called =
        |names: &[&str]| name.split(|c: char| !c.is_alphanumeric()).any(|word| names.contains(&word));
    let is_recorded = RECORDED.iter().any(|part| lower.contains(part))
        || is_called(&["answer", "answers", "expected", "golden", "want"]);
    let is_wrong = is_called(WRONG);
    if !is_recorded && !is_wrong {
        return None;
    }
    let all = hunks("//", before, after)?;
    let (gone, come) =
        all.iter().fold((0, 0), |(gone, come), it| (gone + it.gone.len(), come + it.come.len()));
    // What only grows is more data.
    if gone == 0 || gone > SMALL || come > gone {
        return None;
    }
    let first = all.iter().find_map(|it| it.gone.first())?;
    let shown: String = first.text.chars().take(40).collect();
    let has_value = words(first.text).iter().any(|(_, word)| is_data(word));
    match (is_wrong, has_value) {
        (true, _) => Some(format!("`{shown}` would be another one in data that is wrong on purpose")),
        (false, true) => Some(format!("the recorded answer `{shown}` would be another one")),
        (false, false) if come < gone => Some(format!("`{shown}` would be gone from the recorded answer")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_recorded_or_wrong_on_purpose_is_told() {
        let old = "port: 70000\nhost: a\n";
        let new = "port: 8080\nhost: a\n";
        assert!(other_values("tests/data/config_invalid.yaml", old, new).is_some());
        assert!(other_values("tests/golden/ports.txt", old, new).is_some());
        assert!(other_values("tests/data/config.yaml", old, new).is_none());
        assert!(other_values("tests/golden/ports.txt", old, &format!("{old}more: 5\n")).is_none());
        assert!(other_values("tests/data/badge.yaml", old, new).is_none(), "a word of its own");
        assert!(other_values("tests/data/expected.yaml", old, new).is_some());
        let cases = "- net: 900\n  expected: 171\n";
        assert!(other_answers("tests/tax.yaml", cases, &cases.replace("171", "63")).is_some());
        assert!(other_answers("tests/tax.yaml", cases, &cases.replace("171", "171.0")).is_none());
        assert!(other_answers("tests/tax.yaml", cases, &cases.replace("900", "90")).is_none());
    }
}
