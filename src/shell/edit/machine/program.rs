//! A program of a stream editor: commands, and the lines that each is for.

use crate::shell::edit::pattern::TextPattern;
use crate::shell::edit::pattern::replacement::Substitution;

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EditProgram {
    pub(crate) commands: Vec<EditCommand>,
    /// Whether a line is printed only when a command says so.
    pub(crate) quiet: bool,
    /// Whether the whole text is one line.
    pub(crate) whole: bool,
    /// Whether a line is seen with its end, as Perl sees it.
    pub(crate) ended: bool,
    /// What is printed before and after everything.
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A command and the lines that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EditCommand {
    pub(crate) address: Address,
    /// Whether it is for all other lines.
    pub(crate) negated: bool,
    pub(crate) action: EditAction,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    All,
    One(RangePoint),
    /// From each line that fits to the next that does, both included.
    Range(RangePoint, RangePoint),
    /// Every so many lines, from one on.
    Every(usize, usize),
    /// Lines whose number is at least the first and at most the second.
    Between(usize, usize),
}

/// Where a range begins or ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RangePoint {
    Line(usize),
    Last,
    Fits(TextPattern),
    /// So many lines after the beginning.
    After(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EditAction {
    /// Delete the line and go on with the next.
    Delete,
    /// Delete up to the first end of a line, and begin again without reading.
    DeleteFirst,
    Replace(Substitution),
    /// Replace, and print when it did.
    ReplacePrint(Substitution),
    /// Replace letters by others.
    Letters(Vec<(char, char)>),
    Insert(String),
    Append(String),
    Change(String),
    /// The line becomes this text.
    Set(String),
    Print,
    PrintFirst,
    PrintText(String),
    Next,
    NextAppended,
    Quit,
    QuitSilently,
    HoldCopy,
    HoldAppend,
    TakeCopy,
    TakeAppend,
    Exchange,
    /// Go on behind the command with this index unless the line is meant.
    Block(usize),
    /// Go on at this index; at the end when there is none.
    Branch(Option<usize>),
    /// The same, where something was replaced since the line was read.
    BranchReplaced(Option<usize>),
}

impl EditCommand {
    pub(crate) fn always(action: EditAction) -> EditCommand {
        EditCommand { address: Address::All, negated: false, action }
    }
}
