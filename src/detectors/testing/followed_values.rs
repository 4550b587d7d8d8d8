//! Values of tests that go the way of the product: a limit that is another one in both, a refusal that has another status
//! in both. What the product does less is then what the tests say now, and no test was bent to hide it.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::testing::word_edit::parts_of;
use crate::detectors::{Case, is_product_change};
use crate::languages::Language;
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// What says in a test that all is well, in lower case: what was refused and succeeds now was not only said otherwise.
const SUCCESSES: &[&str] = &[
    "200",
    "201",
    "202",
    "204",
    "ok",
    "statusok",
    "created",
    "accepted",
    "nocontent",
    "success",
    "true",
    "none",
    "null",
    "nil",
    "passes",
    "valid",
];

/// Whether a change of a test only has other values, each of which the product has another one for in the same way.
pub(super) fn follows_product(case: &Case, test: &Change) -> bool {
    let (Some(before), Some(after)) = (test.before.as_deref(), test.after.as_deref()) else { return false };
    let mark = Language::of_path(&test.path).map_or("//", |it| it.refusing().comment);
    let Some(places) = hunks(mark, before, after) else { return false };
    if places.is_empty() || !places.iter().all(has_same_form) {
        return false;
    }
    let gone = parts_of(places.iter().flat_map(|it| &it.gone));
    let come = parts_of(places.iter().flat_map(|it| &it.come));
    let (was, is): (Vec<&String>, Vec<&String>) =
        (gone.difference(&come).collect(), come.difference(&gone).collect());
    let succeeds = is.iter().any(|word| SUCCESSES.contains(&word.to_lowercase().as_str()));
    let mut product = case.all_changes().filter(|it| is_product_change(it));
    !was.is_empty() && !succeeds && product.any(|it| goes_along(it, &was, &is))
}

/// Whether a place of a test has the same lines but for their words and numbers.
fn has_same_form(place: &TextHunk) -> bool {
    let form = |line: &CodeLine| -> String {
        line.text.chars().filter(|c| !(is_name_part(*c) || c.is_whitespace())).collect()
    };
    place.gone.len() == place.come.len()
        && place.gone.iter().zip(&place.come).all(|(gone, come)| form(gone) == form(come))
}

/// Whether a change of the product takes the old values away, and has the new ones.
fn goes_along(product: &Change, was: &[&String], is: &[&String]) -> bool {
    let (Some(before), Some(after)) = (product.before.as_deref(), product.after.as_deref()) else {
        return false;
    };
    let Some(language) = Language::of_path(&product.path) else { return false };
    let Some(places) = hunks(language.refusing().comment, before, after) else { return false };
    // What only takes away gives no test another value.
    if places.iter().all(|it| it.come.is_empty()) {
        return false;
    }
    let gone = parts_of(places.iter().flat_map(|it| &it.gone));
    let now: BTreeSet<String> = after.split(|c: char| !is_name_part(c)).map(str::to_owned).collect();
    was.iter().all(|word| has(&gone, word)) && is.iter().all(|word| has(&now, word))
}

/// Whether a word is among others; a number also where it is the next one to it, as tests of limits ask.
fn has(words: &BTreeSet<String>, word: &str) -> bool {
    let number = word.parse::<i64>().ok();
    let next = |by: i64| number.is_some_and(|it| words.contains(&it.saturating_add(by).to_string()));
    let is_there = |word: &str| words.contains(word) || next(1) || next(-1);
    is_there(word) || (word.contains('.') && word.split('.').all(is_there))
}
