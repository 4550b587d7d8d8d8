//! Pairs of lines of which one is the other without some of its values, or with a yes for a no.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::test_lines::is_beside;
use crate::detectors::testing::word_edit::{each_word, is_data, is_sign, words};

/// How lines begin that are a row of a table or an item of a list.
const ROWS: &[&str] =
    &["yield ", "'", "\"", "[", "(", "{", "- ", "@case", "#[case", "[InlineData", "[TestCase", "[DataRow"];

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
    // What is left may stand in another order.
    let mut left: Vec<&str> = new.clone();
    let mut removed: Vec<&str> = Vec::new();
    for word in &old {
        match left.iter().position(|it| it == word) {
            Some(at) => _ = left.swap_remove(at),
            None => removed.push(word),
        }
    }
    let of_names = |all: &[&str]| -> Vec<String> {
        all.iter().filter(|word| !is_data(word) && **word != ",").map(|it| (*it).to_owned()).collect()
    };
    count(&new) < count(&old)
        && count(&old) > 1
        && is_list
        && names(&old) == names(&new)
        && of_names(&old) == of_names(&new)
        && left.is_empty()
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

/// Whether lines that are rows are fewer of the same rows now, by their names.
pub(super) fn fewer_rows(hunk: &TextHunk) -> bool {
    let name =
        |line: &CodeLine| each_word(line.text).map(|(_, word)| word.to_owned()).find(|word| is_data(word));
    let names = |all: &[CodeLine]| -> Vec<String> { all.iter().filter_map(name).collect() };
    let (gone, come) = (names(&hunk.gone), names(&hunk.come));
    let is_plain = |line: &CodeLine| is_row(line.text) && !is_beside(line.text);
    hunk.gone.iter().chain(&hunk.come).all(is_plain)
        && come.iter().all(|it| gone.contains(it))
        && gone.iter().any(|it| !come.contains(it))
}

/// Whether a line is a row of a table, or an item of a list.
pub(super) fn is_row(line: &str) -> bool {
    let is_item =
        ROWS.iter().any(|head| line.starts_with(head)) || line.starts_with(|c: char| c.is_ascii_digit());
    is_item && (line.ends_with([',', ';', ']', ')', '}']) || line.starts_with('-'))
}
