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
    /// To be called as soon as the session is known: from then on a failure of this process, or the end of its time, is
    /// told instead of passed over in silence. With `true`, where an explicit loop runs or something is lost, a call that
    /// has not run is asked about.
    pub guard: &'a dyn Fn(bool),
}
