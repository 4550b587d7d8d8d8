//! The reflections on disk, in the documents' layout: `loops/{id}/iteration-{n}.yaml`, `patterns/`, `index.yaml`.
//!
//! The index is changed under a lock and replaced as a whole; what stands in a file of its own comes first, so that the
//! index never names what is not there. A damaged file costs itself and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::loops::reflexion::patterns::{Pattern, id_of};
use crate::loops::reflexion::record::{Outcome, Reflection};
use crate::state::atomic::{self, Durability};
use crate::state::layout::Layout;
use crate::state::lock::{HOOK_WAIT, Lock};

/// How many failures are remembered; the ones that were not seen for longest go first.
const MOST_PATTERNS: usize = 500;
/// A failure that was seen once is forgotten after this.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(90 * 24);
/// A larger file is none of ours, bytes.
const LARGEST: u64 = 4 << 20;

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
    pub seen: BTreeMap<String, Pattern>,
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
    pub outcome: Outcome,
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

/// The reflections of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflections {
    root: PathBuf,
}

impl Reflections {
    /// Those of a project's state.
    pub fn of(layout: &Layout) -> Reflections {
        Reflections { root: layout.root().join("reflections") }
    }

    /// The index; an empty one when there is none or it can't be read.
    pub fn index(&self) -> Index {
        read(&self.root.join("index.yaml")).unwrap_or_default()
    }

    /// A loop's reflections, oldest first.
    pub fn of_loop(&self, loop_id: &str) -> Vec<Reflection> {
        let entries = fs::read_dir(self.folder(loop_id)).into_iter().flatten().flatten();
        let yaml = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ext| ext == "yaml"));
        let mut all: Vec<Reflection> = yaml.filter_map(|path| read(&path)).collect();
        all.sort_by_key(|one| one.trial_number);
        all
    }

    /// Adds an iteration's reflection, and counts its failure.
    pub fn add(&self, reflection: &Reflection, previous: Option<&Reflection>) -> io::Result<()> {
        let file =
            self.folder(&reflection.loop_id).join(format!("iteration-{}.yaml", reflection.trial_number));
        write(&file, reflection)?;
        self.change(reflection.timestamp, |index| {
            let path = format!(".aiwg/ralph/reflections/loops/{}", reflection.loop_id);
            let listed = index.loops.entry(reflection.loop_id.clone()).or_insert_with(|| IndexedLoop {
                task: reflection.task.clone(),
                started: reflection.timestamp,
                reflections_path: path,
                ..IndexedLoop::default()
            });
            listed.iterations = listed.iterations.max(reflection.trial_number);
            listed.outcome = reflection.outcome;
            let gone = previous
                .filter(|before| !before.signature.is_empty() && before.signature != reflection.signature);
            if let Some(pattern) = gone.and_then(|before| index.seen.get_mut(&id_of(&before.signature))) {
                pattern.resolve(reflection);
            }
            if !reflection.signature.is_empty() {
                index.seen.entry(id_of(&reflection.signature)).or_default().see(reflection);
            }
        })
    }

    /// Notes how a loop ended.
    pub fn close(&self, loop_id: &str, outcome: Outcome, now: Timestamp) -> io::Result<()> {
        if !self.folder(loop_id).is_dir() {
            return Ok(());
        }
        self.change(now, |index| {
            if let Some(listed) = index.loops.get_mut(loop_id) {
                listed.outcome = outcome;
            }
        })
    }

    /// Forgets a loop, or everything. Answers how many reflections are gone.
    pub fn clear(&self, loop_id: Option<&str>, now: Timestamp) -> io::Result<usize> {
        let index = self.index();
        let ids: Vec<String> = match loop_id {
            Some(id) => vec![id.to_owned()],
            None => index.loops.keys().cloned().collect(),
        };
        let mut gone = 0;
        for id in &ids {
            gone += self.of_loop(id).len();
            remove(&self.folder(id))?;
        }
        self.change(now, |index| {
            index.loops.retain(|id, _| !ids.contains(id));
            for pattern in index.seen.values_mut() {
                pattern.sightings.retain(|sighting| !ids.contains(&sighting.loop_id));
            }
            index.seen.retain(|_, pattern| !pattern.sightings.is_empty());
            if loop_id.is_none() {
                index.seen.clear();
            }
        })?;
        Ok(gone)
    }

    fn folder(&self, loop_id: &str) -> PathBuf {
        self.root.join("loops").join(loop_id)
    }

    fn change(&self, now: Timestamp, change: impl FnOnce(&mut Index)) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        let Some(_lock) = Lock::take(&self.root.join("index.lock"), HOOK_WAIT)? else {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, "the index of reflections is locked"));
        };
        let mut index = self.index();
        change(&mut index);
        forget(&mut index, now);
        rate(&mut index);
        index.last_updated = now;
        index.total_loops = index.loops.len();
        index.total_reflections = index.loops.values().map(|listed| u64::from(listed.iterations)).sum();
        self.write_patterns(&mut index)?;
        write(&self.root.join("index.yaml"), &index)
    }

    fn write_patterns(&self, index: &mut Index) -> io::Result<()> {
        let known: Vec<&Pattern> = index.seen.values().filter(|pattern| pattern.is_known()).collect();
        let folder = self.root.join("patterns");
        let file = |pattern: &Pattern| folder.join(format!("{}.yaml", pattern.pattern_id));
        for pattern in &known {
            if read::<Pattern>(&file(pattern)).as_ref() != Some(*pattern) {
                write(&file(pattern), pattern)?;
            }
        }
        for listed in &index.patterns {
            if !known.iter().any(|pattern| pattern.pattern_id == listed.pattern_id) {
                remove(&folder.join(format!("{}.yaml", listed.pattern_id)))?;
            }
        }
        let listed = known.iter().map(|pattern| IndexedPattern {
            pattern_id: pattern.pattern_id.clone(),
            frequency: pattern.frequency,
            success_rate: pattern.success_rate,
            description: pattern.description.clone(),
        });
        index.patterns = listed.collect();
        Ok(())
    }
}

/// Lets go of what is old or too much.
fn forget(index: &mut Index, now: Timestamp) {
    index.seen.retain(|_, pattern| pattern.is_known() || now.duration_since(pattern.last_seen) < FORGOTTEN);
    while index.seen.len() > MOST_PATTERNS {
        let oldest = index.seen.iter().min_by_key(|(_, pattern)| pattern.last_seen).map(|(id, _)| id.clone());
        let Some(oldest) = oldest else { break };
        index.seen.remove(&oldest);
    }
}

/// Of the loops in which a failure was seen, the share that reached its goal.
fn rate(index: &mut Index) {
    for pattern in index.seen.values_mut() {
        let mut ids: Vec<&str> = pattern.sightings.iter().map(|sighting| sighting.loop_id.as_str()).collect();
        ids.dedup();
        let outcomes: Vec<Outcome> =
            ids.iter().filter_map(|id| Some(index.loops.get(*id)?.outcome)).collect();
        let won = outcomes.iter().filter(|outcome| **outcome == Outcome::Success).count();
        pattern.success_rate = share(won, outcomes.len());
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of loops are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { ((part as f64 / whole as f64) * 100.0).round() / 100.0 }
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let metadata = fs::metadata(path).ok()?;
    let text = (metadata.len() <= LARGEST).then(|| fs::read_to_string(path).ok()).flatten()?;
    serde_saphyr::from_str(&text).ok()
}

fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let text = serde_saphyr::to_string(value).map_err(|error| io::Error::other(error.to_string()))?;
    atomic::write(path, text.as_bytes(), Durability::Power)
}

/// Removes a file or a folder; one that is gone already is no fault.
fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
