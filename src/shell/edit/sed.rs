//! The programs of `sed`: addresses and commands, read to the letter.
//!
//! What reads or writes other files, or runs something, is no program here.

use std::collections::HashMap;

use crate::shell::edit::machine::{Action, Address, Command, Point, Program};
use crate::shell::edit::pattern::{Flags, Flavour, Pattern, Substitution, Template, Writing};

/// The most commands of a program.
const MOST_COMMANDS: usize = 200;

/// Reads the texts of a program, one for each `-e`.
pub(super) fn read(texts: &[&str], flavour: Flavour, quiet: bool) -> Option<Program> {
    let text = texts.join("\n");
    let mut reader = Reader {
        rest: &text,
        flavour,
        commands: Vec::new(),
        blocks: Vec::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        last: None,
    };
    reader.all()?;
    let program = Program { commands: reader.commands, quiet, ..Program::default() };
    (!program.commands.is_empty()).then_some(program)
}

struct Reader<'t> {
    rest: &'t str,
    flavour: Flavour,
    commands: Vec<Command>,
    /// Open blocks, by the index of their command.
    blocks: Vec<usize>,
    labels: HashMap<String, usize>,
    /// Commands that go to a label.
    jumps: Vec<(usize, String)>,
    /// The last pattern, which an empty one stands for.
    last: Option<Pattern>,
}

impl<'t> Reader<'t> {
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
            if let Some(Command { action: Action::Branch(at) | Action::BranchReplaced(at), .. }) =
                self.commands.get_mut(index)
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
                Action::Block(0)
            }
            '}' => {
                let open = self.blocks.pop()?;
                let end = self.commands.len();
                if let Some(Command { action: Action::Block(at), .. }) = self.commands.get_mut(open) {
                    *at = end;
                }
                return self.ends();
            }
            's' => self.substitution()?,
            'y' => self.letters()?,
            'i' => Action::Insert(self.text()?),
            'a' => Action::Append(self.text()?),
            'c' => Action::Change(self.text()?),
            ':' => {
                let label = self.label();
                self.labels.insert(label, self.commands.len());
                return Some(());
            }
            'b' | 't' => {
                let label = self.label();
                self.jumps.push((self.commands.len(), label));
                if letter == 'b' { Action::Branch(None) } else { Action::BranchReplaced(None) }
            }
            other => plain(other)?,
        };
        if matches!(letter, 'q' | 'Q') {
            self.rest = self.rest.trim_start_matches(|it: char| it == ' ' || it.is_ascii_digit());
        }
        let takes_line = matches!(letter, '{' | 'i' | 'a' | 'c' | 'b' | 't');
        self.commands.push(Command { address, negated, action });
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

    fn address(&mut self) -> Option<Address> {
        let Some(from) = self.point()? else { return Some(Address::All) };
        if let (Point::Line(first), Some(rest)) = (&from, self.rest.strip_prefix('~')) {
            let first = *first;
            self.rest = rest;
            return Some(Address::Step(first, self.number()?));
        }
        let trimmed = self.rest.trim_start_matches(' ');
        let Some(rest) = trimmed.strip_prefix(',') else {
            return Some(Address::One(from));
        };
        self.rest = rest.trim_start_matches(' ');
        if let Some(rest) = self.rest.strip_prefix('+') {
            self.rest = rest;
            return Some(Address::Range(from, Point::After(self.number()?)));
        }
        let to = self.point()??;
        Some(Address::Range(from, to))
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        number.parse().ok()
    }

    /// A line's number, the last line, or a pattern; inner `None` where there is no address.
    fn point(&mut self) -> Option<Option<Point>> {
        let first = self.rest.chars().next()?;
        let sign = match first {
            '0'..='9' => return Some(Some(Point::Line(self.number()?))),
            '$' => {
                self.letter();
                return Some(Some(Point::Last));
            }
            '/' => '/',
            '\\' => {
                self.letter();
                self.rest.chars().next()?
            }
            _ => return Some(None),
        };
        self.letter();
        let text = self.until(sign, true)?;
        let ignore_case = self.rest.starts_with('I');
        let lines = self.rest.starts_with('M');
        self.rest = self.rest.trim_start_matches(['I', 'M']);
        let pattern = self.pattern(&text, Flags { ignore_case, lines, dot_all: true, ..Flags::default() })?;
        Some(Some(Point::Fits(pattern)))
    }

    fn pattern(&mut self, text: &str, flags: Flags) -> Option<Pattern> {
        let pattern = match text.is_empty() {
            true => self.last.clone()?,
            false => Pattern::new(text, self.flavour, flags)?,
        };
        self.last = Some(pattern.clone());
        Some(pattern)
    }

    /// Up to the next `sign` that is not escaped, nor in a class of a pattern; an escaped one is itself.
    fn until(&mut self, sign: char, is_pattern: bool) -> Option<String> {
        let mut inside = String::new();
        let mut class = false;
        loop {
            match self.letter()? {
                '\\' => match self.letter()? {
                    escaped if escaped == sign && !self.is_operator(sign) => inside.push(escaped),
                    escaped => inside.extend(['\\', escaped]),
                },
                here if here == sign && !class => return Some(inside),
                '[' if is_pattern && !class => {
                    class = true;
                    inside.push('[');
                    // A bracket that comes first is a letter of the class.
                    for first in ['^', ']'] {
                        if let Some(rest) = self.rest.strip_prefix(first) {
                            inside.push(first);
                            self.rest = rest;
                        }
                    }
                }
                ']' if class && !inside.ends_with(":") => {
                    class = false;
                    inside.push(']');
                }
                here => inside.push(here),
            }
        }
    }

    /// Whether a sign would be an operator of a pattern if it were not escaped.
    fn is_operator(&self, sign: char) -> bool {
        matches!(sign, '.' | '*' | '[' | ']' | '^' | '$')
            || (self.flavour != Flavour::Basic && matches!(sign, '(' | ')' | '{' | '}' | '+' | '?' | '|'))
    }

    fn substitution(&mut self) -> Option<Action> {
        let sign = self.letter().filter(|it| !it.is_alphanumeric() && !matches!(it, '\\' | '\n'))?;
        let kept = self.rest;
        let text = match self.until(sign, true) {
            Some(text) => text,
            // A bracket that opens no class.
            None => {
                self.rest = kept;
                self.until(sign, false)?
            }
        };
        let with = self.until(sign, false)?;
        let mut flags = Flags { dot_all: true, ..Flags::default() };
        let (mut all, mut prints, mut from) = (false, false, 1);
        while let Some(letter) = self.rest.chars().next() {
            match letter {
                'g' => all = true,
                'p' => prints = true,
                'i' | 'I' => flags.ignore_case = true,
                'm' | 'M' => flags.lines = true,
                '1'..='9' => {
                    from = self.number()?;
                    continue;
                }
                'w' | 'e' => return None,
                _ => break,
            }
            self.letter();
        }
        let pattern = self.pattern(&text, flags)?;
        let substitution = Substitution { pattern, with: Template::new(&with, Writing::Sed)?, from, all };
        Some(if prints { Action::ReplacePrint(substitution) } else { Action::Replace(substitution) })
    }

    fn letters(&mut self) -> Option<Action> {
        let sign = self.letter()?;
        let (from, to) = (self.until(sign, false)?, self.until(sign, false)?);
        if from.contains('\\') || to.contains('\\') || from.chars().count() != to.chars().count() {
            return None;
        }
        Some(Action::Letters(from.chars().zip(to.chars()).collect()))
    }

    /// The text of `i`, `a` and `c`: to the end of the line, or `\` and the lines after it.
    fn text(&mut self) -> Option<String> {
        let rest = self.rest.trim_start_matches([' ', '\t']);
        let rest = rest.strip_prefix('\\').map_or(rest, |rest| {
            let rest = rest.trim_start_matches([' ', '\t']);
            rest.strip_prefix('\n').unwrap_or(rest)
        });
        self.rest = rest;
        let mut text = String::new();
        while let Some(letter) = self.letter() {
            match letter {
                '\\' => match self.letter() {
                    Some('t') => text.push('\t'),
                    Some('n') => text.push('\n'),
                    Some(escaped) => text.push(escaped),
                    None => break,
                },
                '\n' => break,
                letter => text.push(letter),
            }
        }
        Some(text)
    }
}

/// A command of one letter.
fn plain(letter: char) -> Option<Action> {
    Some(match letter {
        'd' => Action::Delete,
        'D' => Action::DeleteFirst,
        'p' => Action::Print,
        'P' => Action::PrintFirst,
        'n' => Action::Next,
        'N' => Action::NextAppended,
        'q' => Action::Quit,
        'Q' => Action::QuitSilently,
        'h' => Action::HoldCopy,
        'H' => Action::HoldAppend,
        'g' => Action::TakeCopy,
        'G' => Action::TakeAppend,
        'x' => Action::Exchange,
        _ => return None,
    })
}
