//! Where the chain of a log begins and ends, in a file beside the log.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::HookLog;
use super::files::{first_sequence, rotated};
use crate::state::own_file;

/// Where the chain begins and ends: beside the log, so that lines taken off either end are missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChainHead {
    /// The first line that retention has left.
    pub(super) first: u64,
    /// The last line.
    pub(super) seq: u64,
    /// Its hash, hex.
    pub(super) hash: String,
    /// How the file was left, where an older version has not written the head.
    pub(super) mark: Option<LogFileStat>,
}

/// How a file was left: whoever writes to it afterwards changes this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogFileStat {
    size: u64,
    inode: u64,
    modified: i128,
    changed: i128,
}

impl LogFileStat {
    /// As it is now.
    pub(super) fn of(file: &File) -> Option<LogFileStat> {
        let metadata = file.metadata().ok()?;
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Some(LogFileStat {
            size: metadata.len(),
            inode: metadata.ino(),
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    fn read<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<LogFileStat> {
        let size = words.next()?.parse().ok()?;
        let inode = words.next()?.parse().ok()?;
        let modified = words.next()?.parse().ok()?;
        let changed = words.next()?.parse().ok()?;
        Some(LogFileStat { size, inode, modified, changed })
    }
}

impl ChainHead {
    /// What is known of a log's head: beside it, or outside of the project where that knows of more lines.
    pub(super) fn of(log: &HookLog) -> Option<ChainHead> {
        let beside = ChainHead::read(&log.path);
        let outside = log.witness.as_deref().and_then(ChainHead::read_file);
        match (beside, outside) {
            (Some(beside), Some(outside)) if outside.seq > beside.seq => Some(outside),
            (beside, outside) => beside.or(outside),
        }
    }

    /// Reads the head beside the log at `path`; `None` without one, or when it is none.
    pub(super) fn read(path: &Path) -> Option<ChainHead> {
        ChainHead::read_file(&path.with_extension("head"))
    }

    fn read_file(file: &Path) -> Option<ChainHead> {
        let mut bytes = Vec::with_capacity(300);
        own_file::open(file).ok()?.take(300).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut words = text.split_ascii_whitespace();
        let mut number = || words.next()?.parse().ok();
        let (first, seq) = (number()?, number()?);
        let hash = words.next().filter(|hash| hash.len() == 64)?.to_owned();
        Some(ChainHead { first, seq, hash, mark: LogFileStat::read(words) })
    }

    /// Notes a new last line. `first` is what the head says of the first one.
    pub(super) fn advance(
        log: &HookLog,
        first: Option<u64>,
        seq: u64,
        hash: String,
        mark: Option<LogFileStat>,
    ) -> io::Result<()> {
        let path = &log.path;
        let first = match first {
            Some(first) => first,
            // The head is lost, or the log is new.
            None => match rotated(path)?.first() {
                Some((first, _)) => *first,
                None => first_sequence(path)?.unwrap_or(seq),
            },
        };
        let head = ChainHead { first, seq, hash, mark };
        head.write(path)?;
        if let Some(witness) = &log.witness {
            // Without it the head beside the log is the one that counts.
            head.write_file(witness).ok();
        }
        Ok(())
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        self.write_file(&path.with_extension("head"))
    }

    /// Writes in place: the width never changes, so a reader sees an old head or a new one.
    fn write_file(&self, file: &Path) -> io::Result<()> {
        let mark = self.mark.map(|mark| {
            let LogFileStat { size, inode, modified, changed } = mark;
            format!(" {size:020} {inode:020} {modified:022} {changed:022}")
        });
        let mark = mark.unwrap_or_default();
        let text = format!("{:020} {:020} {}{mark:87}\n", self.first, self.seq, self.hash);
        let mut file = own_file::writable(file)?;
        file.write_all(text.as_bytes())
    }
}
