//! Floods: signs in numbers that no code has. A grammar's error recovery tries anew at each of them all that is still
//! open, so that a few thousand cost seconds.
//!
//! What is given to a grammar instead has the same length and the same lines: a flood's middle is blanks. Its edges
//! stay, since they may begin or end a comment.

use std::borrow::Cow;
use std::ops::Range;

const OPERATORS: &[u8] = b"-+*/%<>=!&|^~?:.@$#";
/// The same as a table: each byte of each text is looked up.
const IS_OPERATOR: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < OPERATORS.len() {
        table[OPERATORS[at] as usize] = true;
        at += 1;
    }
    table
};
/// The most operators that stand together on a line.
const MOST_OPERATORS: usize = 200;
/// The longest text that repeats itself, in bytes, and the longest that may be repeated.
const LONGEST_REPEAT: usize = 400;
const LONGEST_UNIT: usize = 16;
/// How much of a flood's beginning and of its end stays, in bytes.
const EDGE: usize = 64;
/// Where a text is probed for repetition, and how much of it must agree.
const PROBE_EVERY: usize = 128;
const PROBE: usize = 96;

/// The text to parse: as it is, mostly.
pub(crate) fn without_floods(source: &str) -> Cow<'_, [u8]> {
    let bytes = source.as_bytes();
    let mut floods = operators(bytes);
    floods.extend(repeats(bytes));
    if floods.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut calm = bytes.to_vec();
    for flood in floods {
        let middle = flood.start + EDGE..flood.end.saturating_sub(EDGE);
        for byte in calm.get_mut(middle).unwrap_or_default() {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    Cow::Owned(calm)
}

/// Where too many operators stand on a line, with nothing but blanks between them.
fn operators(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut floods = Vec::new();
    let (mut start, mut count) = (0, 0);
    for (at, byte) in bytes.iter().chain(b"\n").enumerate() {
        match byte {
            b' ' | b'\t' => {}
            operator if IS_OPERATOR[usize::from(*operator)] => count += 1,
            _ => {
                if count > MOST_OPERATORS {
                    floods.push(start..at);
                }
                (start, count) = (at + 1, 0);
            }
        }
    }
    floods
}

/// Where one text stands again and again.
fn repeats(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut floods = Vec::new();
    let mut at = 0;
    while at + PROBE + LONGEST_UNIT <= bytes.len() {
        let flood = (1..=LONGEST_UNIT).find_map(|unit| repeat(bytes, at, unit));
        at = flood.as_ref().map_or(at, |flood| flood.end) + PROBE_EVERY;
        floods.extend(flood.filter(|flood| flood.len() > LONGEST_REPEAT));
    }
    floods
}

/// The stretch around `at` that repeats itself every `unit` bytes, if it is no data.
fn repeat(bytes: &[u8], at: usize, unit: usize) -> Option<Range<usize>> {
    if bytes.get(at..at + PROBE)? != bytes.get(at + unit..at + unit + PROBE)? {
        return None;
    }
    let is_flood = may_flood(bytes.get(at..at + unit)?);
    let same = |at: &usize| bytes.get(*at) == bytes.get(*at + unit);
    let start = (0..at).rev().take_while(same).last().unwrap_or(at);
    let end = (at..bytes.len() - unit).find(|at| !same(at)).unwrap_or(bytes.len() - unit) + unit;
    is_flood.then_some(start..end)
}

/// Whether a text that is repeated is more than data: a list's items, a long word, what a string is filled with.
fn may_flood(unit: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| unit.iter().any(kind);
    let is_quoted = has(|byte| b"\"'`".contains(byte));
    let is_item = has(|byte| *byte == b',') && has(u8::is_ascii_alphanumeric);
    let has_operator = has(|byte| *byte != b'.' && OPERATORS.contains(byte));
    let has_words = has(u8::is_ascii_alphabetic) && has(u8::is_ascii_whitespace);
    !is_quoted && !is_item && (has_operator || has_words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of a text stays.
    fn left(text: &str) -> usize {
        let calm = without_floods(text);
        assert_eq!(calm.len(), text.len());
        let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines(&calm), lines(text.as_bytes()));
        calm.iter().zip(text.as_bytes()).filter(|(calm, byte)| calm == byte).count()
    }

    #[test]
    fn floods_go_but_for_their_edges() {
        let floods = [
            "->", ">-", "- > ", "%w[", "class ", "def ", "=>\n", "not ", "- -\t", "!", "await\n", "if (x) ",
            "}!", ",!",
        ];
        for unit in floods {
            for count in [2_000, 2_001] {
                let text = format!("fn f() {{\n    {}\n    g();\n}}\n", unit.repeat(count));
                assert!(left(&text) < 3_000 + count, "{unit:?} {}", left(&text));
                let calm = without_floods(&text).into_owned();
                assert!(calm.starts_with(b"fn f() {\n") && calm.ends_with(b"\n    g();\n}\n"), "{unit:?}");
            }
        }
    }

    #[test]
    fn what_code_has_many_of_stays() {
        let kept = [
            "0, ".repeat(900),
            "0x00, ".repeat(900),
            "{}, ".repeat(900),
            "-1.5, ".repeat(900),
            format!("\"{}\"", "A".repeat(900)),
            format!("\"{}\"", "\\x00".repeat(900)),
            "\"\" ".repeat(900),
            " ".repeat(900),
            "\n".repeat(900),
            "x = x + 1;\n".repeat(20),
            format!("// {}\nf()\n", "=".repeat(150)).repeat(9),
            "}\n".repeat(900),
            "[".repeat(900),
        ];
        for text in &kept {
            assert_eq!(left(text), text.len(), "{}", text.get(..12).unwrap_or_default());
        }
    }

    #[test]
    fn a_comment_remains_one() {
        for text in [
            format!("/*{}\n f(); {}*/\nmod a;\n", "*".repeat(800), "*".repeat(800)),
            format!("// {}\nmod a;\n", "- ".repeat(800)),
            format!("/*\n{}\n f(); */\nmod a;\n", " *\n".repeat(400)),
        ] {
            let calm = without_floods(&text).into_owned();
            assert!(calm.starts_with(text.as_bytes().get(..3).unwrap_or_default()));
            assert!(calm.ends_with(b"mod a;\n"));
            assert_eq!(calm.windows(2).filter(|it| *it == b"*/").count(), text.matches("*/").count());
        }
    }
}
