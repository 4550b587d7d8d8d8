//! The pieces of a one-line program: words, texts between signs, numbers and flags.

use crate::shell::edit::pattern::Flags;
use crate::shell::edit::perl::PerlReader;

pub(crate) fn closing(sign: char) -> char {
    match sign {
        '{' => '}',
        '(' => ')',
        '[' => ']',
        '<' => '>',
        other => other,
    }
}

/// Up to the closing sign that is not escaped and that no opening one took; an escaped plain sign is itself.
pub(crate) fn until(text: &str, open: char, close: char) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut depth = 0usize;
    let mut letters = text.chars();
    loop {
        match letters.next()? {
            '\\' => match letters.next()? {
                escaped
                    if escaped == close && open == close && !matches!(close, '|' | '.' | '*' | '+' | '?') =>
                {
                    inside.push(escaped);
                }
                escaped => inside.extend(['\\', escaped]),
            },
            here if here == close && depth == 0 => return Some((inside, letters.as_str())),
            here => {
                if open != close {
                    depth = depth + usize::from(here == open) - usize::from(here == close);
                }
                inside.push(here);
            }
        }
    }
}

impl<'t> PerlReader<'t> {
    pub(crate) fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n']);
    }

    pub(crate) fn takes(&mut self, word: &str) -> bool {
        self.skip();
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        let is_word = word.ends_with(|it: char| it.is_alphanumeric());
        if is_word && rest.starts_with(|it: char| it.is_alphanumeric() || it == '_') {
            return false;
        }
        self.rest = rest;
        true
    }

    pub(crate) fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some(letter) =
            self.rest.chars().next().filter(|it| matches!(it, 'i' | 'm' | 's' | 'x' | 'o'))
        {
            match letter {
                'i' => flags.ignore_case = true,
                // Ruby's `m` is Perl's `s`.
                'm' if self.mode.ruby => flags.dot_all = true,
                'm' => flags.lines = true,
                's' => flags.dot_all = true,
                'x' => flags.spaced = true,
                _ => {}
            }
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        flags
    }

    /// A text between signs: the one that comes, and its counterpart.
    pub(crate) fn quoted(&mut self) -> Option<(String, char)> {
        let sign = self.rest.chars().next()?;
        let (text, rest) = until(self.rest.get(sign.len_utf8()..)?, sign, closing(sign))?;
        self.rest = rest;
        Some((text, sign))
    }

    /// A literal between quotes, as written.
    pub(crate) fn raw_string(&mut self) -> Option<String> {
        self.skip();
        let sign = self.rest.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (text, rest) = until(self.rest.get(1..)?, sign, sign)?;
        self.rest = rest;
        Some(text)
    }

    /// A literal between quotes, with its escapes taken off. One with a variable is none.
    pub(crate) fn string(&mut self) -> Option<String> {
        let double = {
            self.skip();
            self.rest.starts_with('"')
        };
        let text = self.raw_string()?;
        if !double {
            return Some(text);
        }
        if text.contains(['$', '@']) || text.contains("#{") {
            return None;
        }
        Some(text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\""))
    }

    pub(crate) fn number(&mut self) -> Option<usize> {
        self.skip();
        let digits = self.rest.len() - self.rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        number.parse().ok()
    }
}
