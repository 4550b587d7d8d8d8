//! What is wrong with a definition file: where, what, and what was probably meant.

use std::fmt;

use serde::Serialize;

use super::tree::Place;

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The file is not used.
    Error,
    /// Something in it has no effect.
    Warning,
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// How much it matters.
    pub weight: Weight,
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The known name that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// The line itself, cut; empty when the file could not be read.
    pub excerpt: String,
}

/// The most of a line that is shown, characters.
const EXCERPT: usize = 120;

impl Problem {
    /// A problem at a place of `source`.
    pub fn new(weight: Weight, source: &str, at: Place, message: String, near: Option<&str>) -> Self {
        let line = source.lines().nth(at.line.saturating_sub(1) as usize).unwrap_or_default();
        let excerpt = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(EXCERPT).collect();
        let near = near.map(str::to_owned);
        Problem { weight, line: at.line, column: at.column, message, near, excerpt }
    }
}

impl fmt::Display for Problem {
    /// `line:column: message`, and below it the line with a mark under the column.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let warning = if self.weight == Weight::Warning { "warning: " } else { "" };
        write!(formatter, "{}:{}: {warning}{}", self.line, self.column, self.message)?;
        if let Some(near) = &self.near {
            write!(formatter, "; perhaps {near} is meant")?;
        }
        if self.excerpt.trim().is_empty() {
            return Ok(());
        }
        let indent = self.column.saturating_sub(1) as usize;
        write!(formatter, "\n    {}", self.excerpt)?;
        if indent < EXCERPT { write!(formatter, "\n    {:indent$}^", "") } else { Ok(()) }
    }
}

/// What a person must hear of `problems`: that the file is not used, and why. Warnings wait for `steadfast hooks check`.
pub fn notice(file: &str, problems: &[Problem]) -> Option<String> {
    let errors = problems.iter().filter(|problem| problem.weight == Weight::Error);
    let first = errors.clone().next()?;
    let more = match errors.count() - 1 {
        0 => String::new(),
        n => format!(" ({n} more: `steadfast hooks check`)"),
    };
    let Problem { line, column, message, .. } = first;
    Some(format!(
        "Steadfast: {file} line {line}, column {column}: {message}.{more} The file is not used; the built-in definitions hold."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_its_line() {
        let at = |line, column| Place { line, column };
        let source = "a: 1\n  b: é\tx\n";
        let rows = [
            (
                Problem::new(Weight::Error, source, at(2, 6), "bad".into(), None),
                "2:6: bad\n      b: é x\n         ^",
            ),
            (
                Problem::new(Weight::Warning, source, at(1, 1), "odd".into(), Some("b")),
                "1:1: warning: odd; perhaps b is meant\n    a: 1\n    ^",
            ),
            (Problem::new(Weight::Error, source, at(9, 1), "gone".into(), None), "9:1: gone"),
        ];
        for (problem, expected) in rows {
            assert_eq!(problem.to_string(), expected);
        }
        let long = Problem::new(Weight::Error, &"é".repeat(5_000), at(1, 4_000), "far".into(), None);
        assert_eq!(long.to_string().lines().count(), 2);
        assert_eq!(long.excerpt.chars().count(), EXCERPT);
    }
}
