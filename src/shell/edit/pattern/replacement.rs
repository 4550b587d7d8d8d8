//! What stands in the place of a match, and substitutions.

use regex::Captures;

use crate::shell::edit::pattern::TextPattern;

/// One piece of a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) enum ReplacementPiece {
    /// This text.
    Text(String),
    /// What a group matched; 0 is the whole.
    Group(usize),
}

/// What stands in the place of a match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::shell) struct ReplacementTemplate(Vec<ReplacementPiece>);

/// How a replacement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Writing {
    /// `&` and `\1`.
    Sed,
    /// `&` only, as in awk.
    Awk,
    /// `$1`, `${1}`, `$&` and `\1`.
    Perl,
    /// `\1`, `\g<1>` and `\0`: Python and Ruby.
    Backslash,
    /// `$1`, `$&` and `$$`.
    Dollar,
}

impl ReplacementTemplate {
    /// Just this text.
    pub(in crate::shell) fn text(text: &str) -> ReplacementTemplate {
        ReplacementTemplate(vec![ReplacementPiece::Text(text.to_owned())])
    }

    /// Reads a replacement.
    pub(in crate::shell) fn new(text: &str, writing: Writing) -> Option<ReplacementTemplate> {
        let mut template = ReplacementTemplate::default();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, writing) {
                ('\\', Writing::Dollar) => template.push('\\'),
                ('\\', _) => template.escaped(&mut letters, writing)?,
                ('&', Writing::Sed | Writing::Awk) => template.0.push(ReplacementPiece::Group(0)),
                ('$', Writing::Perl | Writing::Dollar) => template.variable(&mut letters, writing)?,
                // An array of Perl that nobody has filled.
                ('@', Writing::Perl) if letters.peek().is_some_and(|next| next.is_alphabetic()) => {
                    while letters.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {}
                }
                ('#', Writing::Backslash) if letters.peek() == Some(&'{') => return None,
                (other, _) => template.push(other),
            }
        }
        Some(template)
    }

    fn push(&mut self, letter: char) {
        match self.0.last_mut() {
            Some(ReplacementPiece::Text(text)) => text.push(letter),
            _ => self.0.push(ReplacementPiece::Text(letter.to_string())),
        }
    }

    fn escaped(
        &mut self,
        letters: &mut std::iter::Peekable<std::str::Chars>,
        writing: Writing,
    ) -> Option<()> {
        match letters.next()? {
            'n' => self.push('\n'),
            't' => self.push('\t'),
            'r' => self.push('\r'),
            'g' if writing == Writing::Backslash && letters.next_if_eq(&'<').is_some() => {
                let number: String = std::iter::from_fn(|| letters.next_if(|it| *it != '>')).collect();
                letters.next()?;
                self.0.push(ReplacementPiece::Group(number.parse().ok()?));
            }
            digit @ '0'..='9' if writing != Writing::Awk => {
                self.0.push(ReplacementPiece::Group(digit.to_digit(10)? as usize));
            }
            letter if letter.is_alphanumeric() => return None,
            other => self.push(other),
        }
        Some(())
    }

    fn variable(
        &mut self,
        letters: &mut std::iter::Peekable<std::str::Chars>,
        writing: Writing,
    ) -> Option<()> {
        match letters.next() {
            Some('&') => self.0.push(ReplacementPiece::Group(0)),
            Some('$') if writing == Writing::Dollar => self.push('$'),
            Some(digit @ '1'..='9') => self.0.push(ReplacementPiece::Group(digit.to_digit(10)? as usize)),
            Some('{') if writing == Writing::Perl => {
                let number: String = std::iter::from_fn(|| letters.next_if(|it| *it != '}')).collect();
                letters.next()?;
                self.0.push(ReplacementPiece::Group(number.parse().ok()?));
            }
            None => self.push('$'),
            Some(other) if !other.is_alphanumeric() && other != '_' => {
                self.push('$');
                self.push(other);
            }
            Some(_) => return None,
        }
        Some(())
    }

    fn expand(&self, captures: &Captures, out: &mut String) {
        for piece in &self.0 {
            match piece {
                ReplacementPiece::Text(text) => out.push_str(text),
                ReplacementPiece::Group(group) => {
                    out.push_str(captures.get(*group).map_or("", |it| it.as_str()))
                }
            }
        }
    }
}

/// A replacement of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) struct Substitution {
    pub(in crate::shell) pattern: TextPattern,
    pub(in crate::shell) with: ReplacementTemplate,
    /// The first match that is replaced, from 1.
    pub(in crate::shell) from: usize,
    /// Whether those after it are replaced too.
    pub(in crate::shell) all: bool,
}

impl Substitution {
    /// The text with what is replaced; `None` when nothing fits.
    pub(in crate::shell) fn apply(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut last = 0;
        let mut replaced = false;
        for (index, captures) in self.pattern.regex.captures_iter(text).enumerate() {
            let whole = captures.get(0)?;
            if index + 1 < self.from {
                continue;
            }
            out.push_str(text.get(last..whole.start())?);
            self.with.expand(&captures, &mut out);
            last = whole.end();
            replaced = true;
            if !self.all {
                break;
            }
        }
        if !replaced {
            return None;
        }
        out.push_str(text.get(last..)?);
        Some(out)
    }
}
