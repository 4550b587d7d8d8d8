//! Tests that are rows of a new table now: a test under another name that asks the same of the same code with all their
//! values, and claims as much.

use crate::detectors::TestComparison;
use crate::detectors::testing::assertion_weakening::real;
use crate::detectors::testing::parameter_rows::rows_of;
use crate::detectors::testing::word_edit::each_word;
use crate::languages::{Assertion, Test};
use crate::model::words::is_name_part;

/// Whether a lost test stands in a table that is new.
pub(super) fn is_in_rows(comparison: &TestComparison, old: &Test) -> bool {
    let (before, after) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let values = values_of(&without_messages(old.text_in(before)), old);
    let has_rows = |test: &Test| test.looped || test.cases.is_some_and(|rows| rows > 1);
    // One of the tests that became rows may give the table its name.
    let was_a_table =
        |new: &Test| comparison.before.tests.iter().any(|it| it.name == new.name && has_rows(it));
    let is_new = |new: &&Test| !was_a_table(new) && !new.suite && new.skipped.is_none();
    let is_taken = |new: &Test| {
        let text = new.text_in(after);
        let outside = rows_of(new, text, after);
        let mut there = parts(text);
        there.extend(outside.map_or_else(Vec::new, |(rows, _)| parts(rows)));
        let rows = outside.map_or(1, |(_, rows)| rows);
        (has_rows(new) || rows > 1)
            && values.iter().all(|value| there.contains(value))
            && claims_as_much(old, new, text, rows)
    };
    !values.is_empty() && real(old) > 0 && comparison.after.tests.iter().filter(is_new).any(is_taken)
}

/// Whether each claim of a test has one in another, for each of its rows, that is as strong and about the same call.
fn claims_as_much(old: &Test, new: &Test, text: &str, rows: usize) -> bool {
    let is_kept = |it: &Assertion| {
        let asked = asked(&it.claim.subject);
        let own = without_messages(&it.text);
        // What is no call has the same words: `w.Code` and the status that it is to be. A text is a value of its row.
        let mut words = each_word(&own).map(|(_, word)| word).filter(|word| !is_of_the_asking(word));
        let has_all = || words.all(|word| text.contains(word)) && (!compares(&own) || compares_text(new));
        let is_asked = asked.map_or_else(has_all, |name| text.contains(&format!("{name}(")));
        let is_error = it.claim.subject == "raise";
        let is_as_strong = |other: &Assertion| {
            (other.claim.subject == "raise") == is_error
                && other.claim.strength >= it.claim.strength
                && other.claim.negated <= it.claim.negated
                && !other.trivial
                && !other.swallowed
        };
        (is_asked || is_error) && new.assertions.iter().any(is_as_strong)
    };
    real(new) * rows >= real(old) && old.assertions.iter().filter(|it| !it.trivial).all(is_kept)
}

/// What a branch of Go asks of a text, and of an error.
const COMPARING: &[&str] = &["strings", "Contains", "HasPrefix", "HasSuffix", "errors", "Is", "As", "Error"];

/// Whether a word of an assertion belongs to how it asks, or is a text.
fn is_of_the_asking(word: &str) -> bool {
    COMPARING.contains(&word) || word.starts_with(['"', '`'])
}

/// Whether an assertion asks what a text says.
fn compares(text: &str) -> bool {
    ["strings.", "errors.Is(", ".Error()=="].iter().any(|it| text.contains(it))
}

/// Whether a test asks what a text of its row says: `err.Error() != tt.wantErr`.
fn compares_text(test: &Test) -> bool {
    const WAYS: &[&str] =
        &["strings.", ".Error()!=", "errors.Is(", "EqualError(", "ErrorContains(", "ErrorIs("];
    test.assertions.iter().any(|it| !it.trivial && WAYS.iter().any(|way| it.text.contains(way)))
}

/// A text without what Go's tests say when they fail: `t.Fatalf("want …")`.
pub(super) fn without_messages(text: &str) -> String {
    const FAILING: &[&str] = &["t.Fatalf(", "t.Errorf(", "t.Fatal(", "t.Error("];
    let line = |line: &str| {
        let starts = FAILING.iter().filter_map(|it| line.find(it));
        let is_word = |at: &usize| !line.get(..*at).is_some_and(|head| head.ends_with(is_name_part));
        let start = starts.filter(is_word).min();
        line.get(..start.unwrap_or(line.len())).unwrap_or_default().to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The function that a subject calls first.
fn asked(subject: &str) -> Option<&str> {
    let head = subject.get(..subject.find('(')?)?;
    let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    head.get(start..).filter(|name| name.len() > 2)
}

/// What a test's literals are made of; its name is none of them.
fn values_of(text: &str, test: &Test) -> Vec<String> {
    let title = test.title.trim_matches(['"', '\'', '`']);
    let is_value =
        |word: &&str| word.starts_with(['"', '\'', '`']) || word.starts_with(|c: char| c.is_ascii_digit());
    let literals = each_word(text).map(|(_, word)| word).filter(is_value);
    literals.filter(|word| word.trim_matches(['"', '\'', '`']) != title).flat_map(parts).collect()
}

/// The words and numbers of a text: `2024-05-01` and `2024, 5, 1` are made of the same.
fn parts(text: &str) -> Vec<String> {
    let all = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    all.map(|it| match it.trim_start_matches('0') {
        "" => "0".to_owned(),
        rest if it.starts_with(|c: char| c.is_ascii_digit()) => rest.to_owned(),
        _ => it.to_owned(),
    })
    .collect()
}
