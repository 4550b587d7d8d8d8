//! What a report tells of: a loop with its iterations, its findings, its attempts to recover and its costs.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::loops::learning::Learning;
use crate::loops::verification::VerificationResult;

/// A loop, from its start to its end.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LoopSummary {
    /// The loop's id.
    pub loop_id: String,
    /// The host of the session that worked for it, where that is another one than Claude Code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What it was for.
    pub task: String,
    /// The kind of task, by its name for people.
    pub task_type: Option<String>,
    /// How it ended: `completed`, `failed`, `aborted`, or a limit's name.
    pub status: String,
    /// When it was to be complete, as given.
    pub criteria: String,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// Its iterations, in order.
    pub iterations: Vec<IterationSummary>,
    /// What was found, and what became of it.
    pub regression_events: Vec<ReportedRegression>,
    /// Attempts to recover from a fault, in order.
    pub recovery_attempts: Vec<RecoveryAttempt>,
    /// What persons decided, oldest first.
    pub decisions: Vec<ReportedDecision>,
    /// How many files it has changed since the start.
    pub files: usize,
    /// Added lines.
    pub added: u64,
    /// Removed lines.
    pub removed: u64,
    /// What differs from the start as well, and no call of the loop made.
    pub others: Vec<String>,
    /// The iteration that was selected.
    pub best: Option<Best>,
    /// What it cost, when the host told.
    pub costs: Option<Costs>,
    /// What was measured before it.
    pub baseline: Option<Value>,
}

/// One iteration.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct IterationSummary {
    /// Counted from 1.
    pub number: u32,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// What was tried.
    pub action: String,
    /// What came of it, in a sentence; may be empty.
    pub result: String,
    /// What its failure taught.
    pub learning: Option<Learning>,
    /// Files that it changed.
    pub changed: Vec<String>,
    /// Its verification; `None` when none was run.
    pub verification: Option<VerificationResult>,
    /// Its quality, from 0 to 100, when it was measured.
    pub quality: Option<f64>,
    /// Tokens that the model used in it, when the host told.
    pub tokens: Option<u64>,
    /// US dollars, when the host told.
    pub usd: Option<f64>,
    /// What was measured at its end.
    pub metrics: Map<String, Value>,
    /// Whether a person rejected it: the files went back to what was before it.
    pub taken_back: bool,
}

impl IterationSummary {
    /// Whether its verification passed; `None` when none was run.
    pub fn passed(&self) -> Option<bool> {
        self.verification.as_ref().map(|verification| verification.passed)
    }
}

/// A finding, and what became of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ReportedRegression {
    /// The iteration; 0 before the first.
    pub iteration: u32,
    /// The catalogue's id.
    pub pattern_id: String,
    /// The name in state files: `test_deletion`.
    pub regression_type: String,
    /// The name in state files: `critical`.
    pub severity: String,
    /// The file.
    pub path: String,
    /// What was or would have been lost, by name.
    pub lost: Vec<String>,
    /// What became of it: `denied`, `approved by a person`, `restored`, `recorded`.
    pub outcome: String,
}

/// What a person decided at a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportedDecision {
    /// In which iteration it was asked.
    pub iteration: u32,
    /// What was asked about.
    pub about: String,
    /// `approve`, `reject`, ...
    pub decision: String,
    /// Who decided.
    pub by: Option<String>,
    /// Why, in their words.
    pub reason: Option<String>,
}

/// An attempt to recover.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RecoveryAttempt {
    /// The iteration.
    pub iteration: u32,
    /// What was to be mended.
    pub fault: String,
    /// What was done.
    pub action: String,
    /// Whether it helped; `None` when that is not known.
    pub helped: Option<bool>,
}

/// The selected iteration.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Best {
    /// Its number.
    pub iteration: u32,
    /// Its quality, when it was measured.
    pub quality: Option<f64>,
    /// Why it was selected.
    pub reason: String,
}

/// What a loop cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Costs {
    /// Tokens.
    pub tokens: Option<u64>,
    /// US dollars.
    pub usd: Option<f64>,
}

impl LoopSummary {
    /// The iterations that count: those that no person has taken back.
    pub fn kept(&self) -> impl DoubleEndedIterator<Item = &IterationSummary> {
        self.iterations.iter().filter(|one| !one.taken_back)
    }

    /// How many attempts a person took back.
    pub fn taken_back(&self) -> usize {
        self.iterations.iter().filter(|one| one.taken_back).count()
    }

    /// How long it took, in seconds.
    pub fn seconds(&self) -> u64 {
        u64::try_from(self.ended.duration_since(self.started).as_secs()).unwrap_or(0)
    }
}
