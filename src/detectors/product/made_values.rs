//! Values that are made of literals alone: `date(2024, 5, 2)`, `Set(Seat(1, 3))`, `Corrupt { line: 2 }`.
//!
//! As they are written: a test and the code that was made for it write them alike.

use crate::detectors::product::literals::is_literal;
use crate::detectors::testing::word_edit::{is_name, words};

/// So many literals together nobody writes by chance.
const SEVERAL: usize = 2;
/// Functions in lower case that make a value of what they get.
const MAKERS: &[&str] = &["date", "datetime", "timedelta", "time", "decimal"];
/// What fits between the parts of such a value.
const JOINING: &[&str] = &["(", ")", "{", "}", "[", "]", ",", ":", "=", ".", "-", "&", "new", "of", "from"];

/// The values of a line that are made of so many numbers or a text, the inner ones too.
pub(super) fn made_values(line: &str, least: usize) -> Vec<&str> {
    let all = words(line);
    let word = |at: usize| all.get(at).map_or("", |(_, word)| *word);
    let is_head = |at: usize| {
        let name = word(at);
        let is_maker =
            MAKERS.contains(&name) || name.starts_with(char::is_uppercase) && !name.ends_with("Error");
        let is_member = name.starts_with(char::is_lowercase)
            && at > 1
            && word(at - 1) == "."
            && word(at - 2).starts_with(char::is_uppercase);
        is_name(name) && (is_maker || is_member) && matches!(word(at + 1), "(" | "{")
    };
    (0..all.len())
        .filter(|at| is_head(*at))
        .filter_map(|at| {
            let end = closing(&all, at + 1)?;
            let inner: Vec<usize> = (at + 2..end).collect();
            let fits = |at: &usize| {
                let own = word(*at);
                let is_key = is_name(own) && matches!(word(at + 1), ":" | "=" | "(" | "{" | ".");
                is_literal(own)
                    || JOINING.contains(&own)
                    || is_key && (own.starts_with(char::is_uppercase) || word(at + 1) != "(")
            };
            let literals: Vec<&str> = inner.iter().map(|at| word(*at)).filter(|it| is_literal(it)).collect();
            let has_text = literals.iter().any(|it| it.len() > 4 && it.starts_with(['"', '\'']));
            let from = if at > 1 && word(at - 1) == "." { at - 2 } else { at };
            let text = line.get(all.get(from)?.0..all.get(end)?.0 + 1)?;
            (inner.iter().all(fits) && (has_text || literals.len() >= least) && text.len() >= 8)
                .then_some(text)
        })
        .collect()
}

/// Where the bracket closes that stands at a place.
fn closing(all: &[(usize, &str)], from: usize) -> Option<usize> {
    let mut depth = 0i32;
    (from..all.len()).find(|at| {
        let word = all.get(*at).map_or("", |(_, word)| *word);
        depth += i32::from(matches!(word, "(" | "{" | "[")) - i32::from(matches!(word, ")" | "}" | "]"));
        depth == 0
    })
}

/// The values that a line of code compares something with, made of two literals and more.
pub(super) fn compared_values(line: &str) -> Vec<&str> {
    const COMPARING: &[&str] = &["==", ".equals(", "Equals(", ".eql?(", " eq ", ".isEqual(", "case "];
    let compares = COMPARING.iter().any(|it| line.contains(it)) && !line.contains("!=");
    if compares { made_values(line, SEVERAL) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_of_literals_alone() {
        for (line, least, expected) in [
            ("if day == date(2025, 1, 3) and n in known:", 2, vec!["date(2025, 1, 3)"]),
            ("if (left == Set(Seat(4, 7))) return x;", 2, vec!["Set(Seat(4, 7))", "Seat(4, 7)"]),
            ("return Err(Fault::Torn { row: 9 })", 1, vec!["Err(Fault::Torn { row: 9 })", "Torn { row: 9 }"]),
            ("wait = Duration.ofSeconds(48)", 1, vec!["Duration.ofSeconds(48)"]),
            ("if day == date(year, 1, 3):", 2, vec![]),
            ("x = Row(a, 1, 2)", 2, vec![]),
        ] {
            assert_eq!(made_values(line, least), expected, "{line}");
        }
    }
}
