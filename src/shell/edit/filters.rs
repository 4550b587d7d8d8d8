//! Programs that print a part of what they read: `grep`, `head`, `tail`, and the plain programs of `awk`.

pub(crate) mod awk;

use crate::shell::edit::machine::program::{Address, EditAction, EditCommand, EditProgram, RangePoint};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};
use crate::shell::edit::{ComputedEdit, EditStep};

/// The lines that `grep` prints, and the operands that are its files. `None` for what prints something else.
pub(super) fn grep(operands: &[&str], flavour: Flavour, fixed: bool) -> Option<(ComputedEdit, Vec<usize>)> {
    let start = GrepSearch { flavour, fixed, ..GrepSearch::default() };
    let search = start.with(operands)?;
    let program = EditProgram { commands: search.commands()?, quiet: true, ..EditProgram::default() };
    Some((ComputedEdit { steps: vec![EditStep::Run(program)] }, search.files))
}

/// What `grep` looks for, and where.
#[derive(Default)]
struct GrepSearch<'t> {
    flavour: Flavour,
    flags: Flags,
    /// Texts instead of patterns.
    fixed: bool,
    inverted: bool,
    word: bool,
    line: bool,
    texts: Vec<&'t str>,
    /// The places of the operands that are files.
    files: Vec<usize>,
}

impl<'t> GrepSearch<'t> {
    /// The same with what the operands say.
    fn with(mut self, operands: &[&'t str]) -> Option<Self> {
        let mut index = 0;
        while let Some(operand) = operands.get(index) {
            index += 1;
            match operand.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                None => self.files.push(index - 1),
                Some("-invert-match") => self.inverted = true,
                Some("e" | "-regexp") => {
                    self.texts.push(operands.get(index)?);
                    index += 1;
                }
                Some(letters) if letters.starts_with('-') => return None,
                Some(letters) => letters.chars().try_for_each(|letter| self.option(letter))?,
            }
        }
        if self.texts.is_empty() {
            self.texts.push(operands.get(*self.files.first()?)?);
            self.files.remove(0);
        }
        Some(self)
    }

    fn option(&mut self, letter: char) -> Option<()> {
        match letter {
            'v' => self.inverted = true,
            'i' => self.flags.ignore_case = true,
            'E' => self.flavour = Flavour::Extended,
            'P' => self.flavour = Flavour::Perl,
            'F' => self.fixed = true,
            'w' => self.word = true,
            'x' => self.line = true,
            'h' | 'a' => {}
            _ => return None,
        }
        Some(())
    }

    /// Prints the lines that fit, or deletes them where the search is inverted.
    fn commands(&self) -> Option<Vec<EditCommand>> {
        let (found, other) = match self.inverted {
            true => (EditAction::Delete, EditAction::Print),
            false => (EditAction::Print, EditAction::Delete),
        };
        let mut commands = Vec::new();
        for text in &self.texts {
            let address = Address::One(RangePoint::Fits(self.pattern(text)?));
            commands.push(EditCommand { address: address.clone(), negated: false, action: found.clone() });
            if !self.inverted {
                // Found once is printed once.
                commands.push(EditCommand { address, negated: false, action: EditAction::Delete });
            }
        }
        commands.push(EditCommand::always(other));
        Some(commands)
    }

    fn pattern(&self, text: &str) -> Option<TextPattern> {
        let pattern = match self.fixed {
            true => TextPattern::literal(text)?,
            false => TextPattern::new(text, self.flavour, self.flags)?,
        };
        let pattern = if self.word { pattern.within("\\b", "\\b")? } else { pattern };
        if self.line { pattern.within("^", "$") } else { Some(pattern) }
    }
}

/// `head -n 5`, `tail -n +3`, and the operands that are files.
pub(super) fn ends(operands: &[&str], is_head: bool) -> Option<(ComputedEdit, Vec<usize>)> {
    let mut count = "10".to_owned();
    let mut files = Vec::new();
    let mut index = 0;
    while let Some(operand) = operands.get(index) {
        index += 1;
        match operand.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            None => files.push(index - 1),
            Some("n" | "-lines") => {
                count = (*operands.get(index)?).to_owned();
                index += 1;
            }
            Some(other) => {
                let number =
                    other.strip_prefix("-lines=").or_else(|| other.strip_prefix('n')).unwrap_or(other);
                number.trim_start_matches(['+', '-']).parse::<usize>().ok()?;
                count = number.to_owned();
            }
        }
    }
    let number: usize = count.trim_start_matches(['+', '-']).parse().ok()?;
    let step = match (is_head, count.chars().next()?) {
        (true, '-') => EditStep::AllButLast(number),
        (true, _) => EditStep::First(number),
        (false, '+') => EditStep::From(number),
        (false, _) => EditStep::Last(number),
    };
    Some((ComputedEdit { steps: vec![step] }, files))
}
