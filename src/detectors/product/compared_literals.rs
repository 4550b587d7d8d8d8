//! The literals that a condition compares something with.

use crate::detectors::product::literals::{CodeLiteral, is_literal};
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::testing::word_edit::words;
use crate::model::words::unparted;

/// Functions that compare with their argument, without signs and in lower case.
const COMPARING: &[&str] = &[
    "equals",
    "eql",
    "strcmp",
    "strncmp",
    "startswith",
    "hasprefix",
    "startwith",
    "strstartswith",
    "contains",
    "includes",
    "include",
    "endswith",
    "hassuffix",
    "strendswith",
    "strcontains",
    "inarray",
    "isequal",
    "isequalto",
    "contentequals",
    "equalfold",
    "equalsignorecase",
    "equal",
    "compareto",
];
/// Names of what is compared that have a few values by nature, and texts of errors.
const CHOSEN: &[&str] = &["message", "error", "err", "exception", "reason", "status", "statuscode", "errno"];

/// The words of a line with their places in it.
pub(super) type PlacedWords<'a> = Vec<(usize, &'a str)>;

/// The literals that a condition compares something with.
pub(super) fn compared(condition: &str) -> Vec<CodeLiteral<'_>> {
    let all = words(condition);
    let bare = condition.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    let bare = bare.strip_prefix("if").unwrap_or(bare).trim_start_matches([' ', '(']);
    let is_negated = bare.starts_with('!') && !condition.contains("strcmp") || bare.starts_with("not ");
    let is_chosen =
        all.iter().any(|(_, word)| CHOSEN.contains(&word.replace('_', "").to_lowercase().as_str()));
    if is_negated || is_chosen {
        return Vec::new();
    }
    CodeLiteral::all(&all).into_iter().filter(|literal| is_compared(&all, literal.at)).collect()
}

fn is_compared(all: &PlacedWords, at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| all.get(at)).map(|(_, word)| *word).unwrap_or_default();
    let is_equal = |a: Option<usize>, b: Option<usize>| word(a) == "=" && word(b) == "=";
    if is_equal(Some(at + 1), Some(at + 2)) || word(Some(at + 1)) == "." && is_comparing(word(Some(at + 2))) {
        return true;
    }
    let mut back = at.checked_sub(1);
    while let Some(place) = back {
        let before = word(Some(place));
        let is_passed = is_literal(before)
            || is_maker(before)
            || matches!(
                before,
                "(" | "[" | "{" | "," | "&" | "-" | "b" | ":" | "new" | "@" | "$" | "#" | "." | "^"
            );
        if !is_passed {
            break;
        }
        back = place.checked_sub(1);
    }
    let one = back.and_then(|place| place.checked_sub(1));
    is_equal(one, back) || matches!(word(back), "in" | "is" | "eq" | "when" | "case") || is_argument(all, at)
}

/// Whether a word is an argument of a call that compares.
fn is_argument(all: &PlacedWords, at: usize) -> bool {
    let mut depth = 0usize;
    for place in (0..at).rev() {
        match all.get(place).map(|(_, word)| *word) {
            Some(")") => depth += 1,
            Some("(") if depth > 0 => depth -= 1,
            Some("(") => {
                let mut names = all.get(..place).unwrap_or_default().iter().rev().map(|(_, word)| *word);
                let name = names.find(|word| !matches!(*word, "?")).unwrap_or_default();
                // What makes a value of a literal stands between.
                if !is_maker(name) {
                    return is_comparing(name);
                }
            }
            _ => {}
        }
    }
    false
}

fn is_comparing(word: &str) -> bool {
    let name = unparted(word);
    COMPARING.contains(&name.as_str())
}
