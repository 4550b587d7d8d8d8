//! Numbers that a test expects otherwise, beside code of the session that works otherwise and says nowhere why: neither a
//! comment, nor a document, nor another test tells of another rule. Whoever means a change of behaviour says so somewhere.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::line_pairs::is_even;
use crate::detectors::testing::explained_values::product_changes;
use crate::detectors::testing::word_edit::{is_data, words_of};
use crate::languages::Language;
use crate::model::finding::Change;

/// More lines than these are other tests.
const FEW: usize = 4;
/// A longer text in quotes is a sentence, which has a wording.
const LONGEST: usize = 16;
/// How comments and texts about code begin, beside the mark of each language.
const REMARKS: &[&str] = &["/*", "*", "\"\"\"", "///", "//", "#:", "@doc", "@moduledoc", "<!--"];

/// Whether a test only has other numbers, and nothing that the session has written says why.
pub(super) fn is_silent(case: &Case, test: &Change, all: &[TextHunk]) -> bool {
    let lines: usize = all.iter().map(|it| it.gone.len()).sum();
    let pairs = || all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
    (1..=FEW).contains(&lines)
        && all.iter().all(is_even)
        && pairs().all(|(was, is)| has_other_numbers(was, is))
        && !says_why(test)
        && !case.documents().any(|it| it.before != it.after)
        && !product_changes(case, &test.path).any(says_why)
}

/// Whether two lines differ in numbers alone, or in short texts with a digit: `"42.18"`, `1h15m`.
fn has_other_numbers(was: &CodeLine, is: &CodeLine) -> bool {
    let (old, new): (Vec<&str>, Vec<&str>) = (words_of(was).collect(), words_of(is).collect());
    let differing: Vec<(&str, &str)> =
        old.iter().zip(&new).map(|(a, b)| (*a, *b)).filter(|(a, b)| a != b).collect();
    let is_number = |word: &str| {
        let bare = word.trim_matches(['"', '\'', '`']);
        let is_short = bare.len() <= LONGEST && !bare.contains(' ');
        is_data(word) && is_short && bare.contains(|c: char| c.is_ascii_digit())
    };
    // What a message of a test says of its number goes along with it.
    let is_said = |word: &str| word.starts_with(['"', '\'', '`']);
    let is_other = |(a, b): &(&str, &str)| is_number(a) && is_number(b) || is_said(a) && is_digits_now(b);
    let is_message = |(a, b): &(&str, &str)| is_said(a) && is_said(b) && a.contains('%') && b.contains('%');
    old.len() == new.len()
        && !differing.is_empty()
        && differing.iter().all(|it| is_other(it) || is_message(it))
}

/// `'808080'`: a text of digits.
fn is_digits_now(word: &str) -> bool {
    let bare = word.trim_matches(['"', '\'', '`']);
    bare.len() <= LONGEST && !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Whether a change brings a remark: a comment, or a text about the code.
pub(super) fn says_why(change: &Change) -> bool {
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return true;
    };
    let comment = Language::of_path(&change.path).map_or("//", |it| it.refusing().comment);
    let known: BTreeSet<&str> = before.lines().filter_map(|it| remark(it, comment)).collect();
    after.lines().filter_map(|it| remark(it, comment)).any(|it| !known.contains(it))
}

/// What a line says to people.
fn remark<'t>(line: &'t str, comment: &str) -> Option<&'t str> {
    let bare = line.trim();
    if bare.starts_with(comment) || REMARKS.iter().any(|mark| bare.starts_with(mark)) {
        return Some(bare);
    }
    let behind = |mark: &str| bare.split_once(&format!(" {mark} ")).map(|(_, said)| said);
    behind(comment).or_else(|| behind("/*"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;
    use crate::detectors::engine::line_pairs::places_of;

    #[test]
    fn numbers_are_told_from_sentences() {
        let line = |text| CodeLine { text, at: 0, number: 1 };
        for (was, is, expected) in [
            ("assert fee(3) == 20", "assert fee(3) == 30", true),
            ("same('bababa', mix(a))", "same('808080', mix(a))", true),
            ("(\"C\", \"42.19\"),", "(\"C\", \"42.18\"),", true),
            ("t.Errorf(\"got %s, want 1h\")", "t.Errorf(\"got %s, want 2h\")", true),
            ("eq(text, \"line 2: bad start\")", "eq(text, \"line 2: bad start at 5\")", false),
            ("assert a.kind == OPEN", "assert a.kind == SHUT", false),
            ("assert fee(3) == 20", "assert fee(3, 1) == 30", false),
        ] {
            assert_eq!(has_other_numbers(&line(was), &line(is)), expected, "{was} -> {is}");
        }
    }

    fn change(path: &str, before: &str, after: &str) -> Change {
        let text = |it: &str| Some(it.to_owned());
        Change { path: path.to_owned(), before: text(before), after: text(after) }
    }

    #[test]
    fn a_document_of_the_session_says_why() {
        let test = change("tests/test_fees.py", "assert fee(3) == 20\n", "assert fee(3) == 30\n");
        let product = change("fees.py", "def fee(n):\n    return n + n\n", "def fee(n):\n    return n * n\n");
        let document = change("docs/CHANGELOG.md", "# Changes\n", "# Changes\n\nFees are squared.\n");
        let all = places_of(&test).unwrap();
        for (elsewhere, expected) in [(vec![product.clone()], true), (vec![product, document], false)] {
            let case = Case::new(Evidence { changes: std::slice::from_ref(&test), elsewhere: &elsewhere });
            assert_eq!(is_silent(&case, &test, &all), expected);
        }
    }

    #[test]
    fn a_new_remark_says_why() {
        let old = "A = 3\n# kept\n";
        for (after, expected) in [
            ("A = 4\n# kept\n", false),
            ("A = 4  # was 3\n# kept\n", true),
            ("# terms of May\nA = 4\n# kept\n", true),
        ] {
            assert_eq!(says_why(&change("shop/fees.py", old, after)), expected, "{after}");
        }
    }
}
