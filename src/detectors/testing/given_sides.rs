//! Which side of a test has another value in a small edit: what it is given, or what it expects.
//!
//! Honest work seldom gives a test another input for the same claim; what it expects follows the product.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::word_edit::{is_data, is_name, words};
use crate::model::words::unparted;

/// More lines than these are more than another value.
const SMALL: usize = 5;
/// Parts of names of what compares, in lower case.
const CLAIMS: &[&str] = &["assert", "expect", "should", "require", "check(", "verify"];
/// Parts of names of what is expected, in lower case.
const WANTED: &[&str] = &["want", "expect", "golden", "result", "answer"];
/// Matchers that stand before their value, without signs and in lower case.
const MATCHERS: &[&str] = &[
    "eq",
    "eql",
    "equal",
    "equalto",
    "be",
    "is",
    "contain",
    "include",
    "match",
    "raiseerror",
    "closeto",
    "same",
];

/// Functions that make a value of a literal, and words before a parenthesis.
const MAKING: &[&str] = &[
    "if", "vec", "date", "parse", "of", "string", "str", "int", "bytes", "list", "set", "tuple", "array",
    "json", "listof", "mapof",
];

/// Whether the tests would be given another value in an edit of a few values. Of dates alone nothing is said: they pass.
pub(super) fn gives_another_input(all: &[TextHunk]) -> bool {
    let lines: usize = all.iter().map(|it| it.gone.len()).sum();
    if lines > SMALL || all.iter().any(|it| it.gone.len() != it.come.len()) {
        return false;
    }
    let pairs = || all.iter().flat_map(|it| it.gone.iter().zip(&it.come));
    let mut given = Vec::new();
    let mut expected = 0;
    for (old, new) in pairs() {
        let Some(differing) = other_values(old, new) else {
            // What is claimed may be written otherwise as well.
            if is_claim(old.text) && is_claim(new.text) {
                expected += 1;
                continue;
            }
            // Fewer of the same parts, with other values in them.
            if let Some(value) = lesser_list(old, new) {
                given.push(value);
                continue;
            }
            return false;
        };
        for (at, value) in differing {
            match is_given(old.text, at) {
                true => given.push(value),
                false => expected += 1,
            }
        }
    }
    !given.is_empty() && (expected > 0 || !given.iter().all(|it| is_date(it)))
}

/// The first value of a line of data that is another, where the line has fewer values than it had and no name more.
fn lesser_list<'a>(old: &CodeLine<'a>, new: &CodeLine) -> Option<&'a str> {
    let values = |line: &CodeLine<'_>| words(line.text).iter().filter(|(_, word)| is_data(word)).count();
    let had = |word: &str| words(old.text).iter().any(|(_, it)| *it == word);
    let is_known = words(new.text).iter().all(|(_, word)| is_data(word) || !is_name(word) || had(word));
    let has_list = old.text.contains(['[', '{', '(']);
    if is_claim(old.text) || !has_list || !is_known || values(new) >= values(old) {
        return None;
    }
    let stays = |word: &str| words(new.text).iter().any(|(_, it)| *it == word);
    words(old.text).into_iter().map(|(_, word)| word).find(|word| is_data(word) && !stays(word))
}

/// Whether one line that claims something is all that differs: what it names is no sample for others.
pub(super) fn is_lone_claim(all: &[TextHunk]) -> bool {
    let mut gone = all.iter().flat_map(|it| &it.gone);
    gone.next().is_some_and(|line| is_claim(line.text)) && gone.next().is_none()
}

/// The values that differ in two lines that are the same otherwise, with their places among the words.
fn other_values<'a>(old: &CodeLine<'a>, new: &CodeLine<'a>) -> Option<Vec<(usize, &'a str)>> {
    let (before, after) = (signed(old.text), signed(new.text));
    let differing: Vec<_> =
        before.iter().zip(&after).enumerate().filter(|(_, ((_, a), (_, b)))| a != b).collect();
    let is_value = |word: &str| is_data(word) || word.starts_with('-');
    let all_values = differing.iter().all(|(_, ((_, a), (_, b)))| is_value(a) && is_value(b));
    (before.len() == after.len() && all_values)
        .then(|| differing.into_iter().map(|(at, ((_, a), _))| (at, *a)).collect())
}

/// The words of a line, in which a number has its sign.
pub(super) fn signed(line: &str) -> Vec<(usize, &str)> {
    let mut all: Vec<(usize, &str)> = Vec::new();
    for (at, word) in words(line) {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_sign = |(_, sign): &&(usize, &str)| *sign == "-";
        let holder = all.len().checked_sub(2).and_then(|at| all.get(at)).map(|(_, word)| *word);
        let is_bare = holder.is_none_or(|word| matches!(word, "(" | "[" | "{" | "," | "=" | ":" | "return"));
        match all.last().filter(is_sign).map(|(at, _)| *at) {
            Some(start) if is_number && is_bare => {
                all.pop();
                all.extend(line.get(start..at + word.len()).map(|whole| (start, whole)));
            }
            _ => all.push((at, word)),
        }
    }
    all
}

/// Whether the word at a place of a line is given to what is tested.
pub(super) fn is_given(line: &str, at: usize) -> bool {
    let all = signed(line);
    let lower = line.to_lowercase();
    if is_claim(line) {
        return is_argument(&all, at);
    }
    let head = lower.split('=').next().unwrap_or_default();
    if head.len() < lower.len() && WANTED.iter().any(|word| head.contains(word)) {
        return false;
    }
    let starts = line.starts_with(['(', '[', '{', '"', '\'', '@']) || line.starts_with("#[");
    let is_row = starts && line.ends_with([',', ';', ')', ']', '}']);
    // The last value of a row is what comes of the others.
    let is_last = all.iter().rposition(|(_, word)| is_data(word)) == Some(at);
    let values = all.iter().filter(|(_, word)| is_data(word)).count();
    !(is_row && is_last && values > 1)
}

fn is_claim(line: &str) -> bool {
    let lower = line.to_lowercase();
    CLAIMS.iter().any(|word| lower.contains(word))
        || line.starts_with("if ") && (line.contains("!=") || line.contains("=="))
}

/// Whether a call of what is tested stands around a word: neither a claim, nor a matcher, nor what makes a value.
fn is_argument(all: &[(usize, &str)], at: usize) -> bool {
    let word = |at: usize| all.get(at).map(|(_, word)| *word).unwrap_or_default();
    let mut depth = 0usize;
    for place in (0..at).rev() {
        match word(place) {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" if place > 0 => {
                let name = word(place - 1);
                let bare = unparted(name);
                let is_chained = place > 2 && word(place - 2) == "." && word(place - 3) == ")";
                let is_name = name.starts_with(|c: char| c.is_lowercase() || c == '_');
                let is_told = CLAIMS.iter().any(|it| bare.contains(it.trim_end_matches('(')))
                    || MATCHERS.contains(&bare.as_str());
                if is_name && !is_chained && !is_told && !MAKING.contains(&bare.as_str()) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// `"2024-01-31"`, `2024`: a date, or a year.
pub(super) fn is_date(word: &str) -> bool {
    let bare = word.trim_matches(['"', '\'', '`']);
    let year: Option<u32> = bare.get(..4).and_then(|it| it.parse().ok());
    year.is_some_and(|it| (1900..2200).contains(&it)) && (bare.len() == 4 || bare.get(4..5) == Some("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_given_another(old: &str, new: &str) -> bool {
        let lines = |text: &'static str| -> Vec<CodeLine<'static>> {
            text.lines().zip(1..).map(|(text, number)| CodeLine { text, at: 0, number }).collect()
        };
        let (old, new): (&'static str, &'static str) = (old.to_owned().leak(), new.to_owned().leak());
        gives_another_input(&[TextHunk { gone: lines(old), come: lines(new), above: None, below: None }])
    }

    #[test]
    fn another_input_is_told_from_another_expectation() {
        for (old, new, expected) in [
            ("EXPECT_FALSE(p.contains({2, 3}));", "EXPECT_FALSE(p.contains({2, 30}));", true),
            ("expect(total(5)).toBe(7);", "expect(total(5)).toBe(8);", false),
            ("expect(total(5)).toBe(7);", "expect(total(0)).toBe(0);", true),
            (
                "assertEquals(Optional.of(5), service.level(\"N\"));",
                "assertEquals(Optional.of(3), service.level(\"N\"));",
                false,
            ),
            ("assert total(a) == Decimal(\"13.69\")", "assert total(a) == Decimal(\"13.68\")", false),
            ("[0, -5, 30_001].each do |grams|", "[0, -5, 99_999].each do |grams|", true),
            ("{\"edge\", \"1h\", 60, true},", "{\"edge\", \"1h\", 59, true},", true),
            ("[\"12.5\", 1250],", "[\"12.5\", 1205],", false),
            ("due = \"2020-01-31\"", "due = \"2030-01-31\"", false),
            ("want := \"abc\"", "want := \"abd\"", false),
            (
                "invoice.discount = Decimal(\"12.345\")\nassert invoice.total() == 5",
                "invoice.discount = Decimal(\"12\")\nassert invoice.total() == 6",
                true,
            ),
            ("assert a.size() == 3", "assert b.size() == 3", false),
        ] {
            assert_eq!(is_given_another(old, new), expected, "{old} -> {new}");
        }
    }
}
