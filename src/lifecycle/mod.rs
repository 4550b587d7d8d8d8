//! The ten hooks of the documents and their order.

use std::path::PathBuf;

use crate::event::Event;
use crate::hosts::{Unreadable, Variables};
use crate::verdict::Answer;

/// What an invocation knows of the world besides its event.
pub struct Env<'a> {
    /// When the process began.
    pub started: std::time::Instant,
    /// The time of the invocation.
    pub now: jiff::Timestamp,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The environment.
    pub vars: Variables<'a>,
    /// To be called as soon as an explicit loop is known to run: from then on a failure of this process is answered
    /// with a question instead of silence.
    pub guard: &'a dyn Fn(),
}

/// Answers one event.
pub fn handle(_event: &Event, _env: &Env) -> Answer {
    Answer::default()
}

/// Answers an event of which only its host's name is known.
pub fn handle_unread(_host_event: &str, _why: &Unreadable, _env: &Env) -> Answer {
    Answer::default()
}
