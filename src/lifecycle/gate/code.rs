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
    fn codes_are_readable_and_not_twice_the_same() {
        let codes: std::collections::BTreeSet<String> = (0..200).map(|_| new_code()).collect();
        assert_eq!(codes.len(), 200);
        assert!(codes.iter().all(|code| code.len() == 8 && code.bytes().all(|b| LETTERS.contains(&b))));
    }
}
