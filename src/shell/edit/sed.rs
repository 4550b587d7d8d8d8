//! The programs of `sed`: addresses and commands, read to the letter.
//!
//! What reads or writes other files, or runs something, is no program here.

pub(crate) mod addresses;
pub(crate) mod texts;

use std::collections::HashMap;

use crate::shell::edit::machine::program::{EditAction, EditCommand, EditProgram};
use crate::shell::edit::pattern::{Flavour, TextPattern};

/// The most commands of a program.
const MOST_COMMANDS: usize = 200;

/// Reads the texts of a program, one for each `-e`.
pub(super) fn read(texts: &[&str], flavour: Flavour, quiet: bool) -> Option<EditProgram> {
    let text = texts.join("\n");
    let mut reader = SedReader {
        rest: &text,
        flavour,
        commands: Vec::new(),
        blocks: Vec::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        last: None,
    };
    reader.all()?;
    let program = EditProgram { commands: reader.commands, quiet, ..EditProgram::default() };
    (!program.commands.is_empty()).then_some(program)
}

struct SedReader<'t> {
    rest: &'t str,
    flavour: Flavour,
    commands: Vec<EditCommand>,
    /// Open blocks, by the index of their command.
    blocks: Vec<usize>,
    labels: HashMap<String, usize>,
    /// Commands that go to a label.
    jumps: Vec<(usize, String)>,
    /// The last pattern, which an empty one stands for.
    last: Option<TextPattern>,
}

impl<'t> SedReader<'t> {
    fn all(&mut self) -> Option<()> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', ';', '\n', '\t']);
            if self.rest.is_empty() {
                break;
            }
            if self.rest.starts_with('#') {
                self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            if self.commands.len() >= MOST_COMMANDS {
                return None;
            }
            self.command()?;
        }
        for (index, label) in std::mem::take(&mut self.jumps) {
            let to = self.labels.get(&label).copied();
            if to.is_none() && !label.is_empty() {
                return None;
            }
            if let Some(EditCommand {
                action: EditAction::Branch(at) | EditAction::BranchReplaced(at), ..
            }) = self.commands.get_mut(index)
            {
                *at = to;
            }
        }
        self.blocks.is_empty().then_some(())
    }

    fn letter(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..)?;
        Some(letter)
    }

    fn command(&mut self) -> Option<()> {
        let address = self.address()?;
        self.rest = self.rest.trim_start_matches(' ');
        let negated = self.rest.starts_with('!');
        self.rest = self.rest.trim_start_matches(['!', ' ']);
        let letter = self.letter()?;
        let action = match letter {
            '{' => {
                self.blocks.push(self.commands.len());
                EditAction::Block(0)
            }
            '}' => {
                let open = self.blocks.pop()?;
                let end = self.commands.len();
                if let Some(EditCommand { action: EditAction::Block(at), .. }) = self.commands.get_mut(open) {
                    *at = end;
                }
                return self.ends();
            }
            's' => self.substitution()?,
            'y' => self.letters()?,
            'i' => EditAction::Insert(self.text()?),
            'a' => EditAction::Append(self.text()?),
            'c' => EditAction::Change(self.text()?),
            ':' => {
                let label = self.label();
                self.labels.insert(label, self.commands.len());
                return Some(());
            }
            'b' | 't' => {
                let label = self.label();
                self.jumps.push((self.commands.len(), label));
                if letter == 'b' { EditAction::Branch(None) } else { EditAction::BranchReplaced(None) }
            }
            other => plain(other)?,
        };
        if matches!(letter, 'q' | 'Q') {
            self.rest = self.rest.trim_start_matches(|it: char| it == ' ' || it.is_ascii_digit());
        }
        let takes_line = matches!(letter, '{' | 'i' | 'a' | 'c' | 'b' | 't');
        self.commands.push(EditCommand { address, negated, action });
        if takes_line { Some(()) } else { self.ends() }
    }

    /// A command ends here.
    fn ends(&mut self) -> Option<()> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        (self.rest.is_empty() || self.rest.starts_with([';', '\n', '}', '#'])).then_some(())
    }

    fn label(&mut self) -> String {
        let end = self.rest.find([';', '\n', '}']).unwrap_or(self.rest.len());
        let (label, rest) = self.rest.split_at(end);
        self.rest = rest;
        label.trim().to_owned()
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        number.parse().ok()
    }
}

/// A command of one letter.
fn plain(letter: char) -> Option<EditAction> {
    Some(match letter {
        'd' => EditAction::Delete,
        'D' => EditAction::DeleteFirst,
        'p' => EditAction::Print,
        'P' => EditAction::PrintFirst,
        'n' => EditAction::Next,
        'N' => EditAction::NextAppended,
        'q' => EditAction::Quit,
        'Q' => EditAction::QuitSilently,
        'h' => EditAction::HoldCopy,
        'H' => EditAction::HoldAppend,
        'g' => EditAction::TakeCopy,
        'G' => EditAction::TakeAppend,
        'x' => EditAction::Exchange,
        _ => return None,
    })
}
