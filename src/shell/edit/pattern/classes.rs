//! What patterns of every kind share: classes in brackets, counts in braces, letters that are only themselves.

pub(crate) fn is_open_count(out: &str) -> bool {
    out.rfind('{').is_some_and(|open| {
        out.get(open + 1..).is_some_and(|count| {
            !out.get(..open).is_some_and(|before| before.ends_with('\\'))
                && !count.is_empty()
                && count.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        })
    })
}

pub(crate) fn escape(letter: char, out: &mut String) {
    let mut buffer = [0u8; 4];
    out.push_str(&regex::escape(letter.encode_utf8(&mut buffer)));
}

/// A class in brackets, its `[` being read. In POSIX a backslash is a letter, unless it is `\n`, `\t` or `\]`.
pub(crate) fn bracket(
    letters: &mut std::iter::Peekable<std::str::Chars>,
    out: &mut String,
    posix: bool,
) -> Option<()> {
    out.push('[');
    if letters.peek() == Some(&'^') {
        letters.next();
        out.push('^');
    }
    let mut first = true;
    loop {
        let letter = letters.next()?;
        match letter {
            ']' if !first => break,
            ']' => out.push_str("\\]"),
            '[' if letters.peek() == Some(&':') => {
                let mut name = String::from("[");
                loop {
                    let next = letters.next()?;
                    name.push(next);
                    if next == ']' {
                        break;
                    }
                    if name.len() > 20 {
                        return None;
                    }
                }
                out.push_str(&name);
            }
            '\\' if posix && !matches!(letters.peek(), Some('n' | 't' | ']' | 's' | 'w')) => {
                out.push_str("\\\\");
            }
            '\\' => {
                let escaped = letters.next()?;
                // A POSIX class ends at this bracket, and what was meant is an escape.
                out.extend(['\\', escaped]);
            }
            '-' => out.push('-'),
            '&' | '~' | '[' => out.extend(['\\', letter]),
            other => out.push(other),
        }
        first = false;
    }
    out.push(']');
    Some(())
}
