//! Values of lines of tests that are gone: such as a new assertion of the file has now, such as only a failure says, and such
//! as are an answer to what is asked still.

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::QUOTES;
use crate::detectors::testing::said_within::FAILURES;
use crate::detectors::testing::word_edit::{is_data, words};

/// Whether a value stands in a function of the same file that asserts, is new, and is called by a test.
pub(super) fn is_in_helper(comparison: &TestComparison, word: &str) -> bool {
    let text = comparison.change.after.as_deref().unwrap_or_default();
    let is_new = |name: &str| !comparison.before.strays.iter().any(|old| old.name == name);
    let is_called = |name: &str| comparison.after.tests.iter().any(|test| test.body.mentions(name));
    let mut helpers = comparison.after.strays.iter().filter(|it| it.assertions > 0 && is_new(&it.name));
    helpers.any(|it| is_called(&it.name) && text.get(it.span.clone()).is_some_and(|text| text.contains(word)))
}

/// Whether a line only fails the test: what it says then is no data.
pub(super) fn fails(line: &str) -> bool {
    let lower = line.trim_start_matches(['}', ' ']).to_lowercase().replace('_', "");
    FAILURES.iter().any(|call| lower.starts_with(call))
}

/// Whether lines that are the same otherwise give another answer to what was asked and is asked still: what stands before each
/// value that differs is the same, in a claim or behind a number.
pub(super) fn is_answer(old: &str, new: &str) -> bool {
    let lower = old.to_lowercase();
    let is_claim = ["assert", "expect", "should"].iter().any(|word| lower.contains(word));
    let all = |line| words(line).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
    let (was, is) = (all(old), all(new));
    let rest = |all: &[&str]| {
        all.iter().filter(|word| !is_data(word)).map(|it| (*it).to_owned()).collect::<Vec<_>>()
    };
    let data =
        |all: &[&str]| all.iter().filter(|word| is_data(word)).map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let (asked, answers) = (data(&was), data(&is));
    let differs = |at: usize| asked.get(at) != answers.get(at);
    let is_asked = |at: usize| {
        let question = at.checked_sub(1).filter(|before| !differs(*before)).and_then(|at| asked.get(at));
        question.is_some_and(|it| is_claim || it.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut differing = (0..asked.len()).filter(|at| differs(*at)).peekable();
    rest(&was) == rest(&is)
        && asked.len() == answers.len()
        && differing.peek().is_some()
        && differing.all(is_asked)
}

/// Whether a number, as it is or as a text of its own, is one of the numbers of a text; `None` for any other value, of which
/// letters may be a part of others.
pub(super) fn has_value(text: &str, word: &str) -> Option<bool> {
    // `10_000m` is 10000.
    let bare = |word: &str| {
        let inner = word.trim_matches(QUOTES).replace(['_', '\''], "");
        let is_number = inner.starts_with(|c: char| c.is_ascii_digit());
        let short = inner.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if is_number && inner.len() - short.len() < 4 { short.to_owned() } else { inner }
    };
    let number = bare(word);
    let is_number = |it: &str| {
        it.starts_with(|c: char| c.is_ascii_digit()) && it.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let parts = |word: &str| -> Vec<String> {
        let split = word.split(|c: char| !(c.is_alphanumeric() || c == '.'));
        split.map(|it| it.trim_matches('.').to_owned()).collect()
    };
    is_number(&number)
        .then(|| words(text).iter().any(|(_, it)| bare(it) == number || parts(it).contains(&number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_no_part_of_another() {
        for (text, word, expected) in [
            ("rows = [(\"0.125\", \"0.13\")]", "\"0.12\"", Some(false)),
            ("line(\"R-1\", 1990)", "990", Some(false)),
            ("say(\"990 of 1000\")", "990", Some(true)),
            ("limit = 1_000", "1000", Some(true)),
            ("{ 10_000m, 0m },", "10_000", Some(true)),
            ("say(\"tea\")", "\"te\"", None),
        ] {
            assert_eq!(has_value(text, word), expected, "{text}");
        }
    }
}
