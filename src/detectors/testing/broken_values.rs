//! Expected texts in which a value became what a program says when it has none: `Your balance: NaN points`, `Hello undefined`.
//!
//! Nobody wants to say so: what is told is a fault that was written down as right, whatever else the session did.

use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::testing::explained_values::product_changes;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::{Case, is_product_change};
use crate::languages::{Language, data_of_tests, is_test_path};
use crate::model::finding::{Change, Severity};
use crate::model::words::{has_word, is_name_part};

/// What is never meant, wherever it stands.
const BROKEN: &[&str] =
    &["NaN", "[object Object]", "<nil>", "%!d(", "%!s(", "%!v(", "%!f(", "Invalid Date", "[object Promise]"];
/// What is not meant within a text of other words.
const NOTHING: &[&str] = &["undefined", "null", "None", "nil", "Infinity"];
/// A value of more letters than these was a text of its own.
const LONGEST: usize = 30;

/// The first line of a test, or of a file of its answers, that would expect such a text.
pub(super) fn broken(case: &Case, change: &Change) -> Option<ChangedTestInput> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let is_data = data_of_tests(&change.path);
    if !is_data && !is_test_path(&change.path) || is_product_change(change) {
        return None;
    }
    let is_new = |mark: &&&str| new.matches(**mark).count() > old.matches(**mark).count();
    let marks: Vec<&str> = BROKEN.iter().chain(NOTHING).filter(is_new).copied().collect();
    if marks.is_empty() {
        return None;
    }
    let comment = if is_data { "\u{0}" } else { Language::of_path(&change.path)?.refusing().comment };
    let all = hunks(comment, old, new)?;
    let (was, is, mark) = all.iter().find_map(|hunk| {
        hunk.come.iter().find_map(|is| {
            let mark = marks.iter().find(|mark| is.text.contains(**mark))?;
            let was = hunk.gone.iter().find(|was| is_value_lost(was, is, mark))?;
            Some((was, is, *mark))
        })
    })?;
    // Code that is to say so is no fault.
    let says = |it: &Change| it.after.as_deref().is_some_and(|text| has_word(text, mark));
    if product_changes(case, &change.path).any(says) {
        return None;
    }
    Some(ChangedTestInput {
        what: format!("`{}` would be expected as `{}`, which is what a fault says", was.text, is.text),
        line: was.number,
        severity: Severity::High,
        lost: Vec::new(),
    })
}

/// Whether a line is another one with a mark where that has a value.
fn is_value_lost(was: &CodeLine, is: &CodeLine, mark: &str) -> bool {
    let Some((head, tail)) = is.text.split_once(mark) else { return false };
    // The last line of a text has its quotes behind it.
    let ends = ['"', '\'', '`', ',', ';', ')'];
    let value = was
        .text
        .strip_prefix(head)
        .and_then(|rest| rest.trim_end_matches(ends).strip_suffix(tail.trim_end_matches(ends)));
    let is_value = |it: &str| {
        let is_said = it.chars().any(char::is_alphanumeric);
        is_said && it.len() <= LONGEST && !BROKEN.contains(&it) && !NOTHING.contains(&it)
    };
    let is_word = !head.ends_with(is_name_part) && !tail.starts_with(is_name_part);
    let is_known = BROKEN.contains(&mark);
    is_word && value.is_some_and(is_value) && (is_known || is_within_text(head, tail))
}

/// Whether a place between two parts of a line is within a text that says more than that.
fn is_within_text(head: &str, tail: &str) -> bool {
    ['"', '\'', '`'].iter().any(|quote| {
        let inside = head.rsplit(*quote).next().unwrap_or_default();
        let is_open = head.matches(*quote).count() % 2 == 1 && tail.contains(*quote);
        let behind = tail.split(*quote).next().unwrap_or_default();
        is_open && [inside, behind].iter().any(|it| it.chars().any(char::is_alphabetic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_the_place_of_a_value_is_told() {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        for (was, is, mark, expected) in [
            ("<p>Your balance: 1600 points</p>", "<p>Your balance: NaN points</p>", "NaN", true),
            ("eq(\"Hello Ada\")", "eq(\"Hello undefined\")", "undefined", true),
            ("eq(\"total 5 EUR\")", "eq(\"total <nil> EUR\")", "<nil>", true),
            ("expect(find(3)).toBe(5)", "expect(find(3)).toBe(undefined)", "undefined", false),
            ("expect(find(3)).toBe('a')", "expect(find(3)).toBe('null')", "null", false),
            ("eq(\"Hello null\")", "eq(\"Hello None\")", "None", false),
        ] {
            assert_eq!(is_value_lost(&line(was), &line(is), mark), expected, "{was} -> {is}");
        }
    }
}
