//! Whether what a session did to the product can be the reason for other values in its tests, or for another thing that
//! they ask.
//!
//! Code that only gets new functions, or other log lines, answers every test as it did.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::documents::is_document;
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::testing::followed_values::follows_product;
use crate::detectors::testing::lost_subjects::{LostSubject, lost_subject};
use crate::detectors::testing::test_lines::is_import;
use crate::detectors::testing::word_edit::{each_word, parts_of, words_of};
use crate::languages::code::{identifiers, is_log};
use crate::languages::{Language, ParsedSource, data_of_tests, file_name, is_test_path};
use crate::model::finding::Change;
use crate::model::words::has_word;

/// How a finding ends where the session has changed nothing that the tests are about, and where it has changed the code
/// otherwise.
const UNCHANGED: &str = "while nothing that the tests are about has changed";
const UNNAMED: &str = "and no change of the code in this session names such a value";

/// What is said of other values where the session has changed the code, and nothing says that it is for them.
pub(super) fn unnamed(what: &str) -> String {
    let head = what.strip_suffix(UNCHANGED).unwrap_or(what).trim_end_matches([' ', ',']);
    format!("{head}, {UNNAMED}")
}

/// Whether a finding about values is one beside a change of the code.
pub(crate) fn is_unnamed(what: &str) -> bool {
    what.ends_with(UNNAMED)
}

/// Whether code that is no test's, or what it is built from, is another after the change.
pub fn is_product_change(change: &Change) -> bool {
    let is_prose = is_document(&change.path) || !file_name(&change.path).contains('.');
    change.before != change.after
        && !is_test_path(&change.path)
        && !data_of_tests(&change.path)
        && (!is_prose || Language::of_path(&change.path).is_some())
}

/// The changes of product code in the session, but for that of the file at `path`.
pub(super) fn product_changes<'a>(case: &Case<'a>, path: &str) -> impl Iterator<Item = &'a Change> {
    case.all_changes().filter(move |other| other.path != path && is_product_change(other))
}

/// What other changes of the session are to the tests of a change.
pub(super) enum Reason {
    /// None that could be a reason for other values.
    None,
    /// One that does less than the code did: no reason either.
    Loss(LostSubject),
    /// One that may be the reason.
    Change,
}

/// Whether other changes of the session may be what the tests of a change get other values for.
pub(super) fn reason(case: &Case, test: &Change) -> Reason {
    match is_changed(case, &test.path) {
        false => Reason::None,
        true if follows_product(case, test) => Reason::Change,
        true => lost_subject(case, test).map_or(Reason::Change, Reason::Loss),
    }
}

/// What is said of other values beside code that does less since the session began.
pub(super) fn after_loss(what: &str, loss: &LostSubject) -> String {
    let head = what.strip_suffix(UNCHANGED).unwrap_or(what).trim_end_matches([' ', ',']);
    format!("{head}, while {} does less since this session began", loss.said)
}

/// Whether another change of the session may be what the tests of a change get other values for.
pub(super) fn is_explained(case: &Case, test: &Change) -> bool {
    matches!(reason(case, test), Reason::Change)
}

/// Whether the session has changed product code otherwise than by what only comes on top.
fn is_changed(case: &Case, path: &str) -> bool {
    product_changes(case, path).any(|other| match (other.before.as_deref(), other.after.as_deref()) {
        (Some(before), Some(after)) => alters(&other.path, before, after),
        _ => true,
    })
}

/// Whether what the session changed in the product names a value or a word in which the places of a test differ: a limit
/// that is another one in both, a message, a function that is called otherwise.
pub(super) fn is_named(case: &Case, path: &str, places: &[TextHunk]) -> bool {
    let differing = |places: &[TextHunk]| -> BTreeSet<String> {
        let gone = parts_of(places.iter().flat_map(|it| &it.gone));
        let come = parts_of(places.iter().flat_map(|it| &it.come));
        gone.symmetric_difference(&come).cloned().collect()
    };
    let own = differing(places);
    product_changes(case, path).any(|other| {
        let (Some(before), Some(after)) = (other.before.as_deref(), other.after.as_deref()) else {
            return true;
        };
        let Some(language) = Language::of_path(&other.path) else { return true };
        let Some(all) = hunks(language.refusing().comment, before, after) else { return true };
        // What only does more has another answer of its own.
        all.iter().all(only_adds)
            || is_other_number(language.refusing().comment, &all)
            || says_a_text_of(&all, places)
            || !differing(&all).is_disjoint(&own)
    })
}

/// Whether the product says a text now that the tests expect now.
fn says_a_text_of(product: &[TextHunk], tests: &[TextHunk]) -> bool {
    let is_said = |text: &str| product.iter().flat_map(|it| &it.come).any(|line| line.text.contains(text));
    let mut come = tests.iter().flat_map(|it| &it.come);
    come.any(|line| quoted(line.text, QUOTES).any(|text| text.len() > 2 && is_said(text)))
}

/// Whether a place has all the words and signs that it had.
fn only_adds(place: &TextHunk) -> bool {
    let words = |lines: &[CodeLine]| -> BTreeSet<String> {
        lines.iter().flat_map(words_of).map(str::to_owned).collect()
    };
    let (gone, come) = (words(&place.gone), words(&place.come));
    // A sign alone is another comparison, `<` and `<=`, and a number with it another sum: `* 2`.
    let signs =
        |lines: &[CodeLine]| -> usize { lines.iter().map(|it| it.text.matches(['*', '/']).count()).sum() };
    let is_sum = || signs(&place.come) > signs(&place.gone);
    let says_more = |word: &&String| match is_sum() {
        true => word.contains(char::is_alphabetic),
        false => word.contains(char::is_alphanumeric),
    };
    gone.is_subset(&come) && (gone.is_empty() || come.difference(&gone).any(|word| says_more(&word)))
}

/// Whether a number took the place of another, or of one that was added, or a new constant has it: a limit, a rate or a time
/// is what the rest of a test is worked out by.
fn is_other_number(comment: &str, places: &[TextHunk]) -> bool {
    let come: Vec<&str> =
        places.iter().flat_map(|it| &it.come).map(|line| uncommented(comment, line.text)).collect();
    let constants: BTreeSet<&str> = come.iter().filter_map(|line| constant(line)).collect();
    // What a line says beside its numbers, and those.
    let sides = |line: &CodeLine| -> (Vec<String>, Vec<String>) {
        let words = each_word(uncommented(comment, line.text)).map(|(_, word)| word);
        let words = words.filter(|word| !BESIDE_NUMBERS.contains(word)).map(str::to_owned);
        words.partition(|word| !is_number(word) && !constants.contains(word.as_str()))
    };
    let is_other = |was: &CodeLine, is: &CodeLine| {
        let ((was, old), (is, new)) = (sides(was), sides(is));
        was == is && old != new && !old.is_empty()
    };
    // Where a line is gone besides, a case is.
    line_pairs(places).any(|(was, is)| is_other(was, is))
}

/// What stands between numbers, and before the name of a constant.
const BESIDE_NUMBERS: &[&str] =
    &["+", "-", "*", "/", "%", "(", ")", ".", ":", "::", "self", "Self", "this", "static"];

fn is_number(word: &str) -> bool {
    word.trim_matches(['"', '\'']).starts_with(|c: char| c.is_ascii_digit())
}

/// The name to which a line gives a number: `const RATE = 45;`.
fn constant(line: &str) -> Option<&str> {
    let (head, value) = line.split_once('=')?;
    is_number(value.trim()).then(|| identifiers(head).last()).flatten()
}

/// A line without the comment at its end.
pub(super) fn uncommented<'l>(comment: &str, line: &'l str) -> &'l str {
    let head = line.split_once(&format!(" {comment}")).map_or(line, |(head, _)| head);
    if head.matches('"').count() % 2 == 0 { head.trim_end() } else { line }
}

/// Whether code that was there may answer otherwise now: `false` where a file only gets functions, imports and log lines.
pub(crate) fn alters(path: &str, before: &str, after: &str) -> bool {
    if before == after {
        return false;
    }
    let Some(language) = Language::of_path(path) else { return true };
    let Some(all) = hunks(language.refusing().comment, before, after) else { return true };
    let is_idle = |line: &CodeLine| is_import(line.text) || is_log(line.text);
    let gone = all.iter().flat_map(|hunk| &hunk.gone);
    if gone.into_iter().any(|line| !is_idle(line)) {
        return true;
    }
    let mut come: Vec<&CodeLine> =
        all.iter().flat_map(|hunk| &hunk.come).filter(|line| !is_idle(line)).collect();
    come.retain(|line| !is_new_function(before, line.text));
    !come.is_empty() && !stand_in_new_functions(language, before, after, &come)
}

/// Whether a line is a whole function under a name that the text before does not have: `fun open(id: Int) = all[id]`.
fn is_new_function(before: &str, line: &str) -> bool {
    const HEADS: &[&str] = &["fun ", "def ", "func ", "fn "];
    let line = line.trim();
    let mut heads = HEADS.iter().filter_map(|head| line.split_once(head));
    heads.any(|(modifiers, rest)| {
        let name = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let is_whole = rest.contains(" = ") || line.ends_with('}');
        modifiers.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
            && is_whole
            && name.len() > 1
            && !has_word(before, name)
    })
}

/// Whether lines stand in functions of which the text before has none of their names.
fn stand_in_new_functions(language: Language, before: &str, after: &str, come: &[&CodeLine]) -> bool {
    let (old, new) = (ParsedSource::new(language, before), ParsedSource::new(language, after));
    let (Some(old), Some(new)) = (old.code(), new.code()) else { return false };
    let known: BTreeSet<&str> = old.functions.iter().map(|it| it.name).collect();
    let own: Vec<_> = new.functions.iter().filter(|it| !known.contains(it.name)).collect();
    come.iter().all(|line| own.iter().any(|it| it.span.contains(&line.at)))
}

/// Whether the session took a name out of the product: what asked it needs another.
pub(super) fn is_taken_away(case: &Case, change: &Change, name: &str) -> bool {
    product_changes(case, &change.path).any(|it| {
        let has = |text: &Option<String>| text.as_deref().is_some_and(|text| has_word(text, name));
        has(&it.before) && !has(&it.after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_on_top_changes_no_answer() {
        let before = "class Till:\n    def total(self):\n        return self.sum\n\n    def pay(self, amount):\n        self.sum -= amount\n";
        for (from, to, may) in [
            ("    def pay", "    def lines(self):\n        return self.rows\n\n    def pay", false),
            ("        self.sum -=", "        log.info(\"paid\")\n        self.sum -=", false),
            ("        self.sum -=", "        amount = abs(amount)\n        self.sum -=", true),
            ("return self.sum", "return round(self.sum)", true),
        ] {
            let after = before.replacen(from, to, 1);
            assert_eq!(alters("shop/till.py", before, &after), may, "{to}");
        }
    }
}
