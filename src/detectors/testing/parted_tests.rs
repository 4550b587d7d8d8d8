//! Lost tests whose names and claims stand in several new ones: `testUnknownCampAndBadEmail` as `testUnknownCamp` and
//! `testBadEmail`.

use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::testing::assertion_weakening::real;
use crate::detectors::testing::said_within::FAILURES;
use crate::detectors::testing::word_edit::each_word;
use crate::languages::Test;

/// Words of names that say nothing of what a test is about.
const JOINING: &[&str] = &["test", "tests", "and", "it", "should", "the", "a", "of"];

/// The new tests of a file that claim something, each with the words of its name.
pub(super) fn new_names<'t>(comparison: &'t TestComparison) -> Vec<(&'t Test, BTreeSet<String>)> {
    let claiming = comparison.new_tests().filter(|new| real(new) > 0);
    claiming.map(|new| (new, name_words(&new.title))).filter(|(_, words)| !words.is_empty()).collect()
}

/// Whether a lost test was parted: new tests share its words between them, have all its values and claim as much.
pub(super) fn is_parted(comparison: &TestComparison, new: &[(&Test, BTreeSet<String>)], old: &Test) -> bool {
    let (before, after) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let wanted = name_words(&old.title);
    let parts: Vec<_> = new.iter().filter(|(_, words)| words.is_subset(&wanted)).collect();
    let named: BTreeSet<&String> = parts.iter().flat_map(|(_, words)| words).collect();
    let claims: usize = parts.iter().map(|(new, _)| real(new)).sum();
    let text = after.unwrap_or_default();
    parts.len() > 1
        && named.len() == wanted.len()
        && claims >= real(old)
        && old
            .text_in(before)
            .lines()
            .filter(|line| !fails(line))
            .flat_map(values)
            .all(|it| text.contains(it))
}

/// Whether a line only fails the test, with its message.
fn fails(line: &str) -> bool {
    let lower = line.to_lowercase().replace('_', "");
    FAILURES.iter().any(|it| lower.contains(it))
}

/// The texts and numbers of a line.
fn values(line: &str) -> impl Iterator<Item = &str> {
    let is_value =
        |word: &&str| word.starts_with(['"', '\'', '`']) || word.starts_with(|c: char| c.is_ascii_digit());
    each_word(line).map(|(_, word)| word).filter(is_value)
}

/// The words of a name in lower case, of whatever style it is, without those that join.
fn name_words(name: &str) -> BTreeSet<String> {
    let mut all = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if c.is_uppercase() {
            all.push(' ');
        }
        all.extend(if c.is_alphanumeric() { c.to_lowercase().next() } else { Some(' ') });
    }
    all.split_whitespace().filter(|word| !JOINING.contains(word)).map(str::to_owned).collect()
}
