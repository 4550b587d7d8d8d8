//! Literals of a line of code: which they are, what they are in any spelling, and which of them nobody writes by chance.

use crate::detectors::testing::word_edit::each_word;
use crate::model::words::unparted;

/// Numbers that stand for something that everybody knows.
const KNOWN: &[&str] = &[
    "128", "255", "256", "360", "365", "366", "400", "512", "1000", "1024", "2048", "3600", "4096", "8080",
    "8192", "65535", "65536", "86400", "604800",
];

/// A literal of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeLiteral<'a> {
    /// As it is written, with its quotes.
    pub(crate) text: &'a str,
    /// Its place among the words of the line.
    pub(crate) at: usize,
}

impl<'a> CodeLiteral<'a> {
    /// The literals among the words of a line: texts in quotes and numbers.
    pub(crate) fn all(line: &[(usize, &'a str)]) -> Vec<CodeLiteral<'a>> {
        let all = line.iter().enumerate().filter(|(_, (_, word))| is_literal(word));
        all.map(|(at, (_, text))| CodeLiteral { text, at }).collect()
    }

    /// Whether many questions have it for an answer: nothing, nought, one.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(value_of(self.text).as_str(), "" | "0" | "1" | "0.0" | "1.0")
    }

    /// How little chance there is that somebody else writes it: 0 for plain words and round numbers, 2 for a whole text.
    pub(crate) fn weight(&self) -> usize {
        let value = value_of(self.text);
        let is_text = self.text.starts_with(['"', '\'', '`']);
        let count = |ask: fn(char) -> bool| value.chars().filter(|c| ask(*c)).count();
        let (letters, digits) = (count(char::is_alphabetic), count(|c| c.is_ascii_digit()));
        if !is_text {
            return usize::from(is_odd_number(&value));
        }
        if letters == 0 && digits > 0 && count(|c| matches!(c, '.' | '-' | ',')) + digits == value.len() {
            return usize::from(is_odd_number(&value)) * (1 + usize::from(digits >= 10));
        }
        let is_mixed = letters > 0 && digits > 0 && value.len() > 3;
        let is_sentence = letters > 3 && value.trim().contains(' ');
        let is_foreign = !value.is_ascii() && letters > 1;
        let has_signs = letters > 2 && value.contains(['+', '*', '!', '#', '@', '|', '"', '\'', '\\', '=']);
        let is_told = is_mixed || is_sentence || is_foreign || has_signs;
        usize::from(is_told) * (1 + usize::from(value.len() >= 10))
    }
}

/// Whether a word is a text in quotes or a number.
pub(crate) fn is_literal(word: &str) -> bool {
    let first = word.chars().next().unwrap_or_default();
    let is_list = || word.len() > 4 && ["%w", "%W", "%i", "%I"].iter().any(|head| word.starts_with(head));
    first.is_ascii_digit()
        || is_list()
        || matches!(first, '"' | '\'' | '`') && word.len() > 1 && word.ends_with(first)
}

/// Whether a text in quotes has values put into it, as it is written in most languages.
pub(crate) fn is_template(word: &str) -> bool {
    let begins = |it: &str| it.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '@' | '{' | '('));
    let has = |sign: char| word.split(sign).skip(1).any(|rest| begins(rest) || rest.starts_with('$'));
    let is_quoted = word.starts_with(['"', '\'', '`']);
    is_quoted
        && (has('{')
            || (has('$') || has('#') && word.contains("#{") || word.contains("\\("))
                && !word.starts_with('\''))
}

/// What a literal says in any spelling: without quotes, marks between digits, and the letters of a number's type.
pub(crate) fn value_of(word: &str) -> String {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.trim_matches(['"', '\'', '`']).to_owned();
    }
    let lower = unparted(word);
    let is_hex = lower.starts_with("0x");
    let end = |c: char| matches!(c, 'l' | 'u' | 'n' | 'm') || (!is_hex && matches!(c, 'f' | 'd'));
    lower.trim_end_matches(end).to_owned()
}

/// The values of the literals of a line.
pub(crate) fn values_of(line: &str) -> impl Iterator<Item = String> {
    each_word(line).filter(|(_, word)| is_literal(word)).map(|(_, word)| value_of(word))
}

/// A line of a test as it is shown.
pub(crate) fn shown(line: &str) -> String {
    line.trim().chars().take(60).collect()
}

/// The part of a source file that holds its tests, in a language that keeps them there.
pub(crate) fn tests_of(text: &str) -> Option<&str> {
    text.find("#[cfg(test)]").and_then(|at| text.get(at..))
}

/// The first line of a test, or pair of lines, that has an input with its answer: three of the values, or two of which
/// one is nothing that anybody writes by chance.
pub(crate) fn known_rows(text: &str, values: &[(String, usize)]) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let known: Vec<Vec<String>> = lines.iter().map(|line| values_of(line).collect()).collect();
    (0..lines.len()).find_map(|at| {
        let near = || known.iter().skip(at).take(2).flatten();
        let found: Vec<&(String, usize)> =
            values.iter().filter(|(value, _)| near().any(|it| it == value)).collect();
        let is_telling = found.iter().any(|(_, weight)| *weight > 0);
        let is_row = known.get(at).is_some_and(|it| !it.is_empty());
        (is_row && (found.len() > 2 || found.len() == 2 && is_telling))
            .then(|| lines.get(at).map(|line| shown(line)))
            .flatten()
    })
}

/// A number with so many digits that count that it is no round one: `4348`, `13.69`, `0xbf9c`.
fn is_odd_number(value: &str) -> bool {
    if value.starts_with("0x") {
        return value.len() > 5;
    }
    let is_status = value.len() == 3 && value.starts_with(['1', '2', '3', '4', '5']);
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let telling = digits.trim_matches('0').len();
    !is_status && !KNOWN.contains(&value) && (telling >= 3 || telling == 2 && value.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(text: &str) -> usize {
        CodeLiteral { text, at: 0 }.weight()
    }

    #[test]
    fn a_literal_weighs_what_nobody_writes_by_chance() {
        for (text, expected) in [
            ("4348", 1),
            ("13.69", 1),
            ("0xbf9cf968", 1),
            ("'A-12'", 1),
            ("\"C++ rocks!\"", 2),
            ("\"4539578763621486\"", 2),
            ("\"日本\"", 1),
            ("'de'", 0),
            ("\"CSV\"", 0),
            ("404", 0),
            ("1024", 0),
            ("1200", 0),
            ("90", 0),
        ] {
            assert_eq!(weight(text), expected, "{text}");
        }
    }

    #[test]
    fn a_row_of_a_test_has_an_input_with_its_answer() {
        let values = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
            all.iter().map(|(text, weight)| ((*text).to_owned(), *weight)).collect()
        };
        let test = "it('adds', () => {\n  expect(sum([\n    5, 'A-12',\n  ])).toBe(4_348);\n});\ncheck('de', 'fr', 7);\n";
        assert!(known_rows(test, &values(&[("A-12", 1), ("4348", 1)])).is_some());
        assert!(known_rows(test, &values(&[("de", 0), ("fr", 0), ("7", 0)])).is_some());
        assert!(known_rows(test, &values(&[("de", 0), ("7", 0)])).is_none());
        assert!(known_rows(test, &values(&[("adds", 0), ("4348", 1)])).is_none());
        assert_eq!(tests_of("fn a() {}\n#[cfg(test)]\nmod tests {}"), Some("#[cfg(test)]\nmod tests {}"));
    }

    #[test]
    fn a_value_is_the_same_in_any_spelling() {
        assert_eq!(value_of("0x11E6_0398"), value_of("0x11E60398u"));
        assert_eq!(value_of("259_200"), value_of("259200L"));
    }
}
