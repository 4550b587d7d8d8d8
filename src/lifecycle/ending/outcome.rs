//! How a loop ends.

use crate::state::loop_state::Status;

/// How a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopEnding {
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

impl LoopEnding {
    /// The loop's last status.
    pub fn status(self) -> Status {
        match self {
            LoopEnding::Success => Status::Completed,
            LoopEnding::MaxIterations | LoopEnding::Timeout => Status::Failed,
            LoopEnding::Aborted | LoopEnding::Reverted(_) => Status::Aborted,
        }
    }

    /// The word that people read.
    pub fn name(self) -> &'static str {
        match self {
            LoopEnding::Success => "SUCCESS",
            LoopEnding::MaxIterations => "MAX_ITERATIONS",
            LoopEnding::Timeout => "TIMEOUT",
            LoopEnding::Aborted | LoopEnding::Reverted(_) => "ABORTED",
        }
    }
}
