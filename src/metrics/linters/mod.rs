//! What type checkers and linters print, one file for each format.

use crate::metrics::Problems;

mod clippy;
pub(super) mod eslint;
mod go_vet;
mod mypy;
pub(super) mod ruff;
mod tsc;

/// What a checker looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckerKind {
    /// Types.
    Types,
    /// Style and habits.
    Lint,
}

/// One format, line by line.
pub(super) trait Checker {
    /// Takes a line of plain text.
    fn line(&mut self, line: &str);
    /// What was found; `None` when the output is not of this format.
    fn end(self: Box<Self>) -> Option<Problems>;
}

/// A reader of each format.
pub(super) fn all() -> Vec<(&'static str, CheckerKind, Box<dyn Checker>)> {
    vec![
        ("tsc", CheckerKind::Types, Box::new(tsc::Tsc::default())),
        ("mypy", CheckerKind::Types, Box::new(mypy::Mypy::default())),
        ("eslint", CheckerKind::Lint, Box::new(eslint::Eslint::default())),
        ("clippy", CheckerKind::Lint, Box::new(clippy::Clippy::default())),
        ("ruff", CheckerKind::Lint, Box::new(ruff::Ruff::default())),
        ("go vet", CheckerKind::Lint, Box::new(go_vet::GoVet::default())),
    ]
}

/// The number before a word that may be plural: 3 of `3 errors`.
fn counted(text: &str, noun: &str) -> Option<u64> {
    let mut before = "";
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.strip_suffix('s').unwrap_or(word) == noun {
            return before.parse().ok();
        }
        before = word;
    }
    None
}
