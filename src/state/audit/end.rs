//! The end of a log file, which the next line follows.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::head::ChainHead;
use super::line::{hash, sequence};

/// What is looked at first to find the last line, in bytes. More only when that line is longer.
const TAIL: u64 = 4 << 10;

/// The end of a log file.
pub(super) struct LogEnd {
    /// Bytes in the file.
    pub(super) length: u64,
    /// The hash of the last line, whatever it is; empty for an empty file.
    pub(super) hash: String,
    /// The newest number in the chain.
    pub(super) seq: u64,
    /// The hash of the line with that number.
    pub(super) numbered: String,
    /// Whether a crash left the last line without its line feed.
    pub(super) open: bool,
}

impl LogEnd {
    /// The number and the hash that the next line follows. Where the head knows of lines that are gone, or of another
    /// last one, the chain goes on from what it knows, so that the gap stays to be seen.
    pub(super) fn continued(self, head: Option<&ChainHead>) -> (u64, String) {
        match head {
            Some(head) if head.seq > self.seq => (head.seq, head.hash.clone()),
            Some(head) if head.seq == self.seq && head.hash != self.numbered => (head.seq, head.hash.clone()),
            _ => (self.seq, self.hash),
        }
    }

    /// Reads backwards, further each time, until there is a whole numbered line or the file begins.
    pub(super) fn of(file: &mut File) -> io::Result<LogEnd> {
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
                return Ok(LogEnd {
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
