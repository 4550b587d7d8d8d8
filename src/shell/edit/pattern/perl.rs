//! Patterns of Perl and Ruby, put into the form that is looked for.

use crate::shell::edit::pattern::classes::{bracket, escape, is_open_count};
use crate::shell::edit::pattern::{Flags, Flavour};

/// A pattern of Perl or Ruby.
pub(crate) fn perl(text: &str, flavour: Flavour, flags: Flags) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                'Q' => quoted = true,
                'E' => quoted = false,
                _ if quoted => return None,
                'Z' => out.push_str("\\z"),
                'h' => out.push_str("[ \\t]"),
                'R' => out.push_str("(?:\\r?\\n)"),
                escaped @ ('1'..='9' | 'K' | 'G' | 'X' | 'k' | 'g' | 'l' | 'u' | 'L' | 'U') => {
                    let _ = escaped;
                    return None;
                }
                escaped if escaped.is_ascii_alphanumeric() => out.extend(['\\', escaped]),
                escaped => escape(escaped, &mut out),
            },
            _ if quoted => escape(letter, &mut out),
            '[' => bracket(&mut letters, &mut out, false)?,
            '$' if flavour == Flavour::Perl => match letters.peek() {
                None | Some(')' | '|') => out.push_str(match (flags.lines, flags.ended_line) {
                    (true, _) => "$",
                    (false, true) => "(?m:$)",
                    (false, false) => "\\z",
                }),
                _ => return None,
            },
            '@' if flavour == Flavour::Perl && letters.peek().is_some_and(|next| next.is_alphabetic()) => {
                return None;
            }
            '#' if flavour == Flavour::Ruby && letters.peek() == Some(&'{') => return None,
            '{' if !letters.peek().is_some_and(char::is_ascii_digit) => out.push_str("\\{"),
            '}' if !is_open_count(&out) => out.push_str("\\}"),
            other => out.push(other),
        }
    }
    Some(out)
}
