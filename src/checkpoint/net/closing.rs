//! Takes in what calls over a net have changed, as their checkpoints.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue::EndedCall;
use crate::checkpoint::net::{Effort, NetChanges, git_index, lock, look};
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects_lock;
use crate::checkpoint::opened::{self, OpenedCall};
use crate::checkpoint::settle::{self, SettledChanges};
use crate::checkpoint::store::Store;
use crate::checkpoint::way;

/// Takes in what a call over a net has changed, as its checkpoint. `None` when no net was laid under it.
pub fn close(
    store: &Store,
    call: EndedCall<'_>,
    effort: &Effort<'_>,
    now: Timestamp,
) -> Result<Option<NetChanges>, Error> {
    let path = opened::file(store, call.loop_id, call.tool_call_id);
    if !path.exists() {
        return Ok(None);
    }
    let _lock = lock(store)?;
    let _writing = objects_lock::writing(store)?;
    let look = look(store, effort)?;
    let closed = close_one(store, &path, now)?;
    Ok(closed.map(|closed| NetChanges { older: closed.older.filter(|_| look.changed.is_some()), ..closed }))
}

/// Takes in what calls have changed that never ended: those of a loop, or of all.
pub fn close_left(
    store: &Store,
    loop_id: Option<&str>,
    effort: &Effort<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let is_meant =
        |path: &PathBuf| OpenedCall::read(path).is_none_or(|it| loop_id.is_none_or(|id| id == it.loop_id));
    let files: Vec<PathBuf> = opened::files(store)?.into_iter().filter(is_meant).collect();
    if files.is_empty() {
        return Ok(());
    }
    let _lock = lock(store)?;
    let _writing = objects_lock::writing(store)?;
    look(store, effort)?;
    for path in files {
        match OpenedCall::read(&path).filter(|opened| opened.is_passed) {
            // What came after the agent's next call is that one's.
            Some(_) => fs::remove_file(&path).map_err(Error::io("remove", &path))?,
            None => drop(close_one(store, &path, now)?),
        }
    }
    Ok(())
}

fn close_one(store: &Store, path: &Path, now: Timestamp) -> Result<Option<NetChanges>, Error> {
    let closed = match OpenedCall::read(path) {
        Some(opened) => Some(take_in(store, &opened, now)?),
        None => None,
    };
    fs::remove_file(path).map_err(Error::io("remove", path))?;
    Ok(closed)
}

/// Adds what a call was found to have changed to its checkpoint.
pub(super) fn take_in(store: &Store, opened: &OpenedCall, now: Timestamp) -> Result<NetChanges, Error> {
    let closed = settled(store, opened);
    if !closed.before.is_empty() || !closed.unkept.is_empty() {
        let found = SettledChanges {
            call: opened.call(),
            tool: &opened.tool,
            summary: &opened.summary,
            before: &closed.before,
            unkept: &closed.unkept,
            began: opened.began,
            now,
        };
        settle::add(store, &found)?;
    }
    Ok(closed)
}

/// Whether a common part of split indexes stands beside an index that came with it: those of a new working tree.
fn came_with_its_index(opened: &OpenedCall, part: &Path) -> bool {
    let index = part.with_file_name("index");
    opened.before.iter().any(|entry| entry.node == Node::Absent && entry.path == index)
}

/// What is not as it was when the call began.
fn settled(store: &Store, opened: &OpenedCall) -> NetChanges {
    let is_changed = |entry: &&Entry| {
        let came = entry.node == Node::Absent;
        if came && git_index::is_common_part(&entry.path) && !came_with_its_index(opened, &entry.path) {
            return false;
        }
        let now = way::look(&store.path(&entry.path)).unwrap_or(Node::Other);
        !entry.node.same(&now) && !git_index::same_with_sizes(store, &entry.path, &entry.node, &now)
    };
    let before: Vec<Entry> = opened.before.iter().filter(is_changed).cloned().collect();
    let (unkept, older) = (opened.unkept.clone(), opened.older.clone());
    NetChanges { is_whole: opened.is_whole, before, unkept, older }
}
