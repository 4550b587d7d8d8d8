//! What is wrong with a configuration file, at its place, in words for the person who wrote it.

use std::fmt;

use super::FILE;
use super::yaml::{Broken, Place};

/// The longest part of a line that is shown, in characters.
const WIDTH: usize = 100;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Something was not understood, and nothing depended on it.
    Warning,
    /// A value was not taken, so a default holds instead.
    Error,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub weight: Weight,
    /// What is wrong, as a sentence.
    pub message: String,
    /// Its line, from 1; 0 when the whole file is meant.
    pub line: usize,
    /// Its column, from 1, in characters; 0 when the whole file is meant.
    pub column: usize,
    /// The line as written; empty when the whole file is meant.
    pub excerpt: String,
}

impl Problem {
    pub(super) fn at(weight: Weight, place: Place, text: &str, message: String) -> Self {
        let line = text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default();
        Problem { weight, message, line: place.line, column: place.column, excerpt: line.to_owned() }
    }

    pub(super) fn of_file(message: String) -> Self {
        let message = format!("{message}; the built-in defaults hold");
        Problem { weight: Weight::Error, message, line: 0, column: 0, excerpt: String::new() }
    }

    pub(super) fn broken(text: &str, broken: Broken) -> Self {
        let message =
            format!("the file can't be read as YAML: {}; the built-in defaults hold", broken.reason);
        match broken.at {
            Some(place) => Problem::at(Weight::Error, place, text, message),
            None => Problem { weight: Weight::Error, message, line: 0, column: 0, excerpt: String::new() },
        }
    }

    pub(super) fn not_utf8(bytes: &[u8], at: usize) -> Self {
        let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default());
        let line = before.split('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let text = String::from_utf8_lossy(bytes);
        let message = "the file is not UTF-8; the built-in defaults hold".to_owned();
        Problem::at(Weight::Error, Place { line, column }, &text, message)
    }

    /// The line with a mark under the place, for a terminal; empty when the whole file is meant.
    pub fn snippet(&self) -> String {
        if self.line == 0 {
            return String::new();
        }
        let skipped = self.column.saturating_sub(WIDTH / 2 + 1);
        let shown: String = self.excerpt.chars().skip(skipped).take(WIDTH).map(visible).collect();
        let number = self.line.to_string();
        let mark = self.column.saturating_sub(skipped + 1);
        format!("{number} | {}\n{:width$} | {:mark$}^", shown.trim_end(), "", "", width = number.len())
    }
}

/// Control characters would move the cursor of the terminal that shows them.
fn visible(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{FILE}: {}", self.message),
            line => write!(f, "{FILE} line {line}, column {}: {}", self.column, self.message),
        }
    }
}

/// One message about all of `problems`: the worst in full, the others by number.
pub fn notice(problems: &[Problem]) -> Option<String> {
    let worst = problems.iter().rev().max_by_key(|problem| problem.weight)?;
    let more = match problems.len() - 1 {
        0 => String::new(),
        n => format!(" ({n} more: `steadfast config check`)"),
    };
    Some(format!("Steadfast: {worst}.{more}"))
}
