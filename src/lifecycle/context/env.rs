//! What an invocation knows of the world besides its event.

use std::path::PathBuf;
use std::time::Instant;

use jiff::Timestamp;

use crate::hosts::EnvLookup;

/// What an invocation knows of the world besides its event.
pub struct Env<'a> {
    /// When the process began.
    pub started: Instant,
    /// The time of day then.
    pub now: Timestamp,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The environment.
    pub vars: EnvLookup<'a>,
    /// To be called as soon as an explicit loop is known to run: from then on a failure of this process is answered
    /// with a question instead of silence.
    pub guard: &'a dyn Fn(),
}
