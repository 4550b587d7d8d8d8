//! What a banner is about.

use crate::loops::learning::Learning;
use crate::loops::verification::VerificationResult;

/// An iteration that was verified, and what follows from it.
#[derive(Debug, Clone, Copy)]
pub struct BannerIteration<'a> {
    /// The loop's id.
    pub loop_id: &'a str,
    /// What the loop is for.
    pub task: &'a str,
    /// Counted from 1.
    pub number: u32,
    /// The limit.
    pub max: u32,
    /// The learnings that are handed on, oldest first, without the new one.
    pub previous: &'a [Learning],
    /// What was tried.
    pub approach: &'a str,
    /// Files that the iteration changed.
    pub changed: &'a [String],
    /// The result of the checks.
    pub verification: &'a VerificationResult,
    /// What the failure teaches; `None` after a pass.
    pub learning: Option<&'a Learning>,
    /// The letters that it may take.
    pub room: usize,
}

/// A loop whose criteria are met.
#[derive(Debug, Clone, Copy)]
pub struct SuccessfulLoop<'a> {
    /// What the loop was for.
    pub task: &'a str,
    /// How many iterations it took; 0 when the criteria were met at the start.
    pub iterations: u32,
    /// How long, in seconds.
    pub seconds: u64,
    /// The passing verification.
    pub verification: &'a VerificationResult,
    /// How many files were changed.
    pub files: usize,
    /// Added lines.
    pub added: u64,
    /// Removed lines.
    pub removed: u64,
    /// What else has changed, by no call of the loop.
    pub others: &'a [String],
    /// The report's path.
    pub report: &'a str,
}

/// The limit that ended a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopLimit {
    /// No iteration is left.
    MaxIterations,
    /// No time is left.
    Timeout,
}

impl LoopLimit {
    /// The status in banners and reports.
    pub fn name(self) -> &'static str {
        match self {
            LoopLimit::MaxIterations => "MAX_ITERATIONS",
            LoopLimit::Timeout => "TIMEOUT",
        }
    }
}

/// A loop that a limit ended.
#[derive(Debug, Clone, Copy)]
pub struct LimitReached<'a> {
    /// The loop's id.
    pub loop_id: &'a str,
    /// What the loop is for.
    pub task: &'a str,
    /// Which limit.
    pub limit: LoopLimit,
    /// Iterations done.
    pub iterations: u32,
    /// The iteration limit.
    pub max: u32,
    /// The limit with which it would go on.
    pub higher: u32,
    /// The minutes that it had.
    pub minutes: u64,
    /// What was tried last.
    pub last_attempt: &'a str,
    /// The last verification; `None` when none was run.
    pub verification: Option<&'a VerificationResult>,
    /// All learnings, oldest first.
    pub learnings: &'a [Learning],
    /// Where the state is.
    pub state: &'a str,
    /// The report's path.
    pub report: &'a str,
}

/// A loop that a person ended.
#[derive(Debug, Clone, Copy)]
pub struct AbortedLoop<'a> {
    /// The loop's id.
    pub loop_id: &'a str,
    /// What the loop was for.
    pub task: &'a str,
    /// Iterations done.
    pub iterations: u32,
    /// How long, in seconds.
    pub seconds: u64,
    /// Why, in the words of who did it; may be empty.
    pub reason: &'a str,
    /// Whether the changes were undone.
    pub reverted: bool,
    /// How many files are changed.
    pub files: usize,
    /// All learnings, oldest first.
    pub learnings: &'a [Learning],
    /// The report's path.
    pub report: &'a str,
    /// Where the state is.
    pub state: &'a str,
}
