//! What a loop's state has no room for: the oldest entries of its lists, each list's in a file of its own.
//!
//! Every call reads and writes the state, so its lists are bounded. What they let go is added to
//! `loops/{id}/history/{list}.jsonl` before the state without it is written: after a death in between an entry stands in
//! both, and its key tells so. An entry that was changed later is added again, and the last one counts.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folders;
use super::gate::Gate;
use super::layout::Layout;
use super::loop_state::{LoopState, Retired};
use super::own_file;
use super::records::{CompletionCheck, IterationRecord, LevelChange};

mod entries;

/// So much of a list's file is read for its newest entries, in bytes.
const TAIL: u64 = 256 << 10;
/// A kind of entry, and the list of the state that holds it.
trait HistoryEntry: Serialize + DeserializeOwned {
    /// The list's name in the state.
    const LIST: &'static str;
    fn list(state: &mut LoopState) -> &mut Vec<Self>;
    /// What no other entry of the loop has.
    fn key(&self) -> String;
    /// Which of them stay.
    fn staying(list: &[Self]) -> Vec<bool>;
    /// Counts those that go.
    fn count(retired: &mut Retired, gone: &[Self]);
}

/// Lets the oldest entries of a state's lists go. An entry that can't be written elsewhere stays in the state.
pub fn retire(layout: &Layout, state: &mut LoopState) {
    retire_of::<Gate>(layout, state).ok();
    retire_of::<IterationRecord>(layout, state).ok();
    retire_of::<CompletionCheck>(layout, state).ok();
    retire_of::<LevelChange>(layout, state).ok();
}

/// Brings everything back that the state has let go: for who looks at a whole loop, or changes what is long done.
pub fn bring_back(layout: &Layout, state: &mut LoopState) {
    if state.retired.is_none() {
        return;
    }
    bring_back_of::<Gate>(layout, state);
    bring_back_of::<IterationRecord>(layout, state);
    bring_back_of::<CompletionCheck>(layout, state);
    bring_back_of::<LevelChange>(layout, state);
    state.retired = None;
}

/// A loop's state with its whole history.
pub fn whole(layout: &Layout, mut state: LoopState) -> LoopState {
    bring_back(layout, &mut state);
    state
}

/// The newest finished iterations, oldest first, `count` of them where there are as many.
pub fn newest_iterations(layout: &Layout, state: &LoopState, count: usize) -> Vec<IterationRecord> {
    let mut newest = state.iteration_history.clone();
    if newest.len() < count && state.retired.is_some_and(|retired| retired.iteration_history > 0) {
        let older = tail(&place::<IterationRecord>(layout, &state.loop_id)).unwrap_or_default();
        newest = merged(older, newest);
    }
    newest.drain(..newest.len().saturating_sub(count));
    newest
}

/// How often an iteration of this number has ended.
pub fn attempts(layout: &Layout, state: &LoopState, number: u32) -> usize {
    let of_number =
        |state: &LoopState| state.iteration_history.iter().filter(|it| it.iteration == number).count();
    match state.retired {
        Some(retired) if retired.highest_iteration >= number => of_number(&whole(layout, state.clone())),
        _ => of_number(state),
    }
}

fn place<E: HistoryEntry>(layout: &Layout, loop_id: &str) -> PathBuf {
    layout.loop_dir(loop_id).join("history").join(format!("{}.jsonl", E::LIST))
}

fn retire_of<E: HistoryEntry>(layout: &Layout, state: &mut LoopState) -> io::Result<()> {
    let path = place::<E>(layout, &state.loop_id);
    let list = E::list(state);
    let mut staying = E::staying(list).into_iter();
    let (stay, go): (Vec<E>, Vec<E>) =
        std::mem::take(list).into_iter().partition(|_| staying.next().unwrap_or(true));
    if go.is_empty() {
        *list = stay;
        return Ok(());
    }
    let written = add(&path, &go);
    match &written {
        Ok(()) => {
            *list = stay;
            E::count(state.retired.get_or_insert_default(), &go);
        }
        Err(_) => *list = go.into_iter().chain(stay).collect(),
    }
    written
}

/// Adds entries with a single write.
fn add<E: HistoryEntry>(path: &Path, entries: &[E]) -> io::Result<()> {
    let mut bytes = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut bytes, entry)?;
        bytes.push(b'\n');
    }
    if let Some(folder) = path.parent() {
        folders::make(folder)?;
    }
    own_file::append(path)?.write_all(&bytes)
}

fn bring_back_of<E: HistoryEntry>(layout: &Layout, state: &mut LoopState) {
    let bytes = own_file::read(&place::<E>(layout, &state.loop_id)).unwrap_or_default();
    let list = E::list(state);
    *list = merged(entries(&bytes), std::mem::take(list));
}

/// What stands in the file's end. A line that is cut there is none.
fn tail<E: HistoryEntry>(path: &Path) -> io::Result<Vec<E>> {
    let mut file = own_file::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(entries(&bytes))
}

fn entries<E: HistoryEntry>(bytes: &[u8]) -> Vec<E> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Both lists in one: an entry stands where it first stood, as it was last written.
fn merged<E: HistoryEntry>(older: Vec<E>, newer: Vec<E>) -> Vec<E> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<E> = Vec::new();
    for entry in older.into_iter().chain(newer) {
        match places.get(&entry.key()).and_then(|at| all.get_mut(*at)) {
            Some(known) => *known = entry,
            None => {
                places.insert(entry.key(), all.len());
                all.push(entry);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests;
