//! Pairs of lines of which one is the other without some of its values, or with a yes for a no.

use crate::detectors::testing::word_edit::{is_data, is_sign, words};

/// Whether a line is the other without some of its values: fewer items of a list.
pub(super) fn is_cut(old: &str, new: &str) -> bool {
    // A remark behind the values is none of them.
    let (old, new) = (without_remark(old), without_remark(new));
    let texts = |line| words(line).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
    let (old, new) = (texts(old), texts(new));
    let count = |all: &[&str]| all.iter().filter(|word| is_data(word)).count();
    let is_list = new.iter().any(|word| matches!(*word, "[" | "(" | "{"));
    let names = |all: &[&str]| all.iter().filter(|word| !is_data(word) && !is_sign(word)).count();
    // What goes is values and the commas between them: an argument that was nothing, or a calculation, is no item.
    let is_item = |word: &&str| {
        *word == "," || is_data(word) && !matches!(*word, "null" | "nil" | "None" | "undefined" | "nullptr")
    };
    let mut rest = new.iter().peekable();
    let removed: Vec<&str> =
        old.iter().copied().filter(|word| rest.next_if(|it| *it == word).is_none()).collect();
    count(&new) < count(&old)
        && count(&old) > 1
        && is_list
        && names(&old) == names(&new)
        && rest.peek().is_none()
        && removed.iter().all(is_item)
}

fn without_remark(line: &str) -> &str {
    let ends = ["  # ", "  // ", "; // ", ", // ", "] # ", "] // "];
    let at = ends.iter().filter_map(|end| line.find(end)).min();
    at.and_then(|at| line.get(..=at)).map_or(line, str::trim_end)
}

/// Whether two lines differ in a yes and a no alone.
pub(super) fn is_flipped(old: &str, new: &str) -> bool {
    let (old, new) = (words(old), words(new));
    let is_answer = |word: &str| matches!(word.to_lowercase().as_str(), "true" | "false");
    let differing: Vec<_> = old.iter().zip(&new).filter(|((_, a), (_, b))| a != b).collect();
    old.len() == new.len()
        && differing.len() == 1
        && differing.iter().all(|((_, a), (_, b))| is_answer(a) && is_answer(b))
}
