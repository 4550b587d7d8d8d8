//! Who opened a loop and how it stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A loop's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Iterating, or waiting for the session that will claim it.
    #[default]
    Running,
    /// Put aside by a person; hooks pass.
    #[serde(alias = "waiting")]
    Paused,
    /// The criteria hold and the report is being written.
    Completing,
    /// Over: the criteria held.
    Completed,
    /// Over: a limit was reached.
    Failed,
    /// Over: a person ended it.
    Aborted,
    /// Its process died; it can be resumed.
    Crashed,
}

impl Status {
    /// Whether nothing more can happen in the loop.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Completed | Status::Failed | Status::Aborted)
    }

    /// Whether the schema allows the step from this status to another.
    pub fn may_become(self, next: Status) -> bool {
        use Status::{Aborted, Completed, Completing, Crashed, Failed, Paused, Running};
        match self {
            Running => matches!(next, Paused | Completing | Aborted | Crashed | Failed),
            Paused | Crashed => matches!(next, Running | Aborted),
            Completing => matches!(next, Completed | Failed | Crashed),
            Completed | Failed | Aborted => false,
        }
    }

    /// The word in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Paused => "paused",
            Status::Completing => "completing",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Aborted => "aborted",
            Status::Crashed => "crashed",
        }
    }
}

/// Whether a person asked for the loop, or a session got it because it began to change files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Started by a person: it has criteria and limits.
    #[default]
    Explicit,
    /// A guarded session: Stop is blocked for an open regression alone.
    Implicit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_schemas_transitions_are_allowed() {
        let all = [
            Status::Running,
            Status::Paused,
            Status::Completing,
            Status::Completed,
            Status::Failed,
            Status::Aborted,
            Status::Crashed,
        ];
        let allowed: Vec<(Status, Status)> = all
            .iter()
            .flat_map(|from| all.iter().map(move |to| (*from, *to)))
            .filter(|(from, to)| from.may_become(*to))
            .collect();
        assert_eq!(allowed.len(), 12);
        assert!(all.iter().all(|to| !Status::Completed.may_become(*to)));
    }
}
