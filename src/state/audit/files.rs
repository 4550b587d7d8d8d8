//! The files of a log: the one that grows, and those it was before.
//!
//! A rotated file is named after its first line's number, so that the order of the files is that of the chain.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::Line;
use super::line::{LONGEST, sequence};
use super::lines::BoundedLines;
use crate::state::own_file;

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
pub(super) fn rotated_name(path: &Path) -> (String, String) {
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

/// The number of the first line of the file at `path`.
pub(super) fn first_sequence(path: &Path) -> io::Result<Option<u64>> {
    match own_file::open(path) {
        Ok(mut file) => numbered(&mut file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first number of a file.
fn numbered(file: &mut File) -> io::Result<Option<u64>> {
    let mut reader = BoundedLines::new(BufReader::new(file));
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
    file.seek(SeekFrom::Start(length.saturating_sub(2 * LONGEST as u64)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let mut lines = tail.rsplit(|byte| *byte == b'\n');
    Ok(lines.find_map(|line| serde_json::from_slice::<Line>(line).ok()).map(|line| line.timestamp))
}
