//! `hook-log.jsonl`: one compact line per invocation, each carrying the hash of the line before it.
//!
//! The chain runs on through rotation, so a line that was changed, taken out, moved or put in is found by
//! [`verify`]. `hook-log.head` says where the chain ends, or the newest lines could be taken off unseen. Appending
//! reads the end of the log alone: it costs the same however long the log is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::damaged::set_aside;
use super::hex::hex;
use super::lock::{HOOK_WAIT, Lock};
use super::own_file;
use super::schema::DateTime;

mod files;
mod lines;
mod reading;
mod verification;

pub use files::prune;
pub use reading::{Filter, newest, read};
pub use verification::{LogVerification, Remark, verify_log};

use files::{Head, Mark};

/// How long lines are kept where the project says nothing, days.
pub const RETENTION_DAYS: u32 = 90;
/// The log is rotated when it has grown to this, in bytes.
const FULL: u64 = 8 << 20;
/// What is looked at first to find the last line, in bytes. More only when that line is longer.
const TAIL: u64 = 4 << 10;
/// A longer line is cut, in bytes.
const LONGEST: usize = 32 << 10;
/// What stays of a text in a line that is cut, in characters.
const CUT: usize = 200;

/// One invocation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// When the hook was done.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// The lifecycle hook, or the host's event where none fired.
    pub hook_name: String,
    /// The agent's host; absent where it is Claude Code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub host: Option<String>,
    /// The loop.
    pub loop_id: String,
    /// Its iteration.
    pub iteration: u32,
    /// The agents that were asked, by the documents' names.
    pub agents_invoked: Vec<String>,
    /// What came of it: the verdict, pattern ids, warnings, failures.
    pub outcomes: Vec<Value>,
    /// The state fields that changed.
    pub state_changes: Map<String, Value>,
    /// What the hook itself took, whole milliseconds: from the line that the same process wrote before, or from its start.
    pub duration_ms: u64,
    /// From 1, without a gap.
    pub seq: u64,
    /// SHA-256 of the line before, hex; empty for the first.
    #[schemars(regex(pattern = "^([0-9a-f]{64})?$"))]
    pub prev_hash: String,
}

impl Line {
    /// A line of a hook in a loop, with nothing in it yet. Its place in the chain is found when it is appended.
    pub fn new(hook_name: &str, loop_id: &str, iteration: u32, timestamp: Timestamp) -> Self {
        Line {
            timestamp,
            hook_name: hook_name.to_owned(),
            host: None,
            loop_id: loop_id.to_owned(),
            iteration,
            agents_invoked: Vec::new(),
            outcomes: Vec::new(),
            state_changes: Map::new(),
            duration_ms: 0,
            seq: 0,
            prev_hash: String::new(),
        }
    }
}

/// A log is rotated long before it is as large as this, in bytes: one that is was not written by the guard.
const OVERGROWN: u64 = 64 << 20;

/// A log that is written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The growing file.
    pub path: PathBuf,
    /// How long its lines are kept.
    pub retention_days: u32,
    /// Where its head stands outside of the project; `None` where nothing is kept there.
    pub witness: Option<PathBuf>,
}

/// Appends a line: takes the log's lock, reads the end of the file, continues the chain, writes once. When the lock
/// can't be had in time the line is written all the same, with `seq` 0, rather than lost.
pub fn append(log: &Log, line: Line) -> io::Result<()> {
    append_rotating(log, line, FULL)
}

fn append_rotating(log: &Log, mut line: Line, full: u64) -> io::Result<()> {
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
    let mut end = End::of(&mut file)?;
    if end.length >= full && files::rotate(path, &mut file)? {
        files::prune_locked(log, line.timestamp)?;
        file = open(path)?;
        end = End { length: 0, open: false, ..end };
    } else if end.length == 0
        && let Some(mut newest) = files::newest_rotated(path)?
    {
        end = End { length: 0, open: false, ..End::of(&mut newest)? };
    }
    let is_open = end.open;
    // A loop that begins may have the name of one whose folder is gone.
    let begins = end.seq == 0 && line.hook_name == "loop_start";
    let head = if begins { Head::read(path) } else { Head::of(log) };
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
    Head::advance(log, first, line.seq, hash, Mark::of(&file))
}

/// Whether something else than [`append`] has written to a log: what is wrong with it then. Costs a look at each of its
/// files while nothing has.
pub fn changed_by_others(log: &Log) -> Option<LogVerification> {
    let mark = Head::of(log)?.mark?;
    if own_file::open(&log.path).ok().and_then(|file| Mark::of(&file)) == Some(mark) {
        return None;
    }
    // A crash, a lock that was not had and retention leave their traces too: only the chain itself tells.
    verify_log(log).ok().filter(|report| !report.faults.is_empty())
}

fn open(path: &Path) -> io::Result<File> {
    own_file::append(path)
}

/// The hash of a line without its line feed, hex.
pub fn hash(line: &[u8]) -> String {
    hex(&Sha256::digest(line))
}

/// A line as it is written, line feed included.
fn bytes(line: &Line) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    if bytes.len() > LONGEST {
        bytes = serde_json::to_vec(&cut(line))?;
    }
    bytes.push(b'\n');
    Ok(bytes)
}

/// The line with every long value cut, and every long list.
fn cut(line: &Line) -> Line {
    let cut_text = |text: &str| -> String {
        let mut short: String = text.chars().take(CUT).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        short
    };
    let cut_value = |value: &Value| match value {
        Value::String(text) => Value::from(cut_text(text)),
        Value::Array(_) | Value::Object(_) => Value::from(cut_text(&value.to_string())),
        other => other.clone(),
    };
    Line {
        hook_name: cut_text(&line.hook_name),
        agents_invoked: line.agents_invoked.iter().take(20).map(|name| cut_text(name)).collect(),
        outcomes: line.outcomes.iter().take(20).map(cut_value).collect(),
        state_changes: line
            .state_changes
            .iter()
            .take(20)
            .map(|(field, value)| (cut_text(field), cut_value(value)))
            .collect(),
        ..line.clone()
    }
}

fn sequence(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Sequence {
        seq: u64,
    }
    serde_json::from_slice::<Sequence>(line).ok().map(|line| line.seq)
}

/// The end of a log file.
struct End {
    /// Bytes in the file.
    length: u64,
    /// The hash of the last line, whatever it is; empty for an empty file.
    hash: String,
    /// The newest number in the chain.
    seq: u64,
    /// The hash of the line with that number.
    numbered: String,
    /// Whether a crash left the last line without its line feed.
    open: bool,
}

impl End {
    /// The number and the hash that the next line follows. Where the head knows of lines that are gone, or of another
    /// last one, the chain goes on from what it knows, so that the gap stays to be seen.
    fn continued(self, head: Option<&Head>) -> (u64, String) {
        match head {
            Some(head) if head.seq > self.seq => (head.seq, head.hash.clone()),
            Some(head) if head.seq == self.seq && head.hash != self.numbered => (head.seq, head.hash.clone()),
            _ => (self.seq, self.hash),
        }
    }

    /// Reads backwards, further each time, until there is a whole numbered line or the file begins.
    fn of(file: &mut File) -> io::Result<End> {
        let length = file.seek(SeekFrom::End(0))?;
        let mut size = TAIL;
        loop {
            let start = length.saturating_sub(size);
            file.seek(SeekFrom::Start(start))?;
            let mut tail = Vec::with_capacity((length - start) as usize);
            file.take(length - start).read_to_end(&mut tail)?;
            let open = tail.last().is_some_and(|byte| *byte != b'\n');
            // Without the file's beginning the first piece may be the end of a line.
            let from = if start == 0 {
                0
            } else {
                tail.iter().position(|b| *b == b'\n').map_or(tail.len(), |n| n + 1)
            };
            let mut lines = tail[from..].rsplit(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            let last = lines.clone().next();
            let seq = lines.find_map(|line| Some((sequence(line).filter(|seq| *seq > 0)?, hash(line))));
            if start == 0 || (last.is_some() && seq.is_some()) {
                return Ok(End {
                    length,
                    hash: last.map(hash).unwrap_or_default(),
                    seq: seq.as_ref().map_or(0, |(seq, _)| *seq),
                    numbered: seq.map(|(_, hash)| hash).unwrap_or_default(),
                    open,
                });
            }
            size *= 4;
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
