//! ruff: `Found 3 errors.`, `All checks passed!`, or rows in its concise form.

use crate::metrics::Problems;
use crate::metrics::linters::{Checker, counted};

#[derive(Default)]
pub(crate) struct Ruff {
    seen: u64,
    said: Option<u64>,
}

impl Checker for Ruff {
    fn line(&mut self, line: &str) {
        if line == "All checks passed!" {
            self.said = Some(self.said.unwrap_or(0));
        } else if line.starts_with("Found ") && (line.ends_with(" errors.") || line.ends_with(" error.")) {
            self.said = counted(line, "error");
        } else if line.starts_with("Found ") && line.ends_with(" remaining).") {
            self.said = line.rsplit(", ").next().and_then(|rest| rest.split(' ').next()?.parse().ok());
        } else if is_row(line) {
            self.seen += 1;
        }
    }

    fn end(self: Box<Self>) -> Option<Problems> {
        let errors = self.said.unwrap_or(self.seen);
        (self.seen > 0 || self.said.is_some()).then_some(Problems { errors, warnings: 0 })
    }
}

/// `shop.py:1:8: F401 [*] …`.
fn is_row(line: &str) -> bool {
    let Some((place, rest)) = line.split_once(": ") else { return false };
    let mut parts = place.rsplitn(3, ':');
    let is_number = |text: Option<&str>| {
        text.is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let placed = is_number(parts.next())
        && is_number(parts.next())
        && parts.next().is_some_and(|path| path.contains(".py"));
    let code = rest.split(' ').next().unwrap_or_default();
    let letters = code.trim_end_matches(|letter: char| letter.is_ascii_digit());
    placed
        && letters.len() < code.len()
        && (1..=4).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
}
