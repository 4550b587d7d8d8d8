//! Pairs of lines of which one is the other without some of its values, or with a yes for a no.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::test_lines::is_beside;
use crate::detectors::testing::word_edit::{each_word, is_data, is_sign, words};
use crate::model::words::is_name_part;

/// How lines begin that are a row of a table or an item of a list.
const ROWS: &[&str] =
    &["yield ", "'", "\"", "[", "(", "{", "- ", "@case", "#[case", "[InlineData", "[TestCase", "[DataRow"];

/// A yes that became a no, or items that are gone from a list, in a place that has as many lines as before.
pub(super) fn turned_or_cut(hunk: &TextHunk) -> Option<String> {
    let mut pairs = hunk.gone.iter().zip(&hunk.come).filter(|(old, _)| !is_beside(old.text));
    pairs.find_map(|(old, new)| {
        if is_flipped(old.text, new.text) {
            return Some(
                "a test would expect the opposite, while nothing that it tests has changed".to_owned(),
            );
        }
        is_cut(old.text, new.text)
            .then(|| format!("items of `{}` would not be given to the tests any more", old.text))
    })
}

/// Whether a line is the other without some of its values: fewer items of a list.
fn is_cut(old: &str, new: &str) -> bool {
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

/// Whether a line is the other without some items of a list, whatever they are made of: `(" b-4 ", "B", 4)` of several.
pub(super) fn is_shortened(old: &str, new: &str) -> bool {
    let (old, new) = (without_remark(old), without_remark(new));
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let opens = opened(old.get(..same).or_else(|| old.get(..same.saturating_sub(1))).unwrap_or_default());
    opens.into_iter().filter(|at| is_list(old, *at)).any(|at| {
        let (Some(was), Some(is)) = (items(old, at + 1), items(new, at + 1)) else { return false };
        let mut rest = was.all.iter();
        let is_part = is.all.iter().all(|item| rest.any(|it| it == item));
        let gone = was.all.iter().filter(|item| !is.all.contains(item));
        let has_data = |item: &&&str| words(item).iter().any(|(_, word)| is_data(word));
        was.rest == is.rest && is_part && !is.all.is_empty() && gone.clone().any(|item| has_data(&item))
    })
}

/// Where brackets stand in a text that are open at its end.
fn opened(text: &str) -> Vec<usize> {
    let (mut open, mut quote) = (Vec::new(), None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(mark), _) => quote = Some(mark).filter(|it| *it != c),
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push(at),
            (None, ')' | ']' | '}') => _ = open.pop(),
            _ => {}
        }
    }
    open
}

/// The items of a list, and what stands behind it.
struct ListItems<'t> {
    all: Vec<&'t str>,
    rest: &'t str,
}

/// The items from a place behind a bracket up to where it closes in the line.
fn items(line: &str, start: usize) -> Option<ListItems<'_>> {
    let text = line.get(start..)?;
    let (mut depth, mut quote, mut from, mut all) = (0i32, None, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(mark), _) => quote = Some(mark).filter(|it| *it != c),
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth > 0 => depth -= 1,
            (None, ',' | ')' | ']' | '}') if depth == 0 => {
                all.extend(text.get(from..at).map(str::trim).filter(|item| !item.is_empty()));
                from = at + 1;
                if c != ',' {
                    return Some(ListItems { all, rest: text.get(at..)? });
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a bracket begins a list, and not a call's arguments or an index.
fn is_list(line: &str, at: usize) -> bool {
    const LISTS: &[&str] = &[
        "List",
        "listOf",
        "List.of",
        "Set",
        "setOf",
        "Set.of",
        "Seq",
        "Vector",
        "Array",
        "arrayOf",
        "asList",
        "Stream.of",
        "sequenceOf",
        "array",
        "tuple",
    ];
    let (head, bracket) = (line.get(..at).unwrap_or_default(), line.get(at..).unwrap_or_default());
    match bracket.chars().next() {
        Some('[') => !head.ends_with(is_name_part),
        Some('{') => true,
        _ => LISTS.iter().any(|it| head.ends_with(it)),
    }
}

/// Whether two lines differ in a yes and a no alone.
fn is_flipped(old: &str, new: &str) -> bool {
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

/// How many of the rows that are gone have an answer that no row has any more, where fewer rows came.
pub(super) fn answers_gone(hunk: &TextHunk, is_lost: impl Fn(&str) -> bool) -> usize {
    let is_plain = |line: &CodeLine| is_row(line.text) && !is_beside(line.text);
    let is_fewer = !hunk.come.is_empty() && hunk.come.len() < hunk.gone.len();
    if !is_fewer || !hunk.gone.iter().chain(&hunk.come).all(is_plain) {
        return 0;
    }
    let answer = |line: &CodeLine| {
        each_word(line.text).map(|(_, word)| word.to_owned()).filter(|it| is_data(it)).last()
    };
    hunk.gone.iter().filter_map(answer).filter(|word| is_lost(word)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_any_make_are_gone_from_a_list() {
        for (old, new, is_told) in [
            ("for t in [(\"a\", 1), (\"b\", 2)] {", "for t in [(\"a\", 1)] {", true),
            ("for t in [(\"a\", 1), (\"b\", 2)] {", "for t in [(\"b\", 2)] {", true),
            (
                "listOf(\"a\" to Code(1), \"b\" to Code(2)).forEach {",
                "listOf(\"a\" to Code(1)).forEach {",
                true,
            ),
            ("for (x <- List(Money(\"0.1\"), Money(0), Money(-5)))", "for (x <- List(Money(0)))", true),
            ("for u in [\"x:1\", \"f\", \"e.com\", nil] {", "for u in [\"e.com\", nil] {", true),
            ("send(Mail(\"a\", 1), Mail(\"b\", 2))", "send(Mail(\"a\", 1))", false),
            ("rows = [first, second]", "rows = [first]", false),
            ("x = [(\"a\", 1), (\"b\", 2)]", "x = [(\"a\", 1), (\"c\", 2)]", false),
        ] {
            assert_eq!(is_shortened(old, new), is_told, "{new}");
        }
    }
}
