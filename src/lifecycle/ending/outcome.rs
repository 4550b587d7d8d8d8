//! How a loop ends.

use crate::state::loop_state::Status;

/// How a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The criteria hold and nothing is lost.
    Success,
    /// The last allowed iteration is done.
    MaxIterations,
    /// The time is used up.
    Timeout,
    /// A person ended it.
    Aborted,
    /// A person ended it and took its changes back, so many files.
    Reverted(usize),
}

impl Ending {
    /// The loop's last status.
    pub fn status(self) -> Status {
        match self {
            Ending::Success => Status::Completed,
            Ending::MaxIterations | Ending::Timeout => Status::Failed,
            Ending::Aborted | Ending::Reverted(_) => Status::Aborted,
        }
    }

    /// The word that people read.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Success => "SUCCESS",
            Ending::MaxIterations => "MAX_ITERATIONS",
            Ending::Timeout => "TIMEOUT",
            Ending::Aborted | Ending::Reverted(_) => "ABORTED",
        }
    }
}
