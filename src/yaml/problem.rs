//! One thing that is wrong with a file: how bad, where, what, and the name that was probably meant.

use std::fmt;

use serde::Serialize;

use super::tree::Position;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProblemWeight {
    /// Something has no effect, and nothing depended on it.
    Warning,
    /// A value, or the whole file, is not used.
    Error,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub weight: ProblemWeight,
    /// The line, from 1; 0 when the whole file is meant.
    pub line: usize,
    /// The column, in characters from 1; 0 when the whole file is meant.
    pub column: usize,
    /// What is wrong, as a sentence.
    pub message: String,
    /// The known name that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// The beginning of the line; empty when the whole file is meant or could not be read.
    pub excerpt: String,
    /// The part of the line around the column.
    #[serde(skip)]
    around: String,
}

/// The most of the beginning of a line that is shown, characters.
const EXCERPT: usize = 120;
/// The most that is shown around a column, characters.
const WIDTH: usize = 100;

impl Problem {
    /// A problem at a place of `source`.
    pub(crate) fn new(
        weight: ProblemWeight,
        source: &str,
        at: Position,
        message: String,
        near: Option<&str>,
    ) -> Self {
        let line = source.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
        // Control characters would move the cursor of the terminal that shows them.
        let shown = line.chars().map(|c| if c.is_control() { ' ' } else { c });
        let around = shown.clone().skip(skipped(at.column)).take(WIDTH).collect();
        Problem {
            weight,
            line: at.line,
            column: at.column,
            message,
            near: near.map(str::to_owned),
            excerpt: shown.take(EXCERPT).collect(),
            around,
        }
    }

    /// An error that means the whole file.
    pub(crate) fn of_file(message: String) -> Self {
        let (excerpt, around) = (String::new(), String::new());
        Problem { weight: ProblemWeight::Error, line: 0, column: 0, message, near: None, excerpt, around }
    }

    /// The problem in one line, with the name of its file.
    pub fn in_file(&self, file: &str) -> String {
        match self.line {
            0 => format!("{file}: {}", self.message),
            line => format!("{file} line {line}, column {}: {}", self.column, self.message),
        }
    }

    /// The line with a mark under the place, for a terminal; empty when the whole file is meant.
    pub fn snippet(&self) -> String {
        if self.line == 0 {
            return String::new();
        }
        let number = self.line.to_string();
        let mark = self.column.saturating_sub(skipped(self.column) + 1);
        format!("{number} | {}\n{:width$} | {:mark$}^", self.around.trim_end(), "", "", width = number.len())
    }
}

/// How many characters before a column are not shown around it.
fn skipped(column: usize) -> usize {
    column.saturating_sub(WIDTH / 2 + 1)
}

impl fmt::Display for Problem {
    /// `line:column: message`, and below it the beginning of the line with a mark under the column.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let warning = if self.weight == ProblemWeight::Warning { "warning: " } else { "" };
        write!(formatter, "{}:{}: {warning}{}", self.line, self.column, self.message)?;
        if let Some(near) = &self.near {
            write!(formatter, "; perhaps {near} is meant")?;
        }
        if self.excerpt.trim().is_empty() {
            return Ok(());
        }
        let indent = self.column.saturating_sub(1);
        write!(formatter, "\n    {}", self.excerpt)?;
        if indent < EXCERPT { write!(formatter, "\n    {:indent$}^", "") } else { Ok(()) }
    }
}

/// The first of the worst of `problems`, in the words of [`Problem::in_file`], and how many others there are, which
/// `command` lists.
pub(crate) fn worst<'a>(
    file: &str,
    problems: impl Iterator<Item = &'a Problem>,
    command: &str,
) -> Option<String> {
    let problems: Vec<&Problem> = problems.collect();
    let worst = problems.iter().rev().max_by_key(|problem| problem.weight)?;
    let more = match problems.len() - 1 {
        0 => String::new(),
        n => format!(" ({n} more: `{command}`)"),
    };
    Some(format!("Steadfast: {}.{more}", worst.in_file(file)))
}

/// Where the byte `at` of a text is that is not all UTF-8.
pub(crate) fn position_of(bytes: &[u8], at: usize) -> Position {
    let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default());
    let last = before.rsplit('\n').next().unwrap_or_default();
    Position { line: before.matches('\n').count() + 1, column: last.chars().count() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_its_line() {
        let at = |line, column| Position { line, column };
        let source = "a: 1\n  b: é\tx\n";
        let rows = [
            (
                Problem::new(ProblemWeight::Error, source, at(2, 6), "bad".into(), None),
                "2:6: bad\n      b: é x\n         ^",
            ),
            (
                Problem::new(ProblemWeight::Warning, source, at(1, 1), "odd".into(), Some("b")),
                "1:1: warning: odd; perhaps b is meant\n    a: 1\n    ^",
            ),
            (Problem::new(ProblemWeight::Error, source, at(9, 1), "gone".into(), None), "9:1: gone"),
        ];
        for (problem, expected) in rows {
            assert_eq!(problem.to_string(), expected);
        }
        let long = Problem::new(ProblemWeight::Error, &"é".repeat(5_000), at(1, 4_000), "far".into(), None);
        assert_eq!(long.to_string().lines().count(), 2);
        assert_eq!(long.excerpt.chars().count(), EXCERPT);
    }
}
