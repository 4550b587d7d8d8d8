//! Entries and skipped paths as a manifest has them in JSON: a name that is not UTF-8 travels as its bytes.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Entry, MODE, Node, Skipped, Stamp};
use crate::checkpoint::objects::{Digest, from_hex, to_hex};

/// An [`Entry`] in JSON.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Record {
    path: String,
    /// The path's bytes in hexadecimal, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    kind: RecordKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<Digest>,
    /// Octal: `0644`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target_bytes: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    implied: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stamp: Option<Stamp>,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Kind")]
enum RecordKind {
    File,
    Symlink,
    Directory,
    Absent,
    Other,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct SkippedRecord {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    reason: String,
}

impl From<Entry> for Record {
    fn from(entry: Entry) -> Record {
        let (path, path_bytes) = write_path(&entry.path);
        let mut record = Record {
            path,
            path_bytes,
            kind: RecordKind::Other,
            sha256: None,
            mode: None,
            size: None,
            target: None,
            target_bytes: None,
            implied: entry.implied,
            stamp: entry.stamp,
        };
        match entry.node {
            Node::Absent => record.kind = RecordKind::Absent,
            Node::Other => {}
            Node::Directory { mode } => {
                record.kind = RecordKind::Directory;
                record.mode = Some(format!("{mode:04o}"));
            }
            Node::File { sha256, size, mode } => {
                record.kind = RecordKind::File;
                record.sha256 = Some(sha256);
                record.mode = Some(format!("{mode:04o}"));
                record.size = Some(size);
            }
            Node::Symlink { target } => {
                record.kind = RecordKind::Symlink;
                let (text, bytes) = write_name(&target);
                record.target = Some(text);
                record.target_bytes = bytes;
            }
        }
        record
    }
}

impl TryFrom<Record> for Entry {
    type Error = String;
    fn try_from(record: Record) -> Result<Entry, String> {
        let path = read_path(record.path, record.path_bytes)?;
        let lacks = |what: &str| format!("the entry of {} has no {what}", path.display());
        let mode = || {
            let mode = record.mode.as_deref().and_then(|mode| u32::from_str_radix(mode, 8).ok());
            mode.filter(|mode| *mode <= MODE).ok_or_else(|| lacks("valid mode"))
        };
        let node = match record.kind {
            RecordKind::Absent => Node::Absent,
            RecordKind::Other => Node::Other,
            RecordKind::Directory => Node::Directory { mode: mode()? },
            RecordKind::File => Node::File {
                sha256: record.sha256.ok_or_else(|| lacks("sha256"))?,
                size: record.size.ok_or_else(|| lacks("size"))?,
                mode: mode()?,
            },
            RecordKind::Symlink => Node::Symlink {
                target: read_name(record.target.ok_or_else(|| lacks("target"))?, record.target_bytes)?,
            },
        };
        Ok(Entry { path, node, implied: record.implied, stamp: record.stamp })
    }
}

impl From<Skipped> for SkippedRecord {
    fn from(skipped: Skipped) -> SkippedRecord {
        let (path, path_bytes) = write_path(&skipped.path);
        SkippedRecord { path, path_bytes, reason: skipped.reason }
    }
}

impl TryFrom<SkippedRecord> for Skipped {
    type Error = String;
    fn try_from(record: SkippedRecord) -> Result<Skipped, String> {
        Ok(Skipped { path: read_path(record.path, record.path_bytes)?, reason: record.reason })
    }
}

fn write_name(path: &Path) -> (String, Option<String>) {
    match path.to_str() {
        Some(text) => (text.to_owned(), None),
        None => (path.to_string_lossy().into_owned(), Some(to_hex(path.as_os_str().as_bytes()))),
    }
}

fn read_name(text: String, bytes: Option<String>) -> Result<PathBuf, String> {
    match bytes {
        None => Ok(PathBuf::from(text)),
        Some(hex) => from_hex(&hex)
            .map(|bytes| PathBuf::from(OsString::from_vec(bytes)))
            .ok_or_else(|| format!("the bytes of {text} are not hexadecimal")),
    }
}

/// The project itself has the empty path, which is `.` in a file that people read.
fn write_path(path: &Path) -> (String, Option<String>) {
    if path.as_os_str().is_empty() { (".".to_owned(), None) } else { write_name(path) }
}

/// A path that climbs out of where it says to be is none that was ever written.
fn read_path(text: String, bytes: Option<String>) -> Result<PathBuf, String> {
    let path = read_name(text, bytes)?;
    if path == Path::new(".") {
        return Ok(PathBuf::new());
    }
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::RootDir));
    if plain { Ok(path) } else { Err(format!("the path {} is not a plain one", path.display())) }
}
