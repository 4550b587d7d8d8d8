//! `watch.json`: the files that a loop knows, as they were when it last judged them.
//!
//! A tool says which file it edits; a script does not. After a call whose effect is unknown, and at Stop, the files
//! that differ from this record are judged with the bytes kept here as the "before".

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::twice::DoubledFiles;

/// The record's name in the loop's directory.
const FILE: &str = "watch.json";

/// The record of one loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    /// The commit that was checked out when the loop began; a file without an entry was as in this commit.
    pub base_commit: Option<String>,
    /// The commit that was checked out at the last look, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// When the loop began, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began: Option<i64>,
    /// Files by project-relative path.
    pub files: BTreeMap<String, WatchedFile>,
    /// What held the bytes of files before something in them was lost that is not back yet.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lost: BTreeMap<String, Digest>,
    /// Those of the lost files whose tests have no excuse in code that went the same way, as with another commit.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub moved: BTreeSet<String>,
    /// Tests that went and are no loss of this loop: another session took them, or this one had added them itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub excused: i64,
}

fn is_zero(count: &i64) -> bool {
    *count == 0
}

/// One file as it was last judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedFile {
    /// The object that holds the bytes; none when the file was absent.
    pub sha256: Option<Digest>,
    /// How many tests it held.
    #[serde(default)]
    pub tests: u64,
    /// What the file looked like, so that an unchanged one costs no reading.
    #[serde(flatten)]
    pub look: FileStat,
}

/// What `stat` says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub mtime_ns: u64,
    /// Permission bits.
    #[serde(default)]
    pub mode: u32,
}

impl FileStat {
    /// Looks at a file; one that is not there looks like nothing.
    pub fn at(path: &Path) -> FileStat {
        let Ok(metadata) = fs::symlink_metadata(path) else { return FileStat::default() };
        let mtime = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        FileStat {
            size: metadata.len(),
            mtime_ns: mtime.map_or(0, |time| time.as_nanos() as u64),
            mode: Node::mode(&metadata),
        }
    }
}

impl Watch {
    /// The commit that files without an entry are compared with.
    pub fn compared_with(&self) -> Option<&str> {
        self.head.as_deref().or(self.base_commit.as_deref())
    }

    /// How many tests the recorded files hold, and those that went and are no loss.
    pub fn tests(&self) -> u64 {
        let held: u64 = self.files.values().map(|known| known.tests).sum();
        held.saturating_add_signed(self.excused)
    }

    /// Reads a loop's record. A damaged or missing one is `None`: the loop then begins a new one.
    pub fn read(layout: &Layout, loop_id: &str) -> Option<Watch> {
        let bytes = DoubledFiles::of_loop(layout, loop_id).read(FILE).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes a loop's record.
    pub fn write(&self, layout: &Layout, loop_id: &str) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        DoubledFiles::of_loop(layout, loop_id).write(FILE, &bytes, Durability::Process)
    }

    /// Where a loop's record is.
    pub fn path(layout: &Layout, loop_id: &str) -> PathBuf {
        layout.loop_dir(loop_id).join(FILE)
    }
}
