//! What Steadfast notes in a loop's state for itself, each note a record of its own.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::state::level::Level;
use crate::state::schema::DateTime;

/// What failed when the criteria were checked at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FirstCheck {
    /// The command.
    pub command: String,
    /// Why it counts as failed.
    pub reason: String,
    /// The failing tests.
    pub failing: Vec<String>,
}

/// The level to which a condition raised an iteration when the one before it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaisedLevel {
    /// The iteration that ended.
    pub after: u32,
    /// The level.
    pub level: Level,
    /// The condition.
    pub reason: String,
}

/// The iteration that a person selected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SelectionOverride {
    /// From 1.
    pub iteration: u32,
    /// Why.
    pub reason: String,
    /// When.
    #[schemars(with = "DateTime")]
    pub at: Timestamp,
    /// The iteration that was selected before.
    pub instead_of: u32,
}

/// That a state was made again from the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RebuiltFromLog {
    /// How many lines told of it.
    pub lines: u64,
}

/// A change of Steadfast's own files by something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutsideChange {
    /// When it was found.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// Which file: `log`, `state` or `registry`.
    pub file: String,
    /// What is not as it was written.
    pub what: String,
}

/// How many entries a state has let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Retired {
    /// Gates.
    pub human_gates: u64,
    /// Finished iterations.
    pub iteration_history: u64,
    /// The highest number among those.
    pub highest_iteration: u32,
    /// Verifications.
    pub completion_checks: u64,
    /// Changes of the reinforcement level.
    pub reinforcement_history: u64,
}
