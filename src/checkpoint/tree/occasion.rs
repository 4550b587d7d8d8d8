//! When and for what a tree is kept, how much that may cost, and what came of it.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::checkpoint::manifest::Trigger;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Skipped;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::WalkBounds;
use crate::state::atomic::Durability;

/// When a tree is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeOccasion {
    /// At the start of a loop.
    Baseline,
    /// Before an iteration.
    Pre,
    /// After an iteration.
    Final,
    /// Before something is taken back in an emergency.
    PreRevert,
    /// Before a person goes back to another tree: what is there may be theirs as well.
    PreRestore,
    /// When a person asked, with a tag of their own.
    Tagged(String),
}

impl TreeOccasion {
    pub(super) fn label(&self) -> &'static str {
        match self {
            TreeOccasion::Baseline => "baseline",
            TreeOccasion::Pre => "pre",
            TreeOccasion::Final => "final",
            TreeOccasion::PreRevert | TreeOccasion::PreRestore => "pre-revert",
            TreeOccasion::Tagged(_) => "manual",
        }
    }

    pub(super) fn trigger(&self) -> Trigger {
        match self {
            TreeOccasion::Baseline => Trigger::Automatic,
            TreeOccasion::Pre | TreeOccasion::Final => Trigger::Iteration,
            TreeOccasion::PreRevert => Trigger::ErrorRecovery,
            TreeOccasion::PreRestore => Trigger::PreRestore,
            TreeOccasion::Tagged(_) => Trigger::Manual,
        }
    }
}

/// What to keep the tree for.
#[derive(Debug)]
pub struct TreeKeepRequest<'a> {
    /// Where.
    pub store: &'a Store,
    /// The loop that the checkpoint belongs to.
    pub loop_id: &'a str,
    /// Its iteration; 0 before the first.
    pub iteration: u32,
    /// When.
    pub moment: TreeOccasion,
    /// What it is for, in a line.
    pub summary: &'a str,
    /// What was measured at the time.
    pub metrics: Map<String, Value>,
    /// Paths that count although they are ignored, relative to the project: what git tracks all the same.
    pub also: &'a [PathBuf],
    /// How much.
    pub bounds: WalkBounds<'a>,
    /// Whether it survives a power cut.
    pub durability: Durability,
    /// The time.
    pub now: Timestamp,
    /// How far it has come.
    pub meter: &'a Meter,
}

/// A tree that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTree {
    /// The checkpoint.
    pub checkpoint_id: String,
    /// Its manifest.
    pub manifest: PathBuf,
    /// How many files are kept in it.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// How many paths are not as they were when a tree was last kept.
    pub changed: usize,
    /// What could not be kept, and why. What git ignores is not among them.
    pub unkept: Vec<Skipped>,
}

/// How much a hook may spend on a tree: 64 MB a file, 4 GB and 400,000 paths together, and `time`.
pub fn hook_bounds(time: Duration) -> WalkBounds<'static> {
    let deadline = std::time::Instant::now().checked_add(time);
    WalkBounds { file_bytes: 64 << 20, total_bytes: 4 << 30, paths: 400_000, deadline, exclude: &[] }
}

/// How much a person's command may spend on a tree: 1 GB a file, and whatever it takes.
pub fn patient_bounds() -> WalkBounds<'static> {
    WalkBounds { file_bytes: 1 << 30, ..WalkBounds::none() }
}
