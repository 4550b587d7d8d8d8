//! The reflections on disk, in the documents' layout: `loops/{id}/iteration-{n}.yaml`, `patterns/`, `index.yaml`.
//!
//! The index is changed under a lock and replaced as a whole; what stands in a file of its own comes first, so that the
//! index never names what is not there. A damaged file costs itself and nothing else.

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::loops::reflexion::index::{Index, IndexedLoop, IndexedPattern};
use crate::loops::reflexion::index::{forget, rate};
use crate::loops::reflexion::patterns::{FailurePattern, id_of};
use crate::loops::reflexion::reflection::{Reflection, TrialOutcome};
use crate::state::atomic::{self, Durability};
use crate::state::folders;
use crate::state::layout::Layout;
use crate::state::lock::{HOOK_WAIT, Lock};
use crate::state::own_file;

/// A larger file is none of ours, bytes.
const LARGEST: u64 = 4 << 20;

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
    pub fn close(&self, loop_id: &str, outcome: TrialOutcome, now: Timestamp) -> io::Result<()> {
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
        folders::make(&self.root)?;
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
        let known: Vec<&FailurePattern> = index.seen.values().filter(|pattern| pattern.is_known()).collect();
        let folder = self.root.join("patterns");
        let file = |pattern: &FailurePattern| folder.join(format!("{}.yaml", pattern.pattern_id));
        for pattern in &known {
            if read::<FailurePattern>(&file(pattern)).as_ref() != Some(*pattern) {
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

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let text = String::from_utf8(own_file::read_within(path, LARGEST).ok()?).ok()?;
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
