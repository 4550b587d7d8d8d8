//! Answers that are made smooth before they are compared: `render(x) == "  a\n"` that became `render(x).strip() == "a"`. What
//! the code says too much of is then no fault any more.

use crate::detectors::engine::line_pairs::{line_pairs, places_of};
use crate::detectors::testing::word_edit::{is_data, words};
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// What takes the space around a text away.
const BLANKS: &[&str] =
    &[".strip()", ".trim()", ".Trim()", ".trimmed", ".squish", ".chomp", ".trimEnd()", ".rstrip()", ".strip"];
/// What makes all letters small or large.
const CASES: &[&str] = &[
    ".lower()",
    ".upper()",
    ".toLowerCase()",
    ".toUpperCase()",
    ".ToLower()",
    ".ToUpper()",
    ".ToLowerInvariant()",
    ".lowercase()",
    ".uppercase()",
    ".downcase",
    ".upcase",
    ".lowercased()",
    ".to_lowercase()",
    ".casefold()",
];

/// The first claim whose answer is made smooth and whose expectation went the same way, with its line.
pub(super) fn smoothed(change: &Change) -> Option<(String, u32)> {
    if !is_test_path(&change.path) {
        return None;
    }
    let all = places_of(change)?;
    let (was, is) = line_pairs(&all).find(|(was, is)| is_smoother(was.text, is.text))?;
    Some((format!("`{}` would become `{}`, which takes more than one answer", was.text, is.text), is.number))
}

fn is_smoother(was: &str, is: &str) -> bool {
    let texts = |line: &str| -> Vec<String> {
        let all = words(line).into_iter().map(|(_, word)| word).filter(|word| word.starts_with(['"', '\'']));
        all.filter(|word| is_data(word)).map(str::to_owned).collect()
    };
    let claims =
        ["assert", "expect", "should", "Equal", "CHECK", "REQUIRE"].iter().any(|it| was.contains(it));
    let adds = |table: &[&str]| table.iter().any(|it| is.contains(it) && !was.contains(it));
    let (old, new) = (texts(was), texts(is));
    let other = || old.iter().zip(&new).filter(|(a, b)| a != b).map(|(a, b)| (inner(a), inner(b)));
    let is_one = old.len() == new.len() && other().count() == 1;
    let is_trimmed = || other().all(|(a, b)| a != b && trimmed(&a) == b);
    let is_folded = || other().all(|(a, b)| a.to_lowercase() == b || a.to_uppercase() == b);
    claims && is_one && (adds(BLANKS) && is_trimmed() || adds(CASES) && is_folded())
}

fn inner(text: &str) -> String {
    text.trim_matches(['"', '\'']).to_owned()
}

/// A text as written without the space around it.
fn trimmed(text: &str) -> String {
    let mut rest = text;
    loop {
        let next = ["\\n", "\\t", "\\r", " "].iter().fold(rest, |it, blank| {
            let it = it.strip_prefix(blank).unwrap_or(it);
            it.strip_suffix(blank).unwrap_or(it)
        });
        if next == rest {
            return rest.to_owned();
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_made_smooth_with_its_expectation_is_told() {
        for (was, is, expected) in [
            (r#"assert render(x) == "  a\n""#, r#"assert render(x).strip() == "a""#, true),
            (
                "expect(label(x)).toBe('Total DUE');",
                "expect(label(x).toLowerCase()).toBe('total due');",
                true,
            ),
            (r#"assert render(x) == "a b""#, r#"assert render(x).strip() == "a c""#, false),
            (r#"assert render(x).strip() == "a""#, r#"assert render(x) == "  a\n""#, false),
            (r#"assert render(x) == "a""#, r#"assert render(x).strip() == "a""#, false),
        ] {
            assert_eq!(is_smoother(was, is), expected, "{was} -> {is}");
        }
    }
}
