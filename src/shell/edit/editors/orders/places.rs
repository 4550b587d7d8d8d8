//! The lines that an order is for: numbers, patterns, and so many lines before or after one.

use crate::shell::edit::buffer::session::{LineAddress, LinePlace};
use crate::shell::edit::editors::Editor;
use crate::shell::edit::editors::orders::{OrderReader, until};

pub(crate) fn first() -> LinePlace {
    LinePlace { line: LineAddress::Number(1), offset: 0 }
}

pub(crate) fn last() -> LinePlace {
    LinePlace { line: LineAddress::Last, offset: 0 }
}

pub(crate) fn current() -> LinePlace {
    LinePlace { line: LineAddress::Current, offset: 0 }
}

fn number(rest: &mut &str) -> Option<usize> {
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let (number, more) = rest.split_at_checked(end)?;
    *rest = more;
    number.parse().ok()
}

impl OrderReader {
    /// The lines before an order.
    pub(crate) fn range(&mut self, rest: &mut &str) -> Option<(Option<LinePlace>, Option<LinePlace>, bool)> {
        let whole = (Some(first()), Some(last()), false);
        if let Some(more) = rest.strip_prefix('%') {
            *rest = more;
            return Some(whole);
        }
        let from = self.place(rest)?;
        let sign = rest.chars().next().filter(|sign| matches!(sign, ',' | ';'));
        let Some(sign) = sign else { return Some((from.clone(), from, false)) };
        *rest = rest.get(1..)?.trim_start_matches(' ');
        let to = self.place(rest)?;
        let (from, to) = match (self.editor, from, to) {
            (Editor::Ed, None, None) if sign == ',' => return Some(whole),
            (Editor::Ed, None, None) => (current(), last()),
            (Editor::Ed, None, Some(to)) if sign == ',' => (first(), to),
            (_, from, to) => (from.unwrap_or_else(current), to.unwrap_or_else(current)),
        };
        Some((Some(from), Some(to), sign == ';'))
    }

    /// One line's place; inner `None` where there is none.
    fn place(&mut self, rest: &mut &str) -> Option<Option<LinePlace>> {
        let line = match rest.chars().next() {
            Some('0'..='9') => LineAddress::Number(number(rest)?),
            Some('.') => {
                *rest = rest.get(1..)?;
                LineAddress::Current
            }
            Some('$') => {
                *rest = rest.get(1..)?;
                LineAddress::Last
            }
            Some(sign @ ('/' | '?')) => {
                *rest = rest.get(1..)?;
                let text = until(rest, sign);
                let pattern = self.pattern(&text, false)?;
                if sign == '/' { LineAddress::Next(pattern) } else { LineAddress::Before(pattern) }
            }
            Some('+' | '-') => LineAddress::Current,
            Some('\'' | '\\' | '*') => return None,
            _ => return Some(None),
        };
        let mut offset = 0;
        while let Some(sign @ ('+' | '-')) = rest.chars().next() {
            *rest = rest.get(1..)?;
            let by = match rest.starts_with(|it: char| it.is_ascii_digit()) {
                true => isize::try_from(number(rest)?).ok()?,
                false => 1,
            };
            offset += if sign == '+' { by } else { -by };
        }
        Some(Some(LinePlace { line, offset }))
    }

    pub(crate) fn place_in(&mut self, text: &str) -> Option<LinePlace> {
        let mut rest = text;
        let place = self.place(&mut rest)??;
        rest.trim().is_empty().then_some(place)
    }
}
