//! One-time codes for a person's eyes.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;

/// Letters of a code: none that is taken for another.
const LETTERS: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";

const CODE_LENGTH: usize = 8;

/// A new code for a person's eyes.
pub(crate) fn new_code() -> String {
    random_word(CODE_LENGTH)
}

/// The words of a text that may be codes.
pub(crate) fn among(text: &str) -> impl Iterator<Item = &str> {
    /// So many are tried: each costs rounds of hashing.
    const TRIED: usize = 4;
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() == CODE_LENGTH);
    // In small letters most words of that length are none.
    let typed = |word: &&str| word.bytes().all(|byte| LETTERS.contains(&byte.to_ascii_uppercase()));
    let like_a_code = |word: &&str| {
        word.bytes().any(|byte| byte.is_ascii_digit()) || word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    words.filter(typed).filter(like_a_code).take(TRIED)
}

/// Random letters: from the system's source, or from the process's own hasher where that can't be read.
pub(crate) fn random_word(length: usize) -> String {
    let mut bytes = vec![0_u8; length];
    let read = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    if read.is_err() {
        for byte in &mut bytes {
            *byte = RandomState::new().hash_one(std::time::Instant::now()) as u8;
        }
    }
    let letter =
        |byte: &u8| LETTERS.get(usize::from(*byte) % LETTERS.len()).map_or('A', |letter| char::from(*letter));
    bytes.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_be_codes_are_found_in_a_prompt() {
        for (text, expected) in [
            ("K7QX2M9P", vec!["K7QX2M9P"]),
            ("please, allow k7qx2m9p!", vec!["k7qx2m9p"]),
            ("rewrite the function", vec![]),
            ("ABCDEFGH and K7QX2M9PX", vec!["ABCDEFGH"]),
            ("", vec![]),
        ] {
            assert_eq!(among(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn codes_are_readable_and_not_twice_the_same() {
        let codes: std::collections::BTreeSet<String> = (0..200).map(|_| new_code()).collect();
        assert_eq!(codes.len(), 200);
        assert!(codes.iter().all(|code| code.len() == 8 && code.bytes().all(|b| LETTERS.contains(&b))));
    }
}
