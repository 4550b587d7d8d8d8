//! What a line editor is told to do with one file: orders, and the lines that each is for.

use crate::shell::edit::pattern::TextPattern;
use crate::shell::edit::pattern::replacement::Substitution;

/// What an editor is told to do with one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EditSession {
    pub(crate) orders: Vec<Order>,
    /// Whether it begins at the last line, like `ed` and `ex`, or at the first.
    pub(crate) from_last: bool,
}

/// One order and its lines; the current one where there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) from: Option<LinePlace>,
    pub(crate) to: Option<LinePlace>,
    /// Whether the last line is looked for from the first one on.
    pub(crate) onward: bool,
    pub(crate) act: OrderAction,
}

/// A line, so many lines before or after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinePlace {
    pub(crate) line: LineAddress,
    pub(crate) offset: isize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineAddress {
    Current,
    Number(usize),
    Last,
    /// The next one that fits, from the current one on and around the end.
    Next(TextPattern),
    /// The one before.
    Before(TextPattern),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OrderAction {
    Delete,
    Replace(Substitution),
    /// These lines before the first line, or after the last one.
    Insert(Vec<String>),
    Append(Vec<String>),
    Change(Vec<String>),
    Move(LinePlace),
    Copy(LinePlace),
    Join,
    /// The order for each line that fits, or for each other one.
    Each(TextPattern, bool, Box<Order>),
    /// Only the current line changes.
    Go,
    Save,
    Leave,
}
