//! The files of a log: the one that grows, those it was before, and where its chain ends.
//!
//! A rotated file is named after its first line's number, so that the order of the files is that of the chain.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use super::super::atomic::{self, Durability};
use super::super::lock::{HOOK_WAIT, Lock};
use super::super::own_file;
use super::lines::Lines;
use super::{Line, Log, sequence};

/// Removes the lines of a log that are older than its retention, and no younger one.
pub fn prune(log: &Log, now: Timestamp) -> io::Result<()> {
    // As a rule nothing is old, and then nothing is written, no lock either.
    if !begins_old(log, now)? {
        return Ok(());
    }
    let Some(_lock) = Lock::take(&log.path.with_extension("lock"), HOOK_WAIT)? else { return Ok(()) };
    prune_locked(log, now)
}

/// Does so under the log's lock. The head is told first: what it says is gone may still be there, never the reverse.
pub(super) fn prune_locked(log: &Log, now: Timestamp) -> io::Result<()> {
    let path = &log.path;
    let is_old = |time: Timestamp| is_past(log, time, now);
    let rotated = rotated(path)?;
    let mut old = 0;
    for (_, file) in &rotated {
        if newest_time(&mut own_file::open(file)?)?.is_none_or(|newest| !is_old(newest)) {
            break;
        }
        old += 1;
    }
    let oldest_left = rotated.get(old).map_or(path.as_path(), |(_, file)| file);
    let cut = cut_of(oldest_left, &is_old)?;
    if old == 0 && cut.is_none() {
        return Ok(());
    }
    if let Some(head) = Head::read(path) {
        let next = match (&cut, rotated.get(old)) {
            (Some(cut), _) => Some(cut.first),
            (None, Some((first, _))) => Some(*first),
            (None, None) => first_sequence(path)?,
        };
        Head { first: next.unwrap_or(head.seq + 1), ..head }.write(path)?;
    }
    for (_, file) in rotated.iter().take(old) {
        fs::remove_file(file)?;
    }
    cut.map_or(Ok(()), |cut| cut.apply(path, oldest_left))
}

/// Whether the oldest line of a log is past its time.
fn begins_old(log: &Log, now: Timestamp) -> io::Result<bool> {
    let Some(oldest) = all(&log.path)?.into_iter().next() else { return Ok(false) };
    let mut lines = Lines::new(BufReader::new(own_file::open(&oldest)?));
    let first = lines.next_line()?.map(serde_json::from_slice::<Line>);
    Ok(first.is_some_and(|line| line.is_ok_and(|line| is_past(log, line.timestamp, now))))
}

/// Whether a time is longer ago than a log's lines are kept.
fn is_past(log: &Log, time: Timestamp, now: Timestamp) -> bool {
    now.duration_since(time) > SignedDuration::from_hours(i64::from(log.retention_days) * 24)
}

/// A beginning of a file that is to go.
struct Cut {
    /// How long it is, in bytes.
    length: u64,
    /// The number of the first line that stays.
    first: u64,
}

/// What of a file is old, when something younger follows it; a file without old lines costs a look at its first.
fn cut_of(file: &Path, is_old: &dyn Fn(Timestamp) -> bool) -> io::Result<Option<Cut>> {
    let reader = match own_file::open(file) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut lines = Lines::new(reader);
    let mut length = 0;
    while let Some(bytes) = lines.next_line()? {
        let size = bytes.len() as u64 + 1;
        match serde_json::from_slice::<Line>(bytes) {
            // Without a number it is no line that the chain can begin with.
            Ok(line) if !is_old(line.timestamp) && line.seq > 0 => {
                return Ok((length > 0).then_some(Cut { length, first: line.seq }));
            }
            // What can't be read is never taken for old.
            Err(_) => return Ok(None),
            Ok(_) => length += size,
        }
    }
    Ok(None)
}

impl Cut {
    /// Puts what stays in the file's place; a rotated file has another name then.
    fn apply(&self, log: &Path, file: &Path) -> io::Result<()> {
        let mut source = own_file::open(file)?;
        source.seek(SeekFrom::Start(self.length))?;
        let mut rest = Vec::new();
        source.read_to_end(&mut rest)?;
        atomic::write(file, &rest, Durability::Power)?;
        if file == log {
            return Ok(());
        }
        let (before, after) = rotated_name(log);
        fs::rename(file, log.with_file_name(format!("{before}{}{after}", self.first)))
    }
}

/// The rotated files beside the log at `path`, by the number of their first line.
pub(super) fn rotated(path: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let (before, after) = rotated_name(path);
    let mut files = Vec::new();
    for entry in fs::read_dir(path.parent().unwrap_or(Path::new(".")))? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(&before)?.strip_suffix(&after));
        if let Some(number) = number.and_then(|number| number.parse().ok()) {
            files.push((number, entry.path()));
        }
    }
    files.sort();
    Ok(files)
}

/// What stands before and after the number in the name of a rotated file. A sign that no loop's id has divides them
/// from the logs of other loops in the same folder.
fn rotated_name(path: &Path) -> (String, String) {
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = part(path.file_stem());
    let divider = if stem == "hook-log" { '.' } else { '~' };
    (format!("{stem}{divider}"), format!(".{}", part(path.extension())))
}

/// Every file of the log at `path`, in the order of the chain.
pub(super) fn all(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = rotated(path)?.into_iter().map(|(_, path)| path).collect();
    if path.exists() {
        files.push(path.to_owned());
    }
    Ok(files)
}

/// The newest rotated file.
pub(super) fn newest_rotated(path: &Path) -> io::Result<Option<File>> {
    rotated(path)?.last().map(|(_, path)| own_file::open(path)).transpose()
}

/// Gives the file at `path` its rotated name. False when that can't be: the name is taken, or no line has a number.
pub(super) fn rotate(path: &Path, file: &mut File) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let Some(first) = numbered(file)? else { return Ok(false) };
    let (before, after) = rotated_name(path);
    let target = path.with_file_name(format!("{before}{first}{after}"));
    if target.exists() {
        return Ok(false);
    }
    fs::rename(path, &target)?;
    Ok(true)
}

fn first_sequence(path: &Path) -> io::Result<Option<u64>> {
    match own_file::open(path) {
        Ok(mut file) => numbered(&mut file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first number of a file.
fn numbered(file: &mut File) -> io::Result<Option<u64>> {
    let mut reader = Lines::new(BufReader::new(file));
    while let Some(line) = reader.next_line()? {
        if let Some(seq) = sequence(line).filter(|seq| *seq > 0) {
            return Ok(Some(seq));
        }
    }
    Ok(None)
}

/// When the newest line of a file was written; `None` when no line at its end can be read.
pub(super) fn newest_time(file: &mut File) -> io::Result<Option<Timestamp>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(2 * super::LONGEST as u64)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let mut lines = tail.rsplit(|byte| *byte == b'\n');
    Ok(lines.find_map(|line| serde_json::from_slice::<Line>(line).ok()).map(|line| line.timestamp))
}

/// Where the chain begins and ends: beside the log, so that lines taken off either end are missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The first line that retention has left.
    pub(super) first: u64,
    /// The last line.
    pub(super) seq: u64,
    /// Its hash, hex.
    pub(super) hash: String,
    /// How the file was left, where an older version has not written the head.
    pub(super) mark: Option<Mark>,
}

/// How a file was left: whoever writes to it afterwards changes this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    size: u64,
    inode: u64,
    modified: i128,
    changed: i128,
}

impl Mark {
    /// As it is now.
    pub(super) fn of(file: &File) -> Option<Mark> {
        let metadata = file.metadata().ok()?;
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Some(Mark {
            size: metadata.len(),
            inode: metadata.ino(),
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    fn read<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Mark> {
        let size = words.next()?.parse().ok()?;
        let inode = words.next()?.parse().ok()?;
        let modified = words.next()?.parse().ok()?;
        let changed = words.next()?.parse().ok()?;
        Some(Mark { size, inode, modified, changed })
    }
}

impl Head {
    /// What is known of a log's head: beside it, or outside of the project where that knows of more lines.
    pub(super) fn of(log: &Log) -> Option<Head> {
        let beside = Head::read(&log.path);
        let outside = log.witness.as_deref().and_then(Head::read_file);
        match (beside, outside) {
            (Some(beside), Some(outside)) if outside.seq > beside.seq => Some(outside),
            (beside, outside) => beside.or(outside),
        }
    }

    /// Reads the head beside the log at `path`; `None` without one, or when it is none.
    pub(super) fn read(path: &Path) -> Option<Head> {
        Head::read_file(&path.with_extension("head"))
    }

    fn read_file(file: &Path) -> Option<Head> {
        let mut bytes = Vec::with_capacity(300);
        own_file::open(file).ok()?.take(300).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut words = text.split_ascii_whitespace();
        let mut number = || words.next()?.parse().ok();
        let (first, seq) = (number()?, number()?);
        let hash = words.next().filter(|hash| hash.len() == 64)?.to_owned();
        Some(Head { first, seq, hash, mark: Mark::read(words) })
    }

    /// Notes a new last line. `first` is what the head says of the first one.
    pub(super) fn advance(
        log: &Log,
        first: Option<u64>,
        seq: u64,
        hash: String,
        mark: Option<Mark>,
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
        let head = Head { first, seq, hash, mark };
        head.write(path)?;
        if let Some(witness) = &log.witness {
            // Without it the head beside the log is the one that counts.
            head.write_file(witness).ok();
        }
        Ok(())
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        self.write_file(&path.with_extension("head"))
    }

    /// Writes in place: the width never changes, so a reader sees an old head or a new one.
    fn write_file(&self, file: &Path) -> io::Result<()> {
        let mark = self.mark.map(|mark| {
            let Mark { size, inode, modified, changed } = mark;
            format!(" {size:020} {inode:020} {modified:022} {changed:022}")
        });
        let mark = mark.unwrap_or_default();
        let text = format!("{:020} {:020} {}{mark:87}\n", self.first, self.seq, self.hash);
        let mut file = own_file::writable(file)?;
        file.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::audit::append_rotating;
    use crate::state::audit::tests::{CURRENT, line, log_at};
    use crate::state::audit::verification::verify;

    #[test]
    fn logs_that_share_a_folder_are_kept_apart() {
        let dir = tempfile::tempdir().unwrap();
        let logs = ["a.jsonl", "a.1.jsonl"].map(|name| log_at(&dir.path().join(name)));
        for log in &logs {
            (0..3).for_each(|_| append_rotating(log, line("x"), 1).unwrap());
        }
        for log in &logs {
            assert_eq!(rotated(&log.path).unwrap().len(), 2, "{log:?}");
            let report = verify(&log.path).unwrap();
            assert_eq!((report.faults.len(), report.lines), (0, 3), "{report:?}");
        }
        prune(&logs[0], "2026-01-01T00:00:00Z".parse().unwrap()).unwrap();
        let left = logs.each_ref().map(|log| rotated(&log.path).unwrap().len());
        assert_eq!(left, [0, 2]);
        assert_eq!(verify(&logs[0].path).unwrap().faults, []);
    }

    #[test]
    fn what_is_older_than_ninety_days_goes_and_nothing_younger() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(CURRENT);
        let day = |n: i64| Timestamp::from_second(n * 24 * 3600).unwrap();
        // A line a day, two lines a file.
        for n in 0..10 {
            append_rotating(&log_at(&path), Line { timestamp: day(n), ..line("x") }, 400).unwrap();
        }
        let names =
            |path: &Path| -> Vec<u64> { rotated(path).unwrap().into_iter().map(|(n, _)| n).collect() };
        assert_eq!(names(&path), [1, 3, 5, 7]);
        prune(&log_at(&path), day(91)).unwrap();
        assert_eq!(names(&path), [2, 3, 5, 7], "line 2 is of day 1, 90 days old");
        prune(&log_at(&path), day(94)).unwrap();
        assert_eq!(names(&path), [5, 7]);
        let report = verify(&path).unwrap();
        assert_eq!((report.faults.len(), report.lines), (0, 6), "{report:?}");
        // A rotated file that went without retention is missed.
        fs::remove_file(dir.path().join("hook-log.5.jsonl")).unwrap();
        let report = verify(&path).unwrap();
        assert!(report.faults[0].what.contains("5 to 6 are missing"), "{report:?}");
        // A project may keep its lines for a shorter time: line 8 is of day 7.
        let short = Log { retention_days: 1, ..log_at(&path) };
        prune(&short, day(8)).unwrap();
        assert_eq!(names(&path), [8]);
        prune(&short, day(10)).unwrap();
        assert!(names(&path).is_empty());
        let left: Vec<u64> =
            super::super::read(&path, Default::default()).unwrap().map(|l| l.unwrap().seq).collect();
        assert_eq!(left, [10], "the growing file is cut too");
        assert_eq!(verify(&path).unwrap().faults, []);
        append_rotating(&short, Line { timestamp: day(10), ..line("x") }, 400).unwrap();
        assert_eq!(verify(&path).unwrap().faults, []);
    }
}
