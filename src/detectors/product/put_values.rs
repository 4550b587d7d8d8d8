//! Values that stand where something was worked out, and that a test of the function has: the answer of one test, written
//! down.
//!
//! The line is the same otherwise; the tests, as they were when the session began, confirm it.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::product::input_words::ROUND;
use crate::detectors::product::literals::{CodeLiteral, shown, value_of};
use crate::detectors::product::other_sides::OtherSides;
use crate::detectors::testing::word_edit::{Edit, is_data, is_name, words};
use crate::languages::code::is_log;
use crate::model::words::has_word;

/// A text as short as this stands in many lines.
const SHORT: usize = 4;
/// Words that a value is made with.
const MADE: &[&str] =
    &["D", "T", "Decimal", "BigDecimal", "date", "new", "of", "Ok", "Some", "Right", "return"];

/// A value in the place of work.
#[derive(Debug)]
pub(super) struct PutValue {
    pub(super) line: u32,
    pub(super) code: String,
    value: String,
    is_text: bool,
}

/// The first value that a place has where its line worked something out.
pub(super) fn put_value(hunk: &TextHunk, old: &str) -> Option<PutValue> {
    if let Some(found) = long_text(hunk, old) {
        return Some(found);
    }
    let pairs = || hunk.gone.iter().zip(&hunk.come);
    if hunk.gone.len() > 3 || hunk.come.len() > 3 {
        return None;
    }
    pairs().find_map(|(gone, come)| put(gone, come)).filter(|it| !old.contains(it.value.as_str()))
}

/// A long text without blanks that comes where something was worked out: a digest, a token, a whole encoded answer.
fn long_text(hunk: &TextHunk, old: &str) -> Option<PutValue> {
    const LONG: usize = 20;
    let works = hunk.gone.iter().any(|it| it.text.contains('(') && !is_log(it.text));
    hunk.come.iter().filter(|line| works && line.text.len() > LONG).find_map(|line| {
        let all = words(line.text);
        let literals = CodeLiteral::all(&all);
        let text = literals.iter().find(|it| is_long(it.text, LONG) && !old.contains(it.text))?;
        Some(PutValue {
            line: line.number,
            code: line.text.to_owned(),
            value: value_of(text.text),
            is_text: true,
        })
    })
}

fn is_quoted(literal: &str) -> bool {
    literal.starts_with(['"', '\'', '`'])
}

/// Whether a text in quotes is long and no sentence, path or pattern.
fn is_long(text: &str, least: usize) -> bool {
    let value = value_of(text);
    let is_plain = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '=' | '_' | '-'));
    let digits = value.chars().filter(char::is_ascii_digit).count();
    is_quoted(text) && value.len() >= least && is_plain && digits > 2
}

fn put(gone: &CodeLine, come: &CodeLine) -> Option<PutValue> {
    if is_log(gone.text) || ["import ", "#", "//", "@"].iter().any(|head| come.text.starts_with(head)) {
        return None;
    }
    let (old, new) = (format!("{}\n", gone.text), format!("{}\n", come.text));
    let edit = Edit::of(&old, &new)?;
    let is_own = |word: &&&str| is_name(word) && !is_data(word) && word.starts_with(char::is_lowercase);
    let has = |sign: &str| edit.gone.contains(&sign);
    let is_work =
        edit.gone.iter().filter(is_own).count() > 0 && ["(", "+", "*", "/", "-"].iter().any(|it| has(it));
    let is_known =
        |word: &&str| !is_name(word) || is_data(word) || MADE.contains(word) || edit.gone.contains(word);
    let is_fixed = edit.come.iter().all(is_known) && edit.come.iter().filter(is_own).count() <= 1;
    if !is_work || !is_fixed || edit.come.len() > 16 || edit.come.len() >= edit.gone.len() + 4 {
        return None;
    }
    let all = words(&new);
    let literals = CodeLiteral::all(&all);
    let is_new = |it: &&CodeLiteral| edit.come.contains(&it.text) && !old.contains(it.text);
    let told = literals.iter().filter(is_new).map(|it| (value_of(it.text), it)).find(|(value, it)| {
        let is_text = is_quoted(it.text);
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let is_number = !is_text && digits > 1 && !ROUND.contains(&value.as_str());
        is_number || is_text && value.len() > SHORT && it.text.contains(char::is_alphanumeric)
    });
    let (value, literal) = told?;
    let is_text = is_quoted(literal.text);
    Some(PutValue { line: come.number, code: come.text.to_owned(), value, is_text })
}

impl PutValue {
    /// The word that a file has to have for it.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.value.as_str())
    }

    /// The first test of `function`, or of its file, that had the value when the session began, with its line.
    pub(super) fn confirmed(
        &self,
        stem: &str,
        function: &str,
        sides: &OtherSides,
    ) -> Option<(String, String)> {
        if sides.is_known(&self.value) {
            return None;
        }
        sides.tests.iter().find_map(|test| {
            let began = test.began.as_deref()?;
            let is_about =
                has_word(began, function) || test.path.to_lowercase().contains(&stem.to_lowercase());
            let has = |line: &&str| match self.is_text {
                true => line.contains(self.value.as_str()),
                false => words(line).iter().any(|(_, word)| value_of(word) == self.value),
            };
            began.lines().find(has).filter(|_| is_about).map(|line| (test.path.clone(), shown(line)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_the_place_of_work_is_seen() {
        for (gone, come, expected) in [
            (
                "const minutes = wet ? Math.ceil(rule.minutes / 2) : 0;",
                "const minutes = wet ? 11 : 0;",
                Some("11"),
            ),
            ("text = head(row) + row.name", "text = \"oats, milk\"", Some("oats, milk")),
            ("limit = base * factor", "limit = 100", None),
            ("limit = 20", "limit = 34", None),
            ("name = title(row)", "name = label(row)", None),
        ] {
            let line = |text| CodeLine { text, at: 0, number: 1 };
            let found = put(&line(gone), &line(come)).map(|it| it.value);
            assert_eq!(found.as_deref(), expected, "{come}");
        }
    }
}
