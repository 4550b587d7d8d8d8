//! Edits of text that a command's words decide: stream editors, filters, and what sets single values.
//!
//! Exact or nothing: whatever is not understood to the letter gives no edit, never a guess.

mod buffer;
mod code;
mod commands;
mod editors;
mod filters;
mod machine;
mod pattern;
mod perl;
mod sed;
mod values;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod code_cases;

pub(super) use code::{Rewriting, rewriting};
pub(super) use commands::settings::values_of;
pub(super) use commands::{filter, in_place};
pub(super) use editors::{is_editor, session, shell_orders};
pub(super) use filters::awk::told_to_shell;

use buffer::EditSession;
use machine::program::{Address, EditAction, EditCommand, EditProgram, RangePoint};
use pattern::TextPattern;
use values::ValueEdit;

/// The longest text that is edited, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;
/// The most steps of one edit.
const MOST_STEPS: usize = 32;

/// An edit that can be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComputedEdit {
    steps: Vec<EditStep>,
}

/// One step of an edit: each is given what the one before it left.
#[derive(Debug, Clone, PartialEq, Eq)]
enum EditStep {
    Run(EditProgram),
    /// So many lines from the beginning.
    First(usize),
    /// All but so many lines at the end.
    AllButLast(usize),
    /// From a line on.
    From(usize),
    /// So many lines at the end.
    Last(usize),
    Set(ValueEdit),
    /// What an editor is told.
    Session(EditSession),
    /// This text before what is there.
    Prepend(String),
    /// This text behind what is there.
    Append(String),
    /// This text in the place of the lines from one index to another.
    Splice {
        from: usize,
        to: usize,
        with: String,
    },
}

impl ComputedEdit {
    /// The text after the edit. `None` when that can't be computed.
    pub fn apply(&self, text: &str) -> Option<String> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let mut now = text.to_owned();
        for step in &self.steps {
            now = step.apply(&now)?;
        }
        Some(now)
    }

    /// Texts that its patterns fit, as short as they can be: what it would change wherever that stands.
    pub fn samples(&self) -> Vec<String> {
        let mut samples: Vec<String> = Vec::new();
        for step in &self.steps {
            match step {
                EditStep::Run(program) => samples.extend(program.commands.iter().filter_map(sample)),
                EditStep::Session(session) => {
                    samples.extend(session.patterns().filter_map(TextPattern::sample))
                }
                _ => {}
            }
        }
        samples.dedup();
        samples.truncate(8);
        samples
    }

    /// The same edit with patterns that take capitals and small letters for the same.
    pub fn ignoring_case(&self) -> ComputedEdit {
        let mut edit = self.clone();
        for step in &mut edit.steps {
            let EditStep::Run(program) = step else { continue };
            for command in &mut program.commands {
                if let EditAction::Replace(it) | EditAction::ReplacePrint(it) = &mut command.action {
                    it.pattern.ignore_case();
                }
                if let Address::One(RangePoint::Fits(pattern)) = &mut command.address {
                    pattern.ignore_case();
                }
            }
        }
        edit
    }

    /// The edit that puts a text behind what is there.
    pub fn append(text: &str) -> ComputedEdit {
        ComputedEdit { steps: vec![EditStep::Append(text.to_owned())] }
    }

    /// This edit, and then another one.
    pub(super) fn then(mut self, other: ComputedEdit) -> Option<ComputedEdit> {
        self.steps.extend(other.steps);
        (self.steps.len() <= MOST_STEPS).then_some(self)
    }
}

fn sample(command: &EditCommand) -> Option<String> {
    match (&command.action, &command.address) {
        (EditAction::Replace(it) | EditAction::ReplacePrint(it), _) => it.pattern.sample(),
        (_, Address::One(RangePoint::Fits(pattern))) => pattern.sample(),
        _ => None,
    }
}

impl EditStep {
    fn apply(&self, text: &str) -> Option<String> {
        let lines = || text.split_inclusive('\n');
        let count = || lines().count();
        Some(match self {
            EditStep::Run(program) => return program.run(text),
            EditStep::Set(values) => return values.apply(text),
            EditStep::Session(session) => return session.run(text),
            EditStep::Prepend(more) => format!("{more}{text}"),
            EditStep::Append(more) => format!("{text}{more}"),
            EditStep::Splice { from, to, with } => {
                let before: String = lines().take(*from).collect();
                lines().skip((*to).max(*from)).fold(before + with, |text, line| text + line)
            }
            EditStep::First(number) => lines().take(*number).collect(),
            EditStep::AllButLast(number) => lines().take(count().saturating_sub(*number)).collect(),
            EditStep::From(number) => lines().skip(number.saturating_sub(1)).collect(),
            EditStep::Last(number) => lines().skip(count().saturating_sub(*number)).collect(),
        })
    }
}
