//! Numbers that the title of a test says, and that the test has no more: `refuses the sixth loan` with seven of them.
//!
//! The title stays, so that it contradicts what the test does now.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::line_pairs::{line_pairs, places_of};
use crate::detectors::testing::explained_values::product_changes;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::word_edit::{each_word, is_data, words};
use crate::detectors::{Case, TestComparison};
use crate::languages::Test;
use crate::model::finding::{Change, Severity};

/// Words of titles that are numbers, each at the place of its value.
const CARDINALS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];
/// Words for places in an order; `second` is a time as well.
const ORDINALS: &[&str] = &[
    "", "", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
];
/// Other words for numbers.
const OTHERS: &[(&str, f64)] = &[
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("ninety", 90.0),
    ("hundred", 100.0),
];

/// The first test that has another number where its title still says the old one.
pub(super) fn contradicted(comparison: &TestComparison, all: &[TextHunk]) -> Option<ChangedTestInput> {
    let kept = comparison.kept().filter(|(before, after)| !before.suite && before.title == after.title);
    kept.into_iter().find_map(|(before, after)| {
        let said = numbers_in(&before.title);
        let text = after.text_in(comparison.change.after.as_deref());
        let body = text.replacen(&before.title, "", 1);
        let is_left =
            |value: f64| each_word(&body).filter_map(|(_, it)| number(it)).any(|it| is_same(it, value));
        let own = line_pairs(all).filter(|(old, _)| is_within(before, old));
        let (line, was, is) = own.into_iter().find_map(|(old, new)| {
            let (was, is) = moved(old.text, new.text)?;
            let (old_value, new_value) = (number(was)?, number(is)?);
            let is_said = |value: f64| said.iter().any(|it| is_same(*it, value));
            // A number that the line had beside it is no other case.
            let is_doubled =
                || each_word(old.text).filter_map(|(_, it)| number(it)).any(|it| is_same(it, new_value));
            let is_meant = is_said(old_value) && (!is_said(new_value) || is_doubled());
            (is_meant && !is_left(old_value)).then_some((*old, was, is))
        })?;
        Some(ChangedTestInput {
            what: format!("{was} would become {is}, and the title still says it: `{}`", before.title),
            line: line.number,
            severity: Severity::High,
            lost: vec![before.name.clone()],
        })
    })
}

/// The first test with other values whose title still says a number that the session took out of the product: `stays within
/// twelve kilometres`, where the code says 120 now.
pub(super) fn contradicted_by_product(
    case: &Case,
    comparison: &TestComparison,
    all: &[TextHunk],
) -> Option<ChangedTestInput> {
    let kept = comparison.kept().filter(|(before, after)| !before.suite && before.title == after.title);
    let (line, test, was, is) = kept.into_iter().find_map(|(before, _)| {
        let said: Vec<f64> = numbers_in(&before.title);
        let mut lines = all.iter().flat_map(|it| &it.gone);
        let line = lines.find(|line| is_within(before, line)).filter(|_| !said.is_empty())?;
        let (was, is) = product_changes(case, &comparison.change.path).find_map(|it| taken(it, &said))?;
        Some((*line, before, was, is))
    })?;
    Some(ChangedTestInput {
        what: format!(
            "`{}` would become another test, while its title says {was}, which the code said before this session made it {is}",
            test.title
        ),
        line: line.number,
        severity: Severity::High,
        lost: vec![test.name.clone()],
    })
}

/// A number among some that a change of the product replaced by another, and that stands in it no more.
fn taken<'c>(change: &'c Change, said: &[f64]) -> Option<(&'c str, &'c str)> {
    let new = change.after.as_deref()?;
    let all = places_of(change)?;
    let is_left = |value: f64| each_word(new).filter_map(|(_, it)| number(it)).any(|it| is_same(it, value));
    line_pairs(&all).find_map(|(gone, come)| {
        let (was, is) = moved(gone.text, come.text)?;
        let value = number(was)?;
        (said.iter().any(|it| is_same(*it, value)) && !is_left(value)).then_some((was, is))
    })
}

fn is_within(test: &Test, line: &CodeLine) -> bool {
    test.span.contains(&line.at) && !test.title_span.contains(&line.at)
}

/// The first number in which two lines differ that are the same otherwise.
fn moved<'t>(old: &'t str, new: &'t str) -> Option<(&'t str, &'t str)> {
    let (before, after) = (words(old), words(new));
    if before.len() != after.len() {
        return None;
    }
    let mut pairs =
        before.iter().zip(&after).map(|((_, was), (_, is))| (*was, *is)).filter(|(was, is)| was != is);
    let all: Vec<(&str, &str)> = pairs.by_ref().collect();
    let are_data = all.iter().all(|(was, is)| is_data(was) && is_data(is));
    all.into_iter().find(|(was, is)| are_data && number(was).is_some() && number(is).is_some())
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() < f64::EPSILON
}

/// The value of a number, or of a text that begins with one: `"1200.01"`.
fn number(word: &str) -> Option<f64> {
    let bare = word.trim_matches(['"', '\'', '`']).replace('_', "");
    let end = bare.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(bare.len());
    let rest = bare.get(end..)?;
    let is_typed = matches!(rest, "" | "L" | "l" | "m" | "f" | "d" | "u" | "n");
    bare.get(..end).filter(|_| is_typed)?.parse().ok()
}

/// The numbers of a title that say something, in digits or in words.
fn numbers_in(title: &str) -> Vec<f64> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in title.chars() {
        let is_new = !(c.is_alphanumeric() || c == '.')
            || before.is_lowercase() && c.is_uppercase()
            || before.is_ascii_digit() != c.is_ascii_digit() && before != '.' && c != '.';
        if is_new {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| c.is_alphanumeric() || c == '.') {
            last.extend(c.to_lowercase());
        }
        before = c;
    }
    let value = |word: &String| {
        let word = word.trim_matches('.');
        let at = |list: &[&str]| list.iter().position(|it| !it.is_empty() && *it == word);
        let by_word = at(CARDINALS).or_else(|| at(ORDINALS)).and_then(|it| u32::try_from(it).ok());
        let other = || OTHERS.iter().find(|(name, _)| *name == word).map(|it| it.1);
        by_word.map(f64::from).or_else(other).or_else(|| word.parse().ok())
    };
    words.iter().filter_map(value).filter(|it| *it >= 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_numbers_in_digits_and_in_words() {
        for (title, expected) in [
            ("refuses the sixth loan", vec![6.0]),
            ("test_malformed_line_exits_2", vec![2.0]),
            ("allowsFiveLoans", vec![5.0]),
            ("bodies over 64 KiB", vec![64.0]),
            ("retries after a 503 and a 429", vec![503.0, 429.0]),
            ("one of all", vec![]),
            ("on the second", vec![]),
            ("rate of 2.5 %", vec![2.5]),
        ] {
            assert_eq!(numbers_in(title), expected, "{title}");
        }
    }

    #[test]
    fn a_number_that_moves_is_read_beside_its_own_line() {
        assert_eq!(moved("add(5, \"x\")", "add(6, \"x\")"), Some(("5", "6")));
        assert_eq!(moved("add(5, \"x\")", "put(6, \"x\")"), None);
        assert_eq!(number("1_200L"), Some(1200.0));
        assert_eq!(number("\"12 kg\""), None);
    }
}
