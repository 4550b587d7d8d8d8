//! Patterns of `sed`, `grep` and `awk`, put into the form that is looked for.

use crate::shell::edit::pattern::classes::{bracket, escape, is_open_count};

/// A pattern of POSIX.
pub(crate) fn posix(text: &str, basic: bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    // Whether an operator may not stand here, so that it is a letter.
    let mut at_start = true;
    while let Some(letter) = letters.next() {
        let was_start = std::mem::take(&mut at_start);
        match letter {
            '\\' => {
                let escaped = letters.next()?;
                let is_operator = basic && matches!(escaped, '(' | ')' | '{' | '}' | '+' | '?' | '|');
                match escaped {
                    '*' | '+' | '?' if is_operator && was_start => escape(escaped, &mut out),
                    _ if is_operator => {
                        out.push(escaped);
                        at_start = matches!(escaped, '(' | '|');
                    }
                    _ => escaped_in_posix(escaped, &mut out)?,
                }
            }
            '[' => bracket(&mut letters, &mut out, true)?,
            '.' => out.push('.'),
            '*' if was_start => out.push_str("\\*"),
            '*' => out.push('*'),
            '^' if was_start || !basic => {
                out.push('^');
                at_start = true;
            }
            '$' if !basic || ends_here(&letters) => out.push('$'),
            '(' | ')' | '|' if !basic => {
                out.push(letter);
                at_start = matches!(letter, '(' | '|');
            }
            '+' | '?' if !basic && !was_start => out.push(letter),
            '{' if !basic && !was_start && letters.peek().is_some_and(char::is_ascii_digit) => out.push('{'),
            '}' if !basic && is_open_count(&out) => out.push('}'),
            other => escape(other, &mut out),
        }
    }
    Some(out)
}

/// Whether what is left of a basic pattern ends an alternative.
fn ends_here(letters: &std::iter::Peekable<std::str::Chars>) -> bool {
    let rest: String = letters.clone().take(2).collect();
    rest.is_empty() || rest == "\\)" || rest == "\\|"
}

fn escaped_in_posix(escaped: char, out: &mut String) -> Option<()> {
    match escaped {
        'n' | 't' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' | 'r' => out.extend(['\\', escaped]),
        '<' => out.push_str("\\b{start}"),
        '>' => out.push_str("\\b{end}"),
        '`' => out.push_str("\\A"),
        '\'' => out.push_str("\\z"),
        '\n' => out.push_str("\\n"),
        other if other.is_alphanumeric() => return None,
        other => escape(other, out),
    }
    Some(())
}
