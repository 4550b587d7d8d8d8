//! Whether a log is what was written: every line where it was put, none changed, none gone, none added.
//!
//! Only what a crash or a lock that was not had leaves behind is a note. Whoever can rewrite the whole log, its hashes
//! and its head can't be found out this way: that needs a copy elsewhere.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;

use super::super::own_file;
use super::files;
use super::head::ChainHead;
use super::lines::BoundedLines;
use super::{HookLog, Line, hash};

/// What was found out about a log.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LogVerification {
    /// The lines that were read, over all files.
    pub lines: u64,
    /// The files that were read, in order.
    pub files: Vec<PathBuf>,
    /// Signs that the log was tampered with.
    pub faults: Vec<LineRemark>,
    /// What is unusual and has an honest cause.
    pub notes: Vec<LineRemark>,
}

/// How every line begins.
const BEGINNING: &[u8] = b"{\"timestamp\":";

/// What is said of one that is not whole.
const HALF: &str = "is half a line, left by a crash";

/// A remark about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRemark {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1; 0 when the whole file is meant.
    pub line: u64,
    /// What it is, as a fact.
    pub what: String,
}

impl LineRemark {
    /// It in one sentence.
    pub fn in_words(&self) -> String {
        match self.line {
            0 => self.what.clone(),
            line => format!("line {line} {}", self.what),
        }
    }
}

/// Checks a log against its head, also where that stands outside of the project.
pub fn verify_log(log: &HookLog) -> io::Result<LogVerification> {
    // Read before the lines: a hook may append while they are read, and then there are more of them, not fewer.
    check(&log.path, ChainHead::of(log))
}

/// Checks the log at `path` against the head beside it.
#[cfg(test)]
pub(crate) fn verify(path: &Path) -> io::Result<LogVerification> {
    check(path, ChainHead::read(path))
}

fn check(path: &Path, head: Option<ChainHead>) -> io::Result<LogVerification> {
    let files = files::all(path)?;
    let mut chain = ChainCheck::default();
    for file in &files {
        let mut lines = BoundedLines::new(BufReader::new(own_file::open(file)?));
        chain.file = file.clone();
        chain.number = 0;
        while let Some(bytes) = lines.next_line()? {
            chain.number += 1;
            chain.line(bytes, head.as_ref());
        }
    }
    chain.file = path.to_owned();
    chain.end(head.as_ref());
    chain.report.files = files;
    Ok(chain.report)
}

/// A line that was read.
#[derive(Debug, Clone)]
struct ReadLine {
    file: PathBuf,
    number: u64,
    hash: String,
    /// Whether it may be what a death while it was written has left.
    is_half: bool,
}

/// The state of a check between two lines.
#[derive(Default)]
struct ChainCheck {
    report: LogVerification,
    file: PathBuf,
    number: u64,
    /// The last line with a number, and its number.
    last: Option<(u64, ReadLine)>,
    /// A numbered line since then that stood in the wrong place.
    stray: Option<(u64, ReadLine)>,
    /// Lines since then that were written without the lock: the next may follow any of them, or the last.
    unlocked: Vec<ReadLine>,
    /// What can't be read since then.
    broken: Vec<ReadLine>,
}

impl ChainCheck {
    fn line(&mut self, bytes: &[u8], head: Option<&ChainHead>) {
        if bytes.is_empty() {
            return;
        }
        self.report.lines += 1;
        let is_half = is_half(bytes);
        let seen = ReadLine { file: self.file.clone(), number: self.number, hash: hash(bytes), is_half };
        match serde_json::from_slice::<Line>(bytes) {
            Err(_) => self.broken.push(seen),
            Ok(line) if line.seq == 0 => {
                note(
                    &mut self.report.notes,
                    &seen,
                    "was written without the lock, so nothing vouches for it",
                );
                self.unlocked.push(seen);
            }
            Ok(line) => self.numbered(&line, seen, head),
        }
    }

    fn numbered(&mut self, line: &Line, seen: ReadLine, head: Option<&ChainHead>) {
        let follows_broken = self.broken.last().is_some_and(|broken| broken.hash == line.prev_hash);
        let follows = follows_broken
            || self.last.as_ref().is_some_and(|(_, last)| last.hash == line.prev_hash)
            || self.unlocked.iter().any(|unlocked| unlocked.hash == line.prev_hash);
        let excused = self.settle_broken(follows_broken, follows);
        let expected = match &self.last {
            Some((seq, _)) => seq + 1,
            // Retention notes what it will leave before it removes the rest, and may have been killed in between.
            None => head.map_or(line.seq, |head| head.first.min(line.seq)),
        };
        let follows_stray = self
            .stray
            .as_ref()
            .is_some_and(|(seq, stray)| line.seq == seq + 1 && stray.hash == line.prev_hash);
        if line.seq < expected && !follows_stray {
            let what = format!("is number {} after {}: it was put in or moved", line.seq, expected - 1);
            note(&mut self.report.faults, &seen, &what);
            // What it should follow is before it already, so the next line is compared with that first.
            self.stray = Some((line.seq, seen));
            return;
        }
        if line.seq > expected && !excused {
            let missing = span(expected, line.seq - 1);
            note(
                &mut self.report.faults,
                &seen,
                &format!("is number {}: {missing} missing before it", line.seq),
            );
        } else if line.seq == expected && !follows && !excused {
            self.unfollowed(line, &seen);
        }
        self.last = Some((line.seq, seen));
        self.stray = None;
        self.unlocked.clear();
    }

    /// A line with the right number does not name the line before it.
    fn unfollowed(&mut self, line: &Line, seen: &ReadLine) {
        match &self.last {
            Some((_, last)) => {
                note(&mut self.report.faults, last, "was changed: the next line has another hash for it");
            }
            None if line.seq == 1 && !line.prev_hash.is_empty() => {
                note(&mut self.report.faults, seen, "is the first and names a line before it");
            }
            None => {}
        }
    }

    /// Says what the unreadable lines before a numbered one are. True when they explain a gap in the chain.
    fn settle_broken(&mut self, follows_broken: bool, follows: bool) -> bool {
        let broken = std::mem::take(&mut self.broken);
        for (n, line) in broken.iter().enumerate() {
            if follows_broken && line.is_half {
                note(&mut self.report.notes, line, HALF);
            } else if follows || follows_broken {
                note(&mut self.report.faults, line, "was put in: no line of the chain knows it");
            } else if n == 0 {
                note(&mut self.report.faults, line, "was changed: it can't be read");
            }
        }
        !broken.is_empty() && !follows_broken && !follows
    }

    fn end(&mut self, head: Option<&ChainHead>) {
        let (file, number) = (self.file.clone(), self.number);
        let at_end = ReadLine { file, number, hash: String::new(), is_half: false };
        let (last_seq, last) = match &self.last {
            Some((seq, seen)) => (*seq, seen.clone()),
            None => (0, at_end.clone()),
        };
        let missing = head.is_some_and(|head| head.seq > last_seq);
        for broken in std::mem::take(&mut self.broken) {
            let faults = &mut self.report.faults;
            match (missing, broken.is_half) {
                (true, _) => note(faults, &broken, "was changed: it can't be read"),
                (false, true) => note(&mut self.report.notes, &broken, HALF),
                (false, false) => note(faults, &broken, "was put in: no line of the chain knows it"),
            }
        }
        match head {
            Some(head) if head.seq > last_seq => {
                let missing = span(last_seq + 1, head.seq);
                note(&mut self.report.faults, &last, &format!("is the last: {missing} missing after it"));
            }
            Some(head) if head.seq == last_seq && head.hash != last.hash => {
                note(&mut self.report.faults, &last, "was changed: the head has another hash for it");
            }
            None if self.report.lines > 0 => {
                note(
                    &mut self.report.notes,
                    &at_end,
                    "has no hook-log.head: lines taken off its end would not be missed",
                );
            }
            _ => {}
        }
    }
}

/// What a death while a line was written leaves: its beginning, or nothing but zeros. What is whole JSON, or begins
/// otherwise, was written by something else.
fn is_half(bytes: &[u8]) -> bool {
    let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    let begun = bytes.get(..bytes.len() - zeros).unwrap_or_default();
    let is_prefix = BEGINNING.starts_with(begun) || begun.starts_with(BEGINNING);
    is_prefix && serde_json::from_slice::<IgnoredAny>(begun).is_err()
}

fn span(first: u64, last: u64) -> String {
    if first == last { format!("number {first} is") } else { format!("numbers {first} to {last} are") }
}

fn note(remarks: &mut Vec<LineRemark>, seen: &ReadLine, what: &str) {
    let remark = LineRemark { file: seen.file.clone(), line: seen.number, what: what.to_owned() };
    if !remarks.iter().rev().take(4).any(|old| (&old.file, old.line) == (&remark.file, remark.line)) {
        remarks.push(remark);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;
    use crate::state::audit::append_rotating;
    use crate::state::audit::tests::{CURRENT, line, log_at};

    /// A log of ten lines over several files, or in one.
    fn log(full: u64) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for n in 1..=10 {
            append_rotating(&log_at(&dir.path().join(CURRENT)), line(&format!("hook{n}")), full).unwrap();
        }
        dir
    }

    fn edit(path: &Path, edit: impl FnOnce(&mut Vec<String>)) {
        let text = fs::read_to_string(path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        edit(&mut lines);
        fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }

    type Edit = fn(&mut Vec<String>);

    #[test]
    fn every_kind_of_tampering_is_found_at_its_line() {
        let cases: [(&str, Edit, u64, &str); 14] = [
            ("change", |l| l[3] = l[3].replace("hook4", "hookX"), 4, "was changed"),
            ("change the first", |l| l[0] = l[0].replace("hook1", "hookX"), 1, "was changed"),
            ("change the last", |l| l[9] = l[9].replace("hook10", "hookX"), 10, "was changed"),
            ("change into nonsense", |l| l[3] = "nonsense".into(), 4, "was changed"),
            ("change the last into nonsense", |l| l[9] = "nonsense".into(), 10, "was changed"),
            ("change a number", |l| l[3] = l[3].replace("\"seq\":4", "\"seq\":9"), 4, "is number 9"),
            ("take out", |l| drop(l.remove(3)), 4, "number 4 is missing before it"),
            ("take out three", |l| drop(l.drain(3..6)), 4, "numbers 4 to 6 are missing before it"),
            ("take out the first", |l| drop(l.remove(0)), 1, "number 1 is missing before it"),
            ("take off the last", |l| drop(l.pop()), 9, "number 10 is missing after it"),
            ("take off all", |l| l.clear(), 0, "numbers 1 to 10 are missing after it"),
            ("swap", |l| l.swap(3, 5), 4, "missing before it"),
            ("repeat", |l| l.insert(6, l[2].clone()), 7, "put in or moved"),
            ("put in", |l| l.insert(3, "{}".into()), 4, "was put in"),
        ];
        for (name, change, number, what) in cases {
            let dir = log(u64::MAX);
            let path = dir.path().join(CURRENT);
            edit(&path, change);
            let report = verify(&dir.path().join(CURRENT)).unwrap();
            let first = report.faults.first().unwrap_or_else(|| panic!("{name}: not found"));
            assert_eq!((first.line, &first.file), (number, &path), "{name}: {report:?}");
            assert!(first.what.contains(what), "{name}: {report:?}");
            assert!(report.faults.len() <= 4, "{name}: {report:?}");
        }
    }

    #[test]
    fn what_was_added_at_the_end_is_no_half_line() {
        for (added, is_told) in [
            ("{}", true),
            ("junk", true),
            ("{\"a\": 1", true),
            ("{\"timestamp\":\"20", false),
            ("{\"ti", false),
            ("\0\0\0", false),
        ] {
            for goes_on in [false, true] {
                let dir = log(u64::MAX);
                let path = dir.path().join(CURRENT);
                edit(&path, |lines| lines.push(added.to_owned()));
                if goes_on {
                    append_rotating(&log_at(&path), line("after"), u64::MAX).unwrap();
                }
                let report = verify(&path).unwrap();
                assert_eq!(!report.faults.is_empty(), is_told, "{added:?} {goes_on}: {report:?}");
            }
        }
    }

    #[test]
    fn a_forged_line_with_the_right_number_and_hash_is_found() {
        let dir = log(u64::MAX);
        edit(&dir.path().join(CURRENT), |lines| {
            let forged = lines[3].replace("hook4", "forged");
            lines.insert(3, forged);
        });
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        assert!(report.faults.iter().any(|fault| (4..=5).contains(&fault.line)), "{report:?}");
    }

    #[test]
    fn tampering_across_files_names_the_file() {
        let dir = log(500);
        let all = files::all(&dir.path().join(CURRENT)).unwrap();
        assert!(all.len() >= 4, "{all:?}");
        assert_eq!(verify(&dir.path().join(CURRENT)).unwrap().faults, []);
        edit(&all[1], |lines| {
            let last = lines.len() - 1;
            lines[last] = lines[last].replace("hook", "other");
        });
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        let count = fs::read_to_string(&all[1]).unwrap().lines().count() as u64;
        assert_eq!((&report.faults[0].file, report.faults[0].line), (&all[1], count));
        fs::remove_file(&all[1]).unwrap();
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        assert_eq!((&report.faults[0].file, report.faults[0].line), (&all[2], 1), "{report:?}");
    }

    #[test]
    fn what_a_crash_leaves_is_a_note() {
        let dir = log(u64::MAX);
        let path = dir.path().join(CURRENT);
        let append_text = |text: &str| {
            OpenOptions::new().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
        };
        append_text("{\"timestamp\":\"20");
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        assert_eq!((report.faults.len(), report.notes.len(), report.notes[0].line), (0, 1, 11), "{report:?}");
        append_rotating(&log_at(&path), line("after"), u64::MAX).unwrap();
        append_rotating(&log_at(&path), line("after"), u64::MAX).unwrap();
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        assert_eq!((report.faults.len(), report.notes.len(), report.notes[0].line), (0, 1, 11), "{report:?}");
        // Killed after the line and before the head.
        let head = fs::read(path.with_extension("head")).unwrap();
        append_rotating(&log_at(&path), line("again"), u64::MAX).unwrap();
        fs::write(path.with_extension("head"), head).unwrap();
        assert_eq!(verify(&dir.path().join(CURRENT)).unwrap().faults, []);
        // Without the lock.
        append_text(&format!("{}\n", serde_json::to_string(&line("unlocked")).unwrap()));
        append_rotating(&log_at(&path), line("locked"), u64::MAX).unwrap();
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        assert_eq!((report.faults.len(), report.notes.len()), (0, 2), "{report:?}");
        fs::remove_file(path.with_extension("head")).unwrap();
        let report = verify(&dir.path().join(CURRENT)).unwrap();
        assert!(report.faults.is_empty() && report.notes[2].what.contains("hook-log.head"), "{report:?}");
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
            let dir = log(700);
            let path = dir.path().join(CURRENT);
            OpenOptions::new().append(true).open(&path).unwrap().write_all(&bytes).unwrap();
            fs::write(path.with_extension("head"), &bytes).unwrap();
            verify(&dir.path().join(CURRENT)).unwrap();
            append_rotating(&log_at(&path), line("after"), 700).unwrap();
            let last = super::super::read(&path, Default::default()).unwrap().last().unwrap().unwrap();
            assert_eq!((last.hook_name.as_str(), last.seq), ("after", 11));
        }
    }
}
