//! `state.seal`: what Steadfast wrote last, so that a state that something else has written is known and does not hold.
//!
//! Invariant: the seal is written before the state and names the one before too, so that a death between the two accuses
//! nobody.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::unreadable::take_over;
use crate::state::atomic::{self, Durability};
use crate::state::audit::hash;
use crate::state::loop_state::LoopState;
use crate::state::own_file;
use crate::state::status::Status;

/// What a loop is held to: nobody but Steadfast changes it.
const FIELDS: [&str; 7] = [
    "status",
    "kind",
    "baseline_metrics",
    "completion_criteria",
    "detection_enabled",
    "regression_events",
    "human_gates",
];
/// How many states are known: the newest, and those that a death may have left.
const KNOWN: usize = 3;

/// The states that Steadfast has written, and what the newest held.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Seal {
    #[serde(default)]
    digests: Vec<String>,
    #[serde(default)]
    fields: Map<String, Value>,
}

/// Seals the bytes of a state that is about to be written to `path`.
pub(super) fn write(path: &Path, bytes: &[u8], state: &LoopState) -> io::Result<()> {
    let mut digests = vec![hash(bytes)];
    digests.extend(read(path).unwrap_or_default().digests);
    digests.dedup();
    digests.truncate(KNOWN);
    let Ok(Value::Object(mut all)) = serde_json::to_value(state) else { return Ok(()) };
    let fields = FIELDS.iter().filter_map(|field| Some(((*field).to_owned(), all.remove(*field)?)));
    let seal = Seal { digests, fields: fields.collect() };
    atomic::write(&place(path), &serde_json::to_vec(&seal)?, Durability::Process)
}

/// Whether these bytes are a state that Steadfast wrote, or one that was never sealed.
pub(super) fn knows(path: &Path, bytes: &[u8]) -> bool {
    // Who does not hold the lock may have been overtaken by several writers: then the file is another one by now.
    let is_written = |seal: Seal| {
        seal.digests.contains(&hash(bytes)) || own_file::read(path).is_ok_and(|now| now != bytes)
    };
    read(path).is_none_or(is_written)
}

/// Puts back what a loop is held to. Answers the fields that something else had changed.
pub(super) fn put_back(path: &Path, state: &mut LoopState) -> Vec<String> {
    let Some(seal) = read(path) else { return Vec::new() };
    let Ok(Value::Object(now)) = serde_json::to_value(&*state) else { return Vec::new() };
    // What only says that nobody works for the loop weakens nothing.
    let weakens = state.status.is_over() || matches!(state.status, Status::Paused | Status::Completing);
    let changed = seal.fields.iter().filter(|(field, was)| {
        now.get(field.as_str()) != Some(*was) && (field.as_str() != "status" || weakens)
    });
    let changed: Vec<(&String, &Value)> = changed.collect();
    for (field, was) in &changed {
        take_over(state, field, was);
    }
    changed.into_iter().map(|(field, _)| field.clone()).collect()
}

fn read(path: &Path) -> Option<Seal> {
    serde_json::from_slice(&own_file::read(&place(path)).ok()?).ok()
}

fn place(path: &Path) -> PathBuf {
    path.with_extension("seal")
}
