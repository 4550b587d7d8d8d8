//! By which words the tests of a feature are found that a configuration switches off: its name, and the values that go with it.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::languages::code::identifiers;
use crate::model::finding::Change;

/// Last parts of keys that say nothing of the feature, and words of any feature.
const PLAIN: &[&str] = &[
    "enabled", "enable", "active", "flag", "flags", "feature", "features", "true", "false", "methods",
    "mode", "default", "value", "values", "config", "settings", "options", "list", "items", "name", "names",
    "null", "none", "status", "type",
];
/// A word shorter than this stands for many things.
const TELLING: usize = 4;

/// The names of the features that are behind the keys, in each spelling, and the values of lists that go with them.
pub fn feature_words(change: &Change, keys: &[String]) -> BTreeSet<String> {
    let is_telling = |word: &str| word.len() >= TELLING && !PLAIN.contains(&word.to_lowercase().as_str());
    let own = keys.iter().filter_map(|key| key.rsplit(['.', ':']).find(|part| is_telling(part)));
    let mut all: BTreeSet<String> = own.flat_map(spellings).collect();
    let (old, new) =
        (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let places = hunks("#", old, new).unwrap_or_default();
    let near = places.iter().filter(|it| it.gone.len() <= 6).flat_map(|it| &it.gone);
    let values = near
        .filter_map(|line| line.text.split_once([':', '=']))
        .filter(|(_, value)| value.contains(['[', ',', '"', '\'']));
    let lost = values
        .flat_map(|(_, value)| identifiers(value))
        .filter(|word| is_telling(word) && !identifiers(new).any(|it| it == *word));
    all.extend(lost.map(str::to_owned));
    all
}

/// `two_factor`, `two-factor`, `twoFactor` and `TwoFactor`.
fn spellings(name: &str) -> Vec<String> {
    let parts: Vec<String> = name.split(['_', '-']).map(str::to_lowercase).collect();
    if parts.len() < 2 {
        return vec![name.to_owned()];
    }
    let capital = |part: &String| {
        part.get(..1)
            .map(|first| first.to_uppercase() + part.get(1..).unwrap_or_default())
            .unwrap_or_default()
    };
    let pascal: String = parts.iter().map(capital).collect();
    let camel = pascal
        .get(..1)
        .map(|first| first.to_lowercase() + pascal.get(1..).unwrap_or_default())
        .unwrap_or_default();
    vec![parts.join("_"), parts.join("-"), camel, pascal]
}
