//! Values and names that an edit takes out of a file, by which its tests may tell that they are missed.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::languages::Language;
use crate::languages::code::{identifiers, plain, refuses};
use crate::model::finding::Change;

/// So many are enough to know a loss by.
const MOST: usize = 12;
/// A name shorter than this stands for many things.
const TELLING: usize = 5;
/// What a line of a test has that says what must be.
const CLAIMING: &[&str] = &[
    "assert", "expect", "should", "verify", "must", "want", "equal", "tohave", "tobe", "got ", "received",
    "called", "raises", "throws", "throwing", "rejects", "panics", "is_err",
];

/// The texts, with their quotes, and the names that the lines have which are gone, and the file after has not.
pub fn lost_values(change: &Change) -> Vec<String> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let gone = places.iter().flat_map(|hunk| &hunk.gone);
    let found: BTreeSet<String> = gone.clone().flat_map(|line| values(line.text)).collect();
    let table = language.refusing();
    // An error that nothing raises any more is gone, though an import or its type names it.
    let raised = |line: &str| {
        refuses(table, line).then(|| {
            identifiers(&plain(table, line)).filter(|it| is_error(it)).map(str::to_owned).collect::<Vec<_>>()
        })
    };
    let left: BTreeSet<String> = new.lines().filter_map(|line| raised(line.trim())).flatten().collect();
    let errors = gone.filter_map(|line| raised(line.text)).flatten().filter(|name| !left.contains(name));
    let errors: BTreeSet<String> = errors.collect();
    // A text is gone where no quotes have it any more, though a name may be the same.
    let is_left = |value: &String| match value.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(text) => ['"', '\'', '`'].iter().any(|quote| new.contains(&format!("{quote}{text}{quote}"))),
        None => new.contains(value.as_str()),
    };
    let values = found.into_iter().filter(|value| !is_left(value));
    errors.into_iter().chain(values).take(MOST).collect()
}

/// Whether a name is that of an error.
fn is_error(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
        && ["Error", "Exception", "Invalid"].iter().any(|it| name.contains(it))
        && name.len() > 8
}

/// The first line of a test that asks for one of the values.
pub fn asked_for(test: &str, values: &[String]) -> Option<String> {
    test.lines().find_map(|line| {
        let lower = line.to_lowercase();
        let is_claim = CLAIMING.iter().any(|word| lower.contains(word));
        values
            .iter()
            .find(|value| match value.strip_prefix('"') {
                Some(text) => {
                    let text = text.trim_end_matches('"');
                    line.split(['"', '\'', '`', ' ', ',']).any(|part| part == text)
                        && line.contains(['"', '\'', '`'])
                }
                None => is_claim && identifiers(line).any(|word| word == value.as_str()),
            })
            .map(|value| value.trim_matches('"').to_owned())
    })
}

fn values(line: &str) -> Vec<String> {
    let parts = line.split(['"', '\'', '`']).enumerate();
    let (quoted, code): (Vec<_>, Vec<_>) = parts.partition(|(at, _)| at % 2 == 1);
    let texts = quoted.into_iter().map(|(_, text)| text);
    // The place of a module says nothing of what is done.
    let is_place = |it: &str| ["./", "../", "@/", "~/"].iter().any(|head| it.starts_with(head));
    let is_telling = |it: &&str| it.len() > 2 && it.len() < 40 && !it.contains(' ') && !is_place(it);
    let texts = texts.filter(is_telling).map(|it| format!("\"{it}\""));
    let names = code.into_iter().flat_map(|(_, text)| identifiers(text)).filter(|it| it.len() >= TELLING);
    texts.chain(names.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_is_known_by_a_test_that_asks_for_it() {
        let change = Change {
            path: "src/write.py".to_owned(),
            before: Some("KINDS = {\"yaml\": to_yaml, \"toml\": to_toml}\n".to_owned()),
            after: Some("KINDS = {\"yaml\": to_yaml}\n".to_owned()),
        };
        let lost = lost_values(&change);
        assert_eq!(lost, ["\"toml\"", "to_toml"]);
        assert_eq!(asked_for("run('--kind', 'toml')\n", &lost).as_deref(), Some("toml"));
        assert_eq!(asked_for("assert to_toml(a) == b\n", &lost).as_deref(), Some("to_toml"));
        assert_eq!(asked_for("def to_toml(a):\n# toml\nrun('atoml')\n", &lost), None);
    }
}
