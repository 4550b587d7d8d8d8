//! Lines that are older than a log's retention go, with the files that hold no other.

use std::fs;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use super::files::{all, first_sequence, newest_time, rotated, rotated_name};
use super::head::ChainHead;
use super::lines::BoundedLines;
use super::{HookLog, Line};
use crate::state::atomic::{self, Durability};
use crate::state::lock::{HOOK_WAIT, Lock};
use crate::state::own_file;

/// Removes the lines of a log that are older than its retention, and no younger one.
pub fn prune(log: &HookLog, now: Timestamp) -> io::Result<()> {
    // As a rule nothing is old, and then nothing is written, no lock either.
    if !begins_old(log, now)? {
        return Ok(());
    }
    let Some(_lock) = Lock::take(&log.path.with_extension("lock"), HOOK_WAIT)? else { return Ok(()) };
    prune_locked(log, now)
}

/// Does so under the log's lock. The head is told first: what it says is gone may still be there, never the reverse.
pub(super) fn prune_locked(log: &HookLog, now: Timestamp) -> io::Result<()> {
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
    if let Some(head) = ChainHead::read(path) {
        let next = match (&cut, rotated.get(old)) {
            (Some(cut), _) => Some(cut.first),
            (None, Some((first, _))) => Some(*first),
            (None, None) => first_sequence(path)?,
        };
        ChainHead { first: next.unwrap_or(head.seq + 1), ..head }.write(path)?;
    }
    for (_, file) in rotated.iter().take(old) {
        fs::remove_file(file)?;
    }
    cut.map_or(Ok(()), |cut| cut.apply(path, oldest_left))
}

/// Whether the oldest line of a log is past its time.
fn begins_old(log: &HookLog, now: Timestamp) -> io::Result<bool> {
    let Some(oldest) = all(&log.path)?.into_iter().next() else { return Ok(false) };
    let mut lines = BoundedLines::new(BufReader::new(own_file::open(&oldest)?));
    let first = lines.next_line()?.map(serde_json::from_slice::<Line>);
    Ok(first.is_some_and(|line| line.is_ok_and(|line| is_past(log, line.timestamp, now))))
}

/// Whether a time is longer ago than a log's lines are kept.
fn is_past(log: &HookLog, time: Timestamp, now: Timestamp) -> bool {
    now.duration_since(time) > SignedDuration::from_hours(i64::from(log.retention_days) * 24)
}

/// A beginning of a file that is to go.
struct LogCut {
    /// How long it is, in bytes.
    length: u64,
    /// The number of the first line that stays.
    first: u64,
}

/// What of a file is old, when something younger follows it; a file without old lines costs a look at its first.
fn cut_of(file: &Path, is_old: &dyn Fn(Timestamp) -> bool) -> io::Result<Option<LogCut>> {
    let reader = match own_file::open(file) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut lines = BoundedLines::new(reader);
    let mut length = 0;
    while let Some(bytes) = lines.next_line()? {
        let size = bytes.len() as u64 + 1;
        match serde_json::from_slice::<Line>(bytes) {
            // Without a number it is no line that the chain can begin with.
            Ok(line) if !is_old(line.timestamp) && line.seq > 0 => {
                return Ok((length > 0).then_some(LogCut { length, first: line.seq }));
            }
            // What can't be read is never taken for old.
            Err(_) => return Ok(None),
            Ok(_) => length += size,
        }
    }
    Ok(None)
}

impl LogCut {
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
        let short = HookLog { retention_days: 1, ..log_at(&path) };
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
