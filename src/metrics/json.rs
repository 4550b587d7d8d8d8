//! JSON documents of any size: long texts are cut before the parser, which keeps a text whole until it knows that nobody
//! wants it.

use super::sieve::Sieve;

/// From here on the text of a value is let go of, in bytes; in one that is all escapes, later.
const LONGEST: usize = 2_000;
const LONGEST_ESCAPED: usize = 64 << 10;

/// A document whose texts are cut: the parser keeps a text whole before it asks whether anybody wants it.
#[derive(Default)]
pub(super) struct ShortTexts {
    /// How long the text is that is being read; `None` between texts.
    text: Option<usize>,
    /// How many letters of an escape are still to come.
    escape: u8,
    in_digits: bool,
    /// Whether the last escape is the first half of a letter.
    is_half: bool,
    cutting: bool,
}

impl Sieve for ShortTexts {
    fn take(&mut self, byte: u8, ready: &mut Vec<u8>) {
        let Some(length) = &mut self.text else {
            if byte == b'"' {
                self.text = Some(0);
            }
            return ready.push(byte);
        };
        *length += 1;
        match (self.escape, byte) {
            (0, b'"') => {
                self.text = None;
                self.cutting = false;
            }
            (0, b'\\') => {
                self.escape = 1;
                self.cutting |= *length > LONGEST_ESCAPED && !self.is_half;
            }
            // Not within a letter.
            (0, _) => {
                self.is_half = false;
                self.cutting |= *length > LONGEST && byte & 0xc0 != 0x80;
            }
            (1, b'u') if !self.in_digits => {
                self.escape = 4;
                self.in_digits = true;
            }
            _ => self.in_escape(byte),
        }
        if !self.cutting {
            ready.push(byte);
        }
    }
}

impl ShortTexts {
    /// One more letter of an escape: `\ud83d` is the first half of a letter, and no text is cut behind it.
    fn in_escape(&mut self, byte: u8) {
        self.is_half = match self.escape {
            4 => byte.eq_ignore_ascii_case(&b'd'),
            3 => self.is_half && matches!(byte, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'),
            2 => self.is_half,
            _ => self.is_half && self.in_digits,
        };
        self.escape -= 1;
        self.in_digits &= self.escape > 0;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::metrics::sieve::SiftedBytes;

    fn shortened(text: &str) -> String {
        let mut out = String::new();
        SiftedBytes::of(&mut text.as_bytes(), ShortTexts::default()).read_to_string(&mut out).unwrap();
        out
    }

    #[test]
    fn long_texts_are_cut_and_the_rest_stays() {
        let short = r#"{"a\"b": "c\\", "d": [1, "\u00e9"]}"#;
        assert_eq!(shortened(short), short);
        for piece in ["x", r"\u00e9", r"\ud83d\ude00", "é", r#"\""#, "0"] {
            let text = format!(r#"{{"a": "{}. ", "b": 1}}"#, piece.repeat(20_000));
            let cut = shortened(&text);
            let value: serde_json::Value = serde_json::from_str(&cut).unwrap();
            assert_eq!(value["b"], 1, "{piece}");
            assert!(cut.len() < 140_000, "{piece}: {}", cut.len());
        }
    }
}
