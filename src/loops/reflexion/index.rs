//! `index.yaml`: which loops and failures are remembered, and for how long.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::loops::reflexion::patterns::FailurePattern;
use crate::loops::reflexion::reflection::TrialOutcome;

/// How many failures are remembered; the ones that were not seen for longest go first.
pub(super) const MOST_PATTERNS: usize = 500;

/// A failure that was seen once is forgotten after this.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(90 * 24);

/// `index.yaml`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Index {
    /// The loops that have reflections.
    pub loops: BTreeMap<String, IndexedLoop>,
    /// The patterns, as far as they are known.
    pub patterns: Vec<IndexedPattern>,
    /// How many loops there are.
    pub total_loops: usize,
    /// How many reflections they have.
    pub total_reflections: u64,
    /// When it was last written.
    pub last_updated: Timestamp,
    /// Every failure that was seen, those that were seen once too.
    pub seen: BTreeMap<String, FailurePattern>,
}

/// One loop in the index.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexedLoop {
    /// Its task.
    pub task: String,
    /// When its first reflection was written.
    pub started: Timestamp,
    /// How many it has.
    pub iterations: u32,
    /// How it ended, or how its newest trial did.
    pub outcome: TrialOutcome,
    /// Where they are, relative to the project.
    pub reflections_path: String,
}

/// One pattern in the index.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexedPattern {
    /// Its id, and its file's name.
    pub pattern_id: String,
    /// How often it was seen.
    pub frequency: u32,
    /// The share of its loops that succeeded.
    pub success_rate: f64,
    /// What it is.
    pub description: String,
}

/// Lets go of what is old or too much.
pub(super) fn forget(index: &mut Index, now: Timestamp) {
    index.seen.retain(|_, pattern| pattern.is_known() || now.duration_since(pattern.last_seen) < FORGOTTEN);
    while index.seen.len() > MOST_PATTERNS {
        let oldest = index.seen.iter().min_by_key(|(_, pattern)| pattern.last_seen).map(|(id, _)| id.clone());
        let Some(oldest) = oldest else { break };
        index.seen.remove(&oldest);
    }
}

/// Of the loops in which a failure was seen, the share that reached its goal.
pub(super) fn rate(index: &mut Index) {
    for pattern in index.seen.values_mut() {
        let mut ids: Vec<&str> = pattern.sightings.iter().map(|sighting| sighting.loop_id.as_str()).collect();
        ids.dedup();
        let outcomes: Vec<TrialOutcome> =
            ids.iter().filter_map(|id| Some(index.loops.get(*id)?.outcome)).collect();
        let won = outcomes.iter().filter(|outcome| **outcome == TrialOutcome::Success).count();
        pattern.success_rate = share(won, outcomes.len());
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of loops are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { ((part as f64 / whole as f64) * 100.0).round() / 100.0 }
}
