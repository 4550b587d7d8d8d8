//! Reading a log over all its files, a line at a time.

use std::fs::File;
use std::io::{self, BufReader, Read, SeekFrom};
use std::path::{Path, PathBuf};
use std::vec;

use jiff::Timestamp;

use super::super::own_file;
use super::Line;
use super::files;
use super::lines::BoundedLines;

/// Which lines are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    /// Only of this hook, whatever its case.
    pub hook: Option<String>,
    /// Only since then.
    pub since: Option<Timestamp>,
}

impl Filter {
    fn wants(&self, line: &Line) -> bool {
        self.hook.as_ref().is_none_or(|hook| hook.eq_ignore_ascii_case(&line.hook_name))
            && self.since.is_none_or(|since| line.timestamp >= since)
    }
}

/// The wanted lines of the log at `path`, oldest first. What is no line is passed over; [`super::verify`] reports it.
pub fn read(path: &Path, filter: Filter) -> io::Result<impl Iterator<Item = io::Result<Line>> + use<>> {
    let files = files::all(path)?.into_iter();
    Ok(FilteredLines { files, open: None, filter })
}

/// The newest lines of the log, newest first: those that stand whole in the last `bytes` of its current file.
pub fn newest(path: &Path, bytes: u64) -> io::Result<Vec<Line>> {
    let mut file = own_file::open(path)?;
    let length = io::Seek::seek(&mut file, SeekFrom::End(0))?;
    io::Seek::seek(&mut file, SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut tail = Vec::new();
    // The log may grow while it is read.
    file.take(bytes).read_to_end(&mut tail)?;
    Ok(tail.rsplit(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

struct FilteredLines {
    files: vec::IntoIter<PathBuf>,
    open: Option<BoundedLines<BufReader<File>>>,
    filter: Filter,
}

impl FilteredLines {
    /// Opens the next file that can hold a wanted line.
    fn next_file(&mut self) -> io::Result<bool> {
        for path in self.files.by_ref() {
            let mut file = match own_file::open(&path) {
                Ok(file) => file,
                // Retention was quicker.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if let Some(since) = self.filter.since
                && files::newest_time(&mut file)?.is_some_and(|newest| newest < since)
            {
                continue;
            }
            io::Seek::rewind(&mut file)?;
            self.open = Some(BoundedLines::new(BufReader::new(file)));
            return Ok(true);
        }
        Ok(false)
    }

    fn advance(&mut self) -> io::Result<Option<Line>> {
        loop {
            while let Some(lines) = &mut self.open {
                let Some(bytes) = lines.next_line()? else {
                    self.open = None;
                    break;
                };
                if let Ok(line) = serde_json::from_slice::<Line>(bytes)
                    && self.filter.wants(&line)
                {
                    return Ok(Some(line));
                }
            }
            if !self.next_file()? {
                return Ok(None);
            }
        }
    }
}

impl Iterator for FilteredLines {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.advance().transpose();
        if matches!(line, Some(Err(_))) {
            // Read no further than the first error, or a caller that goes on would never end.
            self.files = Vec::new().into_iter();
            self.open = None;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::audit::append_rotating;
    use crate::state::audit::tests::{CURRENT, line, log_at};

    #[test]
    fn lines_are_chosen_by_hook_and_time_over_all_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(CURRENT);
        let second = |n: i64| Timestamp::from_second(n).unwrap();
        for n in 0..12 {
            let name = if n % 2 == 0 { "even" } else { "odd" };
            append_rotating(&log_at(&path), Line { timestamp: second(n), ..line(name) }, 700).unwrap();
        }
        let numbers = |filter: Filter| -> Vec<u64> {
            read(&path, filter).unwrap().map(|line| line.unwrap().seq).collect()
        };
        assert_eq!(numbers(Filter::default()), (1..=12).collect::<Vec<_>>());
        assert_eq!(numbers(Filter { hook: Some("ODD".into()), ..Filter::default() }), [2, 4, 6, 8, 10, 12]);
        assert_eq!(numbers(Filter { since: Some(second(9)), ..Filter::default() }), [10, 11, 12]);
        assert!(read(&dir.path().join("nowhere").join(CURRENT), Filter::default()).is_err());
    }
}
