//! eslint: the rows `1:5  error  message  rule` and `✖ 4 problems (3 errors, 1 warning)`.

use crate::metrics::Problems;
use crate::metrics::linters::{Checker, counted};

#[derive(Default)]
pub(crate) struct Eslint {
    seen: Problems,
    said: Option<Problems>,
}

impl Checker for Eslint {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if let Some(counts) = text.strip_prefix(['✖', '×']).filter(|rest| rest.contains(" problem")) {
            let inside = counts.split_once('(').map_or(counts, |(_, inside)| inside);
            let number = |noun| counted(inside, noun).unwrap_or(0);
            let said = self.said.get_or_insert_default();
            said.errors += number("error");
            said.warnings += number("warning");
            return;
        }
        let mut words = text.split_whitespace();
        let is_place = words.next().and_then(|place| place.split_once(':')).is_some_and(|(row, column)| {
            let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number(row) && is_number(column)
        });
        if line.starts_with(' ') && is_place {
            match words.next() {
                Some("error") => self.seen.errors += 1,
                Some("warning") => self.seen.warnings += 1,
                _ => {}
            }
        }
    }

    fn end(self: Box<Self>) -> Option<Problems> {
        self.said.or_else(|| (self.seen != Problems::default()).then_some(self.seen))
    }
}
