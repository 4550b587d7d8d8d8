//! `hook-log.jsonl`: one compact line per invocation, each carrying the hash of the line before it.
//!
//! The chain runs on through rotation, so a line that was changed, taken out, moved or put in is found by
//! [`verify`]. `hook-log.head` says where the chain ends, or the newest lines could be taken off unseen. Appending
//! reads the end of the log alone: it costs the same however long the log is.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::damaged::set_aside;
use super::lock::{HOOK_WAIT, Lock};
use super::own_file;

mod end;
mod files;
mod head;
mod line;
mod lines;
mod reading;
mod retention;
mod verification;

pub use line::{Line, hash};
pub use reading::{Filter, newest, read};
pub use retention::prune;
pub use verification::{LineRemark, LogVerification, verify_log};

use end::LogEnd;
use head::{ChainHead, LogFileStat};
use line::bytes;

/// How long lines are kept where the project says nothing, days.
pub const RETENTION_DAYS: u32 = 90;
/// The log is rotated when it has grown to this, in bytes.
const FULL: u64 = 8 << 20;
/// A log is rotated long before it is as large as this, in bytes: one that is was not written by the guard.
const OVERGROWN: u64 = 64 << 20;

/// A log that is written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookLog {
    /// The growing file.
    pub path: PathBuf,
    /// How long its lines are kept.
    pub retention_days: u32,
    /// Where its head stands outside of the project; `None` where nothing is kept there.
    pub witness: Option<PathBuf>,
}

/// Appends a line: takes the log's lock, reads the end of the file, continues the chain, writes once. When the lock
/// can't be had in time the line is written all the same, with `seq` 0, rather than lost.
pub fn append(log: &HookLog, line: Line) -> io::Result<()> {
    append_rotating(log, line, FULL)
}

fn append_rotating(log: &HookLog, mut line: Line, full: u64) -> io::Result<()> {
    let path = &log.path;
    let Some(_lock) = Lock::take(&path.with_extension("lock"), HOOK_WAIT)? else {
        (line.seq, line.prev_hash) = (0, String::new());
        return open(path)?.write_all(&bytes(&line)?);
    };
    let mut file = open(path)?;
    if file.metadata()?.len() > OVERGROWN {
        set_aside(path, line.timestamp)?;
        file = open(path)?;
    }
    let mut end = LogEnd::of(&mut file)?;
    if end.length >= full && files::rotate(path, &mut file)? {
        retention::prune_locked(log, line.timestamp)?;
        file = open(path)?;
        end = LogEnd { length: 0, open: false, ..end };
    } else if end.length == 0
        && let Some(mut newest) = files::newest_rotated(path)?
    {
        end = LogEnd { length: 0, open: false, ..LogEnd::of(&mut newest)? };
    }
    let is_open = end.open;
    // A loop that begins may have the name of one whose folder is gone.
    let begins = end.seq == 0 && line.hook_name == "loop_start";
    let head = if begins { ChainHead::read(path) } else { ChainHead::of(log) };
    let (seq, hash_before) = end.continued(head.as_ref());
    line.seq = seq + 1;
    line.prev_hash = hash_before;
    let mut written = bytes(&line)?;
    let hash = hash(written.trim_ascii_end());
    if is_open {
        written.insert(0, b'\n');
    }
    file.write_all(&written)?;
    let first = head.map(|head| head.first);
    ChainHead::advance(log, first, line.seq, hash, LogFileStat::of(&file))
}

/// Whether something else than [`append`] has written to a log: what is wrong with it then. Costs a look at each of its
/// files while nothing has.
pub fn changed_by_others(log: &HookLog) -> Option<LogVerification> {
    let mark = ChainHead::of(log)?.mark?;
    if own_file::open(&log.path).ok().and_then(|file| LogFileStat::of(&file)) == Some(mark) {
        return None;
    }
    // A crash, a lock that was not had and retention leave their traces too: only the chain itself tells.
    verify_log(log).ok().filter(|report| !report.faults.is_empty())
}

fn open(path: &Path) -> io::Result<File> {
    own_file::append(path)
}

#[cfg(test)]
pub(super) mod tests;
