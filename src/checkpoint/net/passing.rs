//! Calls that were never heard of again: the client refused them, a person said no, or they were broken off.
//!
//! Invariant: an agent makes its calls one after another, so what is found after it began the next one is that one's.
//! Where the client runs some side by side after all, the end of the earlier one brings what was found meanwhile.

use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::opened::{self, OpenedCall};
use crate::checkpoint::store::Store;

use super::closing::take_in;

/// So many calls that may yet be heard of are kept in sight of one loop.
const MOST: usize = 8;

/// The calls of an agent that have not ended and are not known to be passed over.
pub(super) fn passed_over(
    store: &Store,
    loop_id: &str,
    agent: Option<&str>,
) -> Result<Vec<OpenedCall>, Error> {
    let files = opened::files(store)?;
    let calls = files.iter().filter_map(|path| OpenedCall::read(path));
    let is_meant =
        |call: &OpenedCall| call.loop_id == loop_id && call.agent.as_deref() == agent && !call.is_passed;
    Ok(calls.filter(is_meant).collect())
}

/// Takes in what those calls have changed until now. Whatever is found from now on counts for them only if they are
/// heard of.
pub(super) fn pass_over(
    store: &Store,
    loop_id: &str,
    agent: Option<&str>,
    now: Timestamp,
) -> Result<(), Error> {
    let calls = passed_over(store, loop_id, agent)?;
    if calls.is_empty() {
        return Ok(());
    }
    for mut call in calls {
        take_in(store, &call, now)?;
        call.before.clear();
        call.unkept.clear();
        call.older = None;
        call.is_passed = true;
        call.write(store)?;
    }
    forget_oldest(store, loop_id)
}

fn forget_oldest(store: &Store, loop_id: &str) -> Result<(), Error> {
    let read = |path: PathBuf| OpenedCall::read(&path).map(|call| (call, path));
    let mut passed: Vec<(OpenedCall, PathBuf)> = opened::files(store)?.into_iter().filter_map(read).collect();
    passed.retain(|(call, _)| call.loop_id == loop_id && call.is_passed);
    passed.sort_by_key(|(call, _)| call.began);
    let surplus = passed.len().saturating_sub(MOST);
    for (_, path) in passed.into_iter().take(surplus) {
        fs::remove_file(&path).map_err(Error::io("remove", &path))?;
    }
    Ok(())
}
