//! A one-time code that a person reads and types: only its salted hash is kept, and five wrong ones end it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::hex::hex;

/// Wrong codes after which a gate takes none any more; a terminal still decides it.
const MOST_WRONG_CODES: u32 = 5;

/// Rounds of hashing, so that a stored hash can't be searched through in the time a gate is open.
const ROUNDS: u32 = 4_096;

/// A code that a person reads and types; only its salted hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeHash {
    /// Hex.
    pub salt: String,
    /// Hex of the hashed salt and code.
    pub hash: String,
    /// Wrong ones so far.
    #[serde(default)]
    pub wrong: u32,
}

impl CodeHash {
    /// The hash of a code.
    pub fn of(code: &str, salt: &str) -> Self {
        CodeHash { salt: salt.to_owned(), hash: hashed(code, salt), wrong: 0 }
    }

    /// Whether `code` is the one, without counting.
    pub fn is(&self, code: &str) -> bool {
        self.wrong < MOST_WRONG_CODES && hashed(&code.trim().to_ascii_uppercase(), &self.salt) == self.hash
    }

    /// Whether `code` is the one; counts the wrong ones, and after five of them none is right.
    pub fn takes(&mut self, code: &str) -> bool {
        let right = self.is(code);
        if !right {
            self.wrong = self.wrong.saturating_add(1).min(MOST_WRONG_CODES);
        }
        right
    }
}

fn hashed(code: &str, salt: &str) -> String {
    let first = Sha256::new().chain_update(salt).chain_update(code).finalize();
    let last = (1..ROUNDS).fold(first, |hash, _| Sha256::digest(hash));
    hex(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_taken_in_either_case_and_five_wrong_ones_end_it() {
        let mut code = CodeHash::of("K7QX2M9P", "salt");
        assert!(code.takes(" k7qx2m9p "));
        for _ in 0..5 {
            assert!(!code.takes("AAAAAAAA"));
        }
        assert!(!code.takes("K7QX2M9P"));
        assert!(!serde_json::to_string(&code).unwrap().contains("K7QX2M9P"));
    }
}
