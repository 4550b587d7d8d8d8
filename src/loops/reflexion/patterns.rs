//! Failures that came more than once, and what ended them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::loops::reflexion::reflection::Reflection;
use crate::state::hex::hex;

/// From so many sightings on a failure is a pattern.
pub const SIGHTINGS: u32 = 2;
/// How many of the newest sightings, tasks and ends are kept by name.
const KEPT: usize = 20;

/// Where a failure was seen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Sighting {
    /// In this loop.
    pub loop_id: String,
    /// In this iteration of it.
    pub iteration: u32,
}

/// A failure that is known.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FailurePattern {
    /// Made of the signature.
    pub pattern_id: String,
    /// The failure's message as it was last seen.
    pub description: String,
    /// How often it was seen.
    pub frequency: u32,
    /// The share of its loops that reached their goal all the same, from 0 to 1.
    pub success_rate: f64,
    /// Equal for two failures of one cause.
    pub signature: String,
    /// The kinds of task in which it was seen.
    pub task_types: Vec<String>,
    /// The tasks in which it was seen, newest last.
    pub tasks: Vec<String>,
    /// Where it was seen, newest last.
    pub sightings: Vec<Sighting>,
    /// What the iterations after which it was gone had changed, newest last.
    pub resolved_by: Vec<String>,
    /// When it was first seen.
    pub first_seen: Timestamp,
    /// When it was last seen.
    pub last_seen: Timestamp,
}

impl FailurePattern {
    /// Whether it was seen often enough.
    pub fn is_known(&self) -> bool {
        self.frequency >= SIGHTINGS
    }

    /// Adds a sighting. The same trial counts once.
    pub fn see(&mut self, seen: &Reflection) {
        let sighting = Sighting { loop_id: seen.loop_id.clone(), iteration: seen.trial_number };
        if self.sightings.contains(&sighting) {
            return;
        }
        if self.frequency == 0 {
            self.pattern_id = id_of(&seen.signature);
            self.signature.clone_from(&seen.signature);
            self.first_seen = seen.timestamp;
        }
        self.frequency += 1;
        self.last_seen = seen.timestamp;
        self.description = seen.self_reflection.lessons_learned.first().cloned().unwrap_or_default();
        push(&mut self.sightings, sighting);
        push(&mut self.tasks, seen.task.clone());
        if let Some(kind) = &seen.task_type {
            push(&mut self.task_types, kind.clone());
        }
    }

    /// Notes what the trial after which the failure was gone had done.
    pub fn resolve(&mut self, by: &Reflection) {
        let files = &by.actor_output.files_modified;
        if files.is_empty() {
            return;
        }
        let shown: Vec<&str> = files.iter().take(4).map(String::as_str).collect();
        let said: String = by.actor_output.strategy.chars().take(160).collect();
        let said = if said.is_empty() { said } else { format!(": {said}") };
        push(&mut self.resolved_by, format!("a change of {}{said}", shown.join(", ")));
    }
}

/// The id of a failure: the same for every loop.
pub fn id_of(signature: &str) -> String {
    let hash = Sha256::digest(signature.as_bytes());
    format!("pattern-{}", hash.get(..4).map(hex).unwrap_or_default())
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T) {
    list.retain(|known| *known != item);
    list.push(item);
    if list.len() > KEPT {
        list.remove(0);
    }
}
