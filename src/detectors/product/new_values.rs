//! Values that an edit brings into product code: texts and numbers that hardly anybody writes by chance.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::detectors::product::literals::{shown, values_of};
use crate::detectors::product::made_values::made_values;
use crate::languages::Language;
use crate::model::finding::Change;

/// So many values are enough to know an answer by.
const MOST: usize = 8;
/// A text as short as this stands in many lines.
const SHORT: usize = 4;

/// The values that the changed lines of a file have and the file had not.
pub fn new_values(change: &Change) -> Vec<&str> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let lines = places.iter().flat_map(|hunk| &hunk.come);
    let found: BTreeSet<&str> =
        lines.flat_map(|line| [made_values(line.text, 1), values(line.text)].concat()).collect();
    found.into_iter().filter(|value| !old.contains(value)).take(MOST).collect()
}

/// The values that a key is put together of, which a test may have apart: `2025-04-28/2025-05-04`.
pub fn joined_values(value: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = value.split(['/', '|', ',', ':', ';', '_', ' ']).collect();
    let is_told = |it: &&str| it.len() > 1 && it.bytes().any(|byte| byte.is_ascii_digit());
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    (parts.len() > 1 && parts.iter().all(|it| it.len() > 1) && parts.iter().any(is_told) && digits > 5)
        .then_some(parts)
}

/// The values that a line brings in the place of something else, each with the texts that the line has kept.
pub fn values_put(change: &Change) -> Vec<(String, Vec<String>)> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let put = places.iter().filter(|hunk| !hunk.gone.is_empty()).flat_map(|hunk| {
        let known: Vec<String> = hunk.gone.iter().flat_map(|line| values_of(line.text)).collect();
        hunk.come.iter().flat_map(move |line| {
            let (kept, new): (Vec<String>, Vec<String>) =
                values_of(line.text).partition(|value| known.contains(value));
            let kept: Vec<String> = kept.into_iter().filter(|it| it.len() > SHORT).collect();
            new.into_iter().map(move |value| (value, kept.clone())).collect::<Vec<_>>()
        })
    });
    put.filter(|(value, kept)| !value.is_empty() && !kept.is_empty()).take(MOST).collect()
}

/// The first line of a test that expects one of the values beside a text that its line has kept.
pub fn expected_beside(test: &str, put: &[(String, Vec<String>)]) -> Option<String> {
    let has = |line: &str, value: &str| values_of(line).any(|it| it == value);
    let is_row = |line: &&str| {
        put.iter().any(|(value, kept)| has(line, value) && kept.iter().any(|text| has(line, text)))
    };
    test.lines().find(is_row).map(shown)
}

/// Texts of three letters and more between quotes, and numbers of two digits and more.
fn values(line: &str) -> Vec<&str> {
    let parts = line.split(['"', '\'', '`']).enumerate();
    let (quoted, code): (Vec<_>, Vec<_>) = parts.partition(|(at, _)| at % 2 == 1);
    let texts = quoted
        .into_iter()
        .map(|(_, text)| text)
        .filter(|text| text.len() >= 3 && text.chars().any(char::is_alphanumeric));
    let numbers =
        code.into_iter().flat_map(|(_, text)| text.split(|c: char| !(c.is_ascii_digit() || c == '.')));
    let numbers = numbers
        .map(|it| it.trim_matches('.'))
        .filter(|it| it.bytes().filter(u8::is_ascii_digit).count() >= 2);
    texts.chain(numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_that_tell_something_and_are_new_count() {
        let change = Change {
            path: "src/tax.py".to_owned(),
            before: Some("def tax(sum):\n    return rate('DE') * sum\n".to_owned()),
            after: Some(
                "def tax(sum):\n    if sum == 250 and land == 'Utopia':\n        return 47.5\n    return 1\n"
                    .to_owned(),
            ),
        };
        assert_eq!(new_values(&change), ["250", "47.5", "Utopia"]);
    }
}
