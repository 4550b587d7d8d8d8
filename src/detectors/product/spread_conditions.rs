//! Conditions that stand in several lines: which lines they have, and the literals that these compare with.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::product::compared_literals::compared;
use crate::detectors::product::literals::CodeLiteral;
use crate::detectors::testing::word_edit::words;

/// A condition has no more lines than these.
const LONGEST: usize = 8;
/// What joins operands at the beginning of a line, and at its end.
const JOINING: &[&str] = &["&&", "||", "and ", "or "];
const JOINED: &[&str] = &["&&", "||", " and", " or", "\\", "==", "===", ","];

/// A condition of several lines.
pub(super) struct SpreadCondition<'a> {
    pub(super) inputs: Vec<CodeLiteral<'a>>,
    /// What its last line gives, where it says so itself.
    pub(super) answer: Option<&'a str>,
    /// How many lines it has.
    pub(super) size: usize,
}

/// The condition that begins with a line, where it goes on in the next ones.
pub(super) fn spread_condition<'a>(lines: &[CodeLine<'a>]) -> Option<SpreadCondition<'a>> {
    let size = size(lines);
    let own = lines.get(..size).filter(|_| size > 1)?;
    if own.iter().any(|line| line.text.contains("!=")) {
        return None;
    }
    let inputs = own.iter().flat_map(|line| compared(line.text)).collect();
    let answer = own.last().and_then(|line| line.text.split_once("return ")).map(|(_, answer)| answer);
    Some(SpreadCondition { inputs, answer, size })
}

/// How many lines the condition has that the first one begins: it goes on while its parentheses are open, and where
/// something joins two operands at the end of one line or the beginning of the next.
fn size(lines: &[CodeLine]) -> usize {
    let mut open = 0i32;
    for (at, line) in lines.iter().enumerate().take(LONGEST) {
        for (_, word) in words(line.text) {
            open += i32::from(word == "(") - i32::from(word == ")");
        }
        let Some(next) = lines.get(at + 1).filter(|next| next.number == line.number + 1) else {
            return at + 1;
        };
        let is_joined = JOINING.iter().any(|sign| next.text.starts_with(sign))
            || JOINED.iter().any(|sign| line.text.ends_with(sign));
        if !is_joined && open <= 0 {
            return at + 1;
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_goes_on_while_it_is_open_or_joined() {
        for (text, expected) in [
            ("if (a == 1\n&& b == 2) {\nreturn 7;", 2),
            ("if a == 1 &&\nb == 2 {\nreturn 7", 2),
            ("if (\na == 1 and\nb == 2\n\nreturn 7", 3),
            ("if (a == 1) {\nreturn 7;", 1),
            ("if a == 1:\n\nreturn 7", 1),
        ] {
            let all = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty());
            let lines: Vec<CodeLine> = all.map(|(number, text)| CodeLine { text, at: 0, number }).collect();
            assert_eq!(size(&lines), expected, "{text}");
        }
    }
}
