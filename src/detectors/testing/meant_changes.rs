//! Values of tests that go along with code of the session which nobody has broken: the session says why, the same moment is
//! written in another form, or an answer says more than it said.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::line_pairs::is_even;
use crate::detectors::testing::explained_values::product_changes;
use crate::detectors::testing::silent_changes::says_why;
use crate::model::finding::Change;

/// How months begin, in lower case.
const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whether other values of a test are meant, beside code of the session that does no less.
pub(super) fn are_meant(case: &Case, test: &Change, all: &[TextHunk]) -> bool {
    is_said(case, test) || are_reworded(all)
}

/// Whether a remark that the session brought into the code, or a document that it changed, may say why.
fn is_said(case: &Case, test: &Change) -> bool {
    case.documents().any(|it| it.before != it.after)
        || product_changes(case, &test.path).any(|it| it.before.is_some() && says_why(it))
}

/// Whether each line that differs has the same texts in another form, or longer ones around them.
fn are_reworded(all: &[TextHunk]) -> bool {
    let pairs = || all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
    let is_reworded = |(was, is): (&str, &str)| {
        let (old, new): (Vec<&str>, Vec<&str>) = (texts(was), texts(is));
        let differing: Vec<(&str, &str)> =
            old.iter().zip(&new).map(|(a, b)| (*a, *b)).filter(|(a, b)| a != b).collect();
        let is_meant = |(a, b): &(&str, &str)| is_same_moment(a, b) || is_within(a, b);
        old.len() == new.len()
            && !differing.is_empty()
            && differing.iter().all(is_meant)
            && without(was, &old) == without(is, &new)
    };
    all.iter().all(is_even)
        && pairs().next().is_some()
        && pairs().all(|(was, is)| is_reworded((was.text, is.text)))
}

fn texts(line: &str) -> Vec<&str> {
    quoted(line, QUOTES).collect()
}

/// A line without its texts.
fn without(line: &str, texts: &[&str]) -> String {
    texts.iter().fold(line.to_owned(), |rest, text| rest.replacen(*text, "", 1))
}

/// Whether a longer text has the whole of another, which is a sentence or a part of one.
fn is_within(was: &str, is: &str) -> bool {
    let words = was.split_whitespace().count();
    words > 1 && is.len() > was.len() && is.contains(was)
}

/// Whether two texts name the same moment: the same numbers in any order, of which a month may have its name, and what is
/// zero may be left out. What stands around the date is the same.
fn is_same_moment(was: &str, is: &str) -> bool {
    let (old, new) = (numbers(was), numbers(is));
    const LEAST: usize = 3;
    let is_date = |all: &[String]| all.len() >= LEAST && all.iter().any(|it| it.len() == 4);
    let some = |all: &[String]| -> Vec<String> {
        let mut all: Vec<String> = all.iter().filter(|it| it.chars().any(|c| c != '0')).cloned().collect();
        all.sort();
        all
    };
    is_date(&old) && is_date(&new) && some(&old) == some(&new) && words_beside(was) == words_beside(is)
}

/// The numbers of a text without zeros in front, and the months that it names.
fn numbers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    words
        .flat_map(|word| match month(word) {
            Some(number) => vec![number.to_string()],
            None => {
                let digits = word.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
                digits
                    .map(|it| it.trim_start_matches('0'))
                    .map(|it| if it.is_empty() { "0" } else { it }.to_owned())
                    .collect()
            }
        })
        .collect()
}

fn month(word: &str) -> Option<usize> {
    let lower = word.to_lowercase();
    MONTHS
        .iter()
        .position(|it| lower.starts_with(it))
        .filter(|_| word.chars().all(char::is_alphabetic))
        .map(|at| at + 1)
}

/// The words of a text that are no part of a date.
fn words_beside(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter(|it| it.len() > 1 && month(it).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_many_forms() {
        for (was, is, expected) in [
            ("due 04.11.2023 at noon", "due 2023-11-04 at noon", true),
            ("4 November 2023", "11/04/2023", true),
            ("2023-11-04T08:15:00.000Z", "2023-11-04T08:15:00Z", true),
            ("due 04.11.2023", "due 2023-11-05", false),
            ("due 04.11.2023", "paid 2023-11-04", false),
            ("3 of 40", "40 of 3", false),
        ] {
            assert_eq!(is_same_moment(was, is), expected, "{was} -> {is}");
        }
    }

    #[test]
    fn an_answer_may_say_more() {
        assert!(is_within("seat 4 is taken", "hall B: seat 4 is taken"));
        assert!(!is_within("taken", "not taken") && !is_within("seat 4 is taken", "seat 4 is free"));
    }
}
