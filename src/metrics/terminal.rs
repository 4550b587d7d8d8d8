//! Bytes for a terminal as plain lines: no escape sequences, of a line that was drawn over its last state.
//!
//! Total over any bytes, in bounded memory whatever comes.

use std::io::{BufRead, Read};

/// The longest line that is looked at, in bytes; of a longer one the beginning.
const LONGEST: u64 = 64 << 10;

/// Calls `each` with every line. What could not be read is an error.
pub fn lines(bytes: &mut dyn BufRead, mut each: impl FnMut(&str)) -> Result<(), String> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let count = (&mut *bytes).take(LONGEST).read_until(b'\n', &mut line);
        match count.map_err(|error| format!("the rest could not be read: {error}"))? {
            0 => return Ok(()),
            count => {
                if count as u64 == LONGEST && line.last() != Some(&b'\n') {
                    skip_line(bytes).map_err(|error| format!("the rest could not be read: {error}"))?;
                }
            }
        }
        plain(&line).lines().for_each(&mut each);
    }
}

fn skip_line(bytes: &mut dyn BufRead) -> std::io::Result<()> {
    loop {
        let buffer = bytes.fill_buf()?;
        let (used, ends) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        bytes.consume(used);
        if ends {
            return Ok(());
        }
    }
}

/// Bytes of a command's output as plain text: no escape sequences, no other control characters, and of a line that
/// was drawn over with carriage returns its last state.
pub fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut line_start = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => skip_escape(&mut letters),
            '\n' => {
                out.push('\n');
                line_start = out.len();
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            // At the very end the line is still what a person sees.
            '\r' if letters.peek().is_some() => out.truncate(line_start),
            '\u{8}' if out.len() > line_start => {
                out.pop();
            }
            '\t' => out.push('\t'),
            _ if letter.is_control() => {}
            _ => out.push(letter),
        }
    }
    out
}

/// Skips what follows an escape character: a CSI, an OSC and the like, or one letter.
fn skip_escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match letters.next() {
        Some('[') => {
            for letter in letters.by_ref() {
                if ('\u{40}'..='\u{7e}').contains(&letter) {
                    return;
                }
            }
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(letter) = letters.next() {
                match letter {
                    '\u{7}' => return,
                    '\u{1b}' => {
                        letters.next_if_eq(&'\\');
                        return;
                    }
                    // A string that never ends must not swallow the rest of the output.
                    '\n' => return,
                    _ => {}
                }
            }
        }
        Some('(' | ')' | '*' | '+' | '#' | ' ') => {
            letters.next();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text() {
        let cases: &[(&[u8], &str)] = &[
            (b"\x1b[31mred\x1b[39m", "red"),
            (b"\x1b]8;;http://x\x07link\x1b]8;;\x1b\\!", "link!"),
            (b"10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
            (b"abc\x08d\x00\x07", "abd"),
            (b"\xff\xfe ok", "\u{fffd}\u{fffd} ok"),
            (b"\x1b]never ends\nnext", "next"),
            (b"\x1b", ""),
            ("é\u{1b}(B✔".as_bytes(), "é✔"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(plain(bytes), *expected, "{bytes:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_and_the_next_ones_read() {
        let mut text = vec![b'x'; 200_000];
        text.extend_from_slice(b"\nnext\n\xff\xfe");
        let mut seen = Vec::new();
        lines(&mut std::io::BufReader::with_capacity(1000, text.as_slice()), |line| seen.push(line.len()))
            .unwrap();
        assert_eq!(seen, [64 << 10, 4, 6]);
    }
}
