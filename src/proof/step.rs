//! What a proof does at the moment, and how it is interrupted.

use std::time::Duration;

use crate::loops::verification;

/// What runs next.
#[derive(Debug, Clone)]
pub struct ProofStep {
    /// In words: `old tests, new source`.
    pub what: String,
    /// Which run it is, from 1, of how many as far as is known.
    pub run: (usize, usize),
    /// How long the same took before.
    pub expected: Option<Duration>,
}

/// Why nothing can be said at all.
pub const INTERRUPTED: &str = "interrupted";

/// An error where a person has interrupted this process: what runs on a killed command says nothing.
pub(crate) fn stop_where_interrupted() -> Result<(), String> {
    if verification::is_interrupted() { Err(INTERRUPTED.to_owned()) } else { Ok(()) }
}
