//! Programs that print a part of what they read: `grep`, `head`, `tail`, and the plain programs of `awk`.

pub(crate) mod awk;

use crate::shell::edit::machine::program::{Address, Command, EditAction, Point, Program};
use crate::shell::edit::pattern::{Flags, Flavour, Pattern};
use crate::shell::edit::{EditStep, TextEdit};

/// The lines that `grep` prints, and the operands that are its files. `None` for what prints something else.
pub(super) fn grep(operands: &[&str], flavour: Flavour, fixed: bool) -> Option<(TextEdit, Vec<usize>)> {
    let (mut flavour, mut fixed) = (flavour, fixed);
    let (mut inverted, mut word, mut line) = (false, false, false);
    let mut flags = Flags::default();
    let mut texts: Vec<&str> = Vec::new();
    let mut files = Vec::new();
    let mut index = 0;
    while let Some(operand) = operands.get(index) {
        index += 1;
        match operand.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            None => files.push(index - 1),
            Some("-invert-match") => inverted = true,
            Some("e" | "-regexp") => {
                texts.push(operands.get(index)?);
                index += 1;
            }
            Some(letters) if letters.starts_with('-') => return None,
            Some(letters) => {
                for letter in letters.chars() {
                    match letter {
                        'v' => inverted = true,
                        'i' => flags.ignore_case = true,
                        'E' => flavour = Flavour::Extended,
                        'P' => flavour = Flavour::Perl,
                        'F' => fixed = true,
                        'w' => word = true,
                        'x' => line = true,
                        'h' | 'a' => {}
                        _ => return None,
                    }
                }
            }
        }
    }
    if texts.is_empty() {
        texts.push(operands.get(*files.first()?)?);
        files.remove(0);
    }
    let mut commands = Vec::new();
    let end = Command::always(if inverted { EditAction::Print } else { EditAction::Delete });
    for text in texts {
        let pattern = match fixed {
            true => Pattern::literal(text)?,
            false => Pattern::new(text, flavour, flags)?,
        };
        let pattern = if word { pattern.within("\\b", "\\b")? } else { pattern };
        let pattern = if line { pattern.within("^", "$")? } else { pattern };
        let found = if inverted { EditAction::Delete } else { EditAction::Print };
        commands.push(Command { address: Address::One(Point::Fits(pattern)), negated: false, action: found });
        if !inverted {
            // Found once is printed once.
            let again = commands.last()?.address.clone();
            commands.push(Command { address: again, negated: false, action: EditAction::Delete });
        }
    }
    commands.push(end);
    Some((
        TextEdit { steps: vec![EditStep::Run(Program { commands, quiet: true, ..Program::default() })] },
        files,
    ))
}

/// `head -n 5`, `tail -n +3`, and the operands that are files.
pub(super) fn ends(operands: &[&str], is_head: bool) -> Option<(TextEdit, Vec<usize>)> {
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
    Some((TextEdit { steps: vec![step] }, files))
}
