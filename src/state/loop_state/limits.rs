//! A loop's limits and options, its completion checks and its totals.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::loop_state::LoopState;
use crate::state::mending::or_none;
use crate::state::records::CompletionCheck;
use crate::state::schema::DateTime;

/// The most iterations of any loop, whatever is asked for.
pub const MOST_ITERATIONS: u32 = 1_000;

/// The longest any loop may take, in minutes: a week.
pub const LONGEST_MINUTES: u64 = 7 * 24 * 60;

/// A loop's limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Configuration {
    /// The last iteration that may start.
    pub max_iterations: u32,
    /// Minutes from the start after which no iteration starts.
    pub timeout_minutes: Option<u64>,
    /// Whether each iteration is committed.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub commit_iterations: Option<bool>,
    /// The files that may change, as patterns.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
    /// The folder in which the loop was started and its criterion runs, relative to the project.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The command of the agent that `steadfast run` drives, as a JSON list.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration {
            max_iterations: 10,
            timeout_minutes: Some(60),
            commit_iterations: None,
            scope: None,
            folder: None,
            driver: None,
            extra: Map::new(),
        }
    }
}

impl LoopState {
    /// When the loop's time is over. Time that a person gave anew counts from when they gave it.
    pub fn deadline(&self) -> Option<Timestamp> {
        let minutes = self.configuration.timeout_minutes.unwrap_or(LONGEST_MINUTES).min(LONGEST_MINUTES);
        let minutes = SignedDuration::from_mins(i64::try_from(minutes).ok()?);
        self.timeout_counts_from.unwrap_or(self.started_at).checked_add(minutes).ok()
    }
}

/// The completion checks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Progress {
    /// One per verification, newest last.
    pub completion_checks: Vec<CompletionCheck>,
    /// When the last one ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub last_completion_check: Option<Timestamp>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Totals over the loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Metrics {
    /// Finished iterations.
    pub total_iterations: u32,
    /// Finished iterations whose verification passed.
    pub successful_iterations: u32,
    /// Finished iterations whose verification failed.
    pub failed_iterations: u32,
    /// Seconds from the start to the last finished iteration.
    pub total_duration_seconds: u64,
    /// Tokens of all sessions, where the host tells them.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// Dollars of all sessions, where they are known.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub total_cost_usd: Option<f64>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
