//! A finished iteration: its score, its files, its verification and what it taught.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::state::mending::or_none;
use crate::state::schema::{self, DateTime};

/// One finished iteration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["iteration", "timestamp", "quality_score", "artifacts"]))]
pub struct IterationRecord {
    /// From 1.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// When it ended.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub quality_score: f64,
    /// Against the previous iteration; 0 for the first.
    pub quality_delta: f64,
    /// The files it changed.
    pub artifacts: Vec<Artifact>,
    /// The full record on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub snapshot_path: Option<String>,
    /// The facts the score was made from.
    #[schemars(with = "schema::MetricsSnapshot")]
    pub metrics_snapshot: Map<String, Value>,
    /// Whether a regression was seen in it.
    pub regression_detected: bool,
    /// Whether the recovery protocol ran in it.
    pub recovery_attempted: bool,
    /// What was tried: the agent's own last words, cut.
    pub action: String,
    /// How it ended: the verification's result.
    pub result: String,
    /// What was learned from it.
    pub learnings: String,
    /// The parts of the score.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::QualityBreakdown")]
    pub quality_breakdown: Option<Map<String, Value>>,
    /// The facts that the score was made from, each by its name.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub quality_facts: Option<Value>,
    /// Against the best iteration before it.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub delta_from_best: Option<f64>,
    /// What the test run said; null when none was seen.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<schema::TestResults>")]
    pub test_results: Option<Value>,
    /// What a failed iteration taught; null when the criteria held.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Learning>")]
    pub learning: Option<Option<Learning>>,
    /// From 2, when an iteration of this number was tried before.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// Why it was broken off.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub aborted: Option<String>,
    /// What the comparison with the loop's start said of it: the verdict, what fell, and the figures of both.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub regression_report: Option<Value>,
    /// The iteration to which a person took the loop back, so that this one no longer counts.
    #[serde(deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub reverted_to: Option<u32>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl IterationRecord {
    /// What it taught, where it failed.
    pub fn lesson(&self) -> Option<&Learning> {
        self.learning.as_ref()?.as_ref()
    }

    /// The files that calls of the loop changed, or nobody knows to be another's.
    pub fn own_artifacts(&self) -> impl Iterator<Item = &Artifact> {
        self.artifacts.iter().filter(|artifact| !artifact.without_call)
    }

    /// Whether more of its tests pass than of an earlier iteration's, fewer fail, or a compiler or checker tells of fewer
    /// faults; `false` where that is not known.
    pub fn gains_over(&self, earlier: &IterationRecord) -> bool {
        let count = |record: &IterationRecord, name: &str| record.test_results.as_ref()?.get(name)?.as_u64();
        let both = |name: &str| Some((count(self, name)?, count(earlier, name)?));
        let fewer_fail = both("failed").is_some_and(|(now, before)| now < before);
        let more_pass = both("passed").is_some_and(|(now, before)| now > before);
        let faults = |record: &IterationRecord| record.lesson()?.faults;
        let fewer_faults = faults(self).zip(faults(earlier)).is_some_and(|(now, before)| now < before);
        fewer_fail || more_pass || fewer_faults
    }

    /// Whether a person took the loop back to before it.
    pub fn is_reverted(&self) -> bool {
        self.reverted_to.is_some()
    }
}

/// The lesson of one failed iteration.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Learning {
    /// The exact message of the first failure, at most 300 letters, after the failing test's name if there is one.
    pub failed: String,
    /// Why, as far as the output tells.
    pub why: String,
    /// What to try next.
    pub next: String,
    /// Equal for two failures of the same cause. It holds the names of the failing tests, so that fewer failing tests
    /// are a new signature.
    pub signature: String,
    /// The error's class or code, when the output has one.
    pub error_type: Option<String>,
    /// The failing tests, where the output's format is known.
    pub failing: Vec<String>,
    /// How many faults the output tells of, where it names no tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<u64>,
}

/// A file that an iteration made or changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Artifact {
    /// Relative to the project.
    pub path: String,
    /// SHA-256, hex; empty where the iteration removed the file.
    pub hash: String,
    /// Bytes.
    pub size_bytes: u64,
    /// Whether no call of the loop is known to have changed it: a command of the criterion did, or somebody else.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_call: bool,
}

impl Artifact {
    /// The file in a list, with a word where it is gone, or no call of the loop is known to have changed it.
    pub fn in_words(&self) -> String {
        let removed = self.hash.is_empty().then_some("removed");
        let without_call = self.without_call.then_some("by no call of this loop");
        let words: Vec<&str> = removed.into_iter().chain(without_call).collect();
        if words.is_empty() { self.path.clone() } else { format!("{} ({})", self.path, words.join(", ")) }
    }
}

/// The best iteration so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BestIteration {
    /// From 1.
    #[schemars(range(min = 1))]
    pub iteration: u32,
    /// 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub quality_score: f64,
    /// Its full record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub snapshot_path: Option<String>,
    /// When it became the best.
    #[schemars(with = "DateTime")]
    pub updated_at: Timestamp,
    /// Why.
    pub selection_reason: String,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One verification of the completion criteria.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CompletionCheck {
    /// The iteration it closed.
    pub iteration: u32,
    /// When it ended.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// Whether the criteria held.
    pub passed: bool,
    /// The end of what the commands printed.
    pub output: String,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
