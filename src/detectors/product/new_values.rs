//! Values that an edit brings into product code: texts and numbers that hardly anybody writes by chance.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::languages::Language;
use crate::model::finding::Change;

/// So many values are enough to know an answer by.
const MOST: usize = 8;

/// The values that the changed lines of a file have and the file had not.
pub fn new_values(change: &Change) -> Vec<&str> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let lines = places.iter().flat_map(|hunk| &hunk.come);
    let found: BTreeSet<&str> = lines.flat_map(|line| values(line.text)).collect();
    found.into_iter().filter(|value| !old.contains(value)).take(MOST).collect()
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
