//! `hook-log.jsonl`: one compact line per invocation, each carrying the hash of the line before it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::lock::{HOOK_WAIT, Lock};

/// What is looked at to find the last line. A line is never longer: its texts are cut.
const TAIL: u64 = 64 * 1024;

/// One invocation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// When the hook was done.
    pub timestamp: Timestamp,
    /// The lifecycle hook, or the host's event where none fired.
    pub hook_name: String,
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
    /// From the start of the process, whole milliseconds.
    pub duration_ms: u64,
    /// From 1, without a gap.
    pub seq: u64,
    /// SHA-256 of the line before, hex; empty for the first.
    pub prev_hash: String,
}

/// Appends a line: takes the log's lock, reads the end of the file, continues the chain, writes once. When the lock
/// can't be had in time the line is written all the same, with `seq` 0, rather than lost.
pub fn append(path: &Path, mut line: Line) -> io::Result<()> {
    let lock = Lock::take(&path.with_extension("lock"), HOOK_WAIT)?;
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    if lock.is_some() {
        let tail = tail(&mut file)?;
        let mut lines = tail.rsplit(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        line.prev_hash = lines.clone().next().map(hash).unwrap_or_default();
        line.seq = lines.find_map(sequence).unwrap_or(0) + 1;
    }
    let mut bytes = serde_json::to_vec(&line)?;
    bytes.push(b'\n');
    file.write_all(&bytes)
}

/// The hash of a line without its line feed, hex.
pub fn hash(line: &[u8]) -> String {
    Sha256::digest(line).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sequence(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Sequence {
        seq: u64,
    }
    serde_json::from_slice::<Sequence>(line).ok().map(|line| line.seq)
}

/// The end of the log. Half a line, left by a crash, is closed with a line feed so that the next stands alone.
fn tail(file: &mut File) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    if tail.last().is_some_and(|byte| *byte != b'\n') {
        file.write_all(b"\n")?;
    }
    Ok(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str) -> Line {
        Line {
            timestamp: Timestamp::UNIX_EPOCH,
            hook_name: name.into(),
            loop_id: "l".into(),
            iteration: 1,
            agents_invoked: vec![],
            outcomes: vec![Value::from("pass")],
            state_changes: Map::new(),
            duration_ms: 1,
            seq: 0,
            prev_hash: String::new(),
        }
    }

    fn read(path: &Path) -> Vec<(Vec<u8>, Line)> {
        let text = std::fs::read(path).unwrap();
        text.split(|b| *b == b'\n')
            .filter(|l| !l.is_empty())
            .map(|l| (l.to_vec(), serde_json::from_slice(l).unwrap()))
            .collect()
    }

    #[test]
    fn lines_of_parallel_writers_form_one_chain() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hook-log.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    (0..10).for_each(|n| append(path, line(&format!("{writer}-{n}"))).unwrap())
                });
            }
        });
        let lines = read(&path);
        assert_eq!(lines.len(), 80);
        let mut previous = String::new();
        for (n, (bytes, line)) in lines.iter().enumerate() {
            assert_eq!((line.seq, &line.prev_hash), (n as u64 + 1, &previous));
            previous = hash(bytes);
        }
    }

    #[test]
    fn half_a_line_from_a_crash_spoils_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hook-log.jsonl");
        append(&path, line("a")).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"timesta").unwrap();
        append(&path, line("b")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let last: Line = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!((last.hook_name.as_str(), last.seq), ("b", 2));
        assert_eq!(last.prev_hash, hash(b"{\"timesta"));
    }
}
