//! Texts, patterns and substitutions of a `sed` program.

use crate::shell::edit::machine::program::EditAction;
use crate::shell::edit::pattern::replacement::{ReplacementTemplate, Substitution, Writing};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};
use crate::shell::edit::sed::SedReader;

impl<'t> SedReader<'t> {
    pub(crate) fn pattern(&mut self, text: &str, flags: Flags) -> Option<TextPattern> {
        let pattern = match text.is_empty() {
            true => self.last.clone()?,
            false => TextPattern::new(text, self.flavour, flags)?,
        };
        self.last = Some(pattern.clone());
        Some(pattern)
    }

    /// Up to the next `sign` that is not escaped, nor in a class of a pattern; an escaped one is itself.
    pub(crate) fn until(&mut self, sign: char, is_pattern: bool) -> Option<String> {
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

    pub(crate) fn substitution(&mut self) -> Option<EditAction> {
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
        let substitution =
            Substitution { pattern, with: ReplacementTemplate::new(&with, Writing::Sed)?, from, all };
        Some(if prints { EditAction::ReplacePrint(substitution) } else { EditAction::Replace(substitution) })
    }

    pub(crate) fn letters(&mut self) -> Option<EditAction> {
        let sign = self.letter()?;
        let (from, to) = (self.until(sign, false)?, self.until(sign, false)?);
        if from.contains('\\') || to.contains('\\') || from.chars().count() != to.chars().count() {
            return None;
        }
        Some(EditAction::Letters(from.chars().zip(to.chars()).collect()))
    }

    /// The text of `i`, `a` and `c`: to the end of the line, or `\` and the lines after it.
    pub(crate) fn text(&mut self) -> Option<String> {
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
