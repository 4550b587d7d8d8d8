//! What a line of a table says: its values, the constants that it names, and its rows where it has several:
//! `for (final (a, b) in [(1, 2), (3, 4)])`, `withData("", "  ")`.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::testing::word_edit::{each_word, is_data};
use crate::model::words::is_name_part;

/// Signs that open a bracket.
const OPEN: &[char] = &['(', '[', '{'];
/// Signs that close one.
const CLOSE: &[char] = &[')', ']', '}'];
/// A line nested deeper holds no table.
const DEEPEST: usize = 6;

/// How a line holds rows.
pub(super) struct LineRows<'t> {
    /// The rows.
    pub(super) rows: Vec<&'t str>,
    /// Whether each row has brackets of its own, so that the line is no row itself.
    pub(super) bracketed: bool,
}

impl<'t> LineRows<'t> {
    /// The rows that stand in a line.
    pub(super) fn of(line: &'t str) -> Self {
        let mut found = LineRows { rows: Vec::new(), bracketed: false };
        found.take(line, 0);
        found
    }

    fn take(&mut self, text: &'t str, depth: usize) {
        if depth > DEEPEST || self.bracketed {
            return;
        }
        for group in groups(text) {
            let pieces = split(group);
            let with_brackets = pieces.iter().filter(|it| is_row(it)).count();
            if with_brackets > 1 {
                self.rows = pieces.into_iter().filter(|it| is_row(it)).collect();
                self.bracketed = true;
                return;
            }
            if pieces.len() > 1 && self.rows.is_empty() {
                self.rows = pieces;
            }
            self.take(group, depth + 1);
            if self.bracketed {
                return;
            }
        }
    }
}

/// Whether a piece is a row with brackets: `(1, 2)`, `Case{1, 2}`, `row("a", 3)`, `'seven' => ['a', 3]`.
fn is_row(piece: &str) -> bool {
    let is_last = piece.ends_with(CLOSE);
    is_last && groups(piece).last().is_some_and(|group| split(group).len() > 1)
}

/// What stands in the outermost brackets of a text. A bracket that the line leaves open reaches to its end.
fn groups(text: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    scan(text, |at, letter, depth| {
        if OPEN.contains(&letter) && depth == 1 {
            start = at + 1;
        } else if CLOSE.contains(&letter) && depth == 0 {
            found.extend(text.get(start..at));
            start = text.len();
        }
    });
    let mut open = 0usize;
    scan(text, |_, _, depth| open = depth);
    found.extend(text.get(start..).filter(|it| open > 0 && !it.is_empty()));
    found
}

/// The pieces of a list, parted by commas outside of brackets and texts.
pub(super) fn split(list: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    scan(list, |at, letter, depth| {
        if letter == ',' && depth == 0 {
            found.extend(list.get(start..at));
            start = at + 1;
        }
    });
    found.extend(list.get(start..));
    found.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// The new rows that stand in comments above tests of PHP: `@testWith ["a", 1]`, with those below it.
pub(super) fn documented_rows<'t>(before: &str, after: &'t str) -> Vec<CodeLine<'t>> {
    const HEAD: &str = "@testWith";
    if !after.contains(HEAD) {
        return Vec::new();
    }
    let (mut at, mut is_table, mut found) = (0, false, Vec::new());
    for (number, line) in after.split_inclusive('\n').enumerate() {
        is_table = !line.contains("*/") && (is_table || line.contains(HEAD));
        let text = line.trim().trim_start_matches(['*', ' ']);
        if is_table && !before.contains(text) {
            found.push(CodeLine { text, at, number: u32::try_from(number + 1).unwrap_or(u32::MAX) });
        }
        at += line.len();
    }
    found
}

/// The last names of the constants that a text names by their types: `easy` of `Grade.easy`, `Grade::easy` and `.easy`.
pub(super) fn constants(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| is_name_part(c) || matches!(c, '.' | ':');
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let before = rest.get(..start)?.chars().next_back();
        let from = rest.get(start..)?;
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        rest = from.get(end..)?;
        Some((before, from.get(..end)?, rest))
    })
    .filter(|(before, path, rest)| {
        let of_a_type = path.starts_with(char::is_uppercase) && path.contains(['.', ':']);
        let of_its_own = path.starts_with('.') && before.is_none_or(|c| c == ' ' || c == '(' || c == ',');
        (of_a_type || of_its_own) && !rest.starts_with(['(', '<', '!', '{'])
    })
    .filter_map(|(_, path, _)| path.rsplit(['.', ':']).next().filter(|name| is_constant(name)))
}

/// The values of a text, numbers without their types and digits' signs.
pub(super) fn values(text: &str) -> Vec<String> {
    let mut words = each_word(text).map(|(_, word)| word).peekable();
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        // `1e-9` is one value.
        let is_power = word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(['e', 'E']);
        if is_power && !word.starts_with("0x") && words.next_if_eq(&"-").is_some() {
            let power = words.next().unwrap_or_default();
            found.push(format!("{}-{power}", word.to_lowercase()));
        } else if is_data(word) {
            found.push(plain(word));
        }
    }
    found
}

fn plain(word: &str) -> String {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.trim_matches(['"', '\'', '`']).to_owned();
    }
    let number = word.replace('_', "");
    let end = number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
    let number = number.get(..end).unwrap_or_default();
    number.strip_suffix(".0").unwrap_or(number).trim_end_matches('.').to_owned()
}

/// Whether a last name is a value's: the name of a type asks which kind something is.
fn is_constant(name: &str) -> bool {
    name.len() > 1 && name != "class" && name.starts_with(char::is_alphabetic)
}

/// Goes through the signs of a text that stand outside of quotes, each with how many brackets are open after it.
fn scan(text: &str, mut each: impl FnMut(usize, char, usize)) {
    let (mut quote, mut is_escaped, mut depth) = (None, false, 0usize);
    for (at, letter) in text.char_indices() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if letter == '\\' => is_escaped = true,
            Some(end) if end == letter => quote = None,
            Some(_) => {}
            None if matches!(letter, '"' | '\'' | '`') => quote = Some(letter),
            None => {
                if OPEN.contains(&letter) {
                    depth += 1;
                } else if CLOSE.contains(&letter) {
                    depth = depth.saturating_sub(1);
                }
                each(at, letter, depth);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_named_by_their_types() {
        let all = |text| constants(text).collect::<Vec<_>>();
        assert_eq!(all("expect(climb(3).grade, Grade.easy)"), ["easy"]);
        assert_eq!(all("assert_eq!(climb(3), Grade::Easy)"), ["Easy"]);
        assert_eq!(all("#expect(climb(3) == .easy)"), ["easy"]);
        assert_eq!(all("Assert.Equal(3, trail.Length)"), [""; 0]);
    }

    #[test]
    fn rows_stand_in_lines() {
        for (line, rows, bracketed) in [
            ("for (final (a, b) in [(1, 2), (3, 4)]) {", vec!["(1, 2)", "(3, 4)"], true),
            ("[[1, 'a, b'], [2, 'c']].each do |n, text|", vec!["[1, 'a, b']", "[2, 'c']"], true),
            ("withData(\"\", \"  \") { reason ->", vec!["\"\"", "\"  \""], false),
            ("row(\"a\", f(1)),", vec!["\"a\"", "f(1)"], false),
            ("let total = 3;", vec![], false),
        ] {
            let found = LineRows::of(line);
            assert_eq!((found.rows, found.bracketed), (rows, bracketed), "{line}");
        }
    }
}
