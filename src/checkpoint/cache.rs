//! What the tree looked like when it was last kept: `tree-cache` for checkpoints of the tree, `net-cache` for the net
//! under calls, so that an unchanged file costs a stat.
//!
//! Invariant: a digest is only believed when the file had been at rest before it was read and still has the same
//! size, inode, mtime and ctime. The file is an aid: one that is missing or damaged costs time, never content.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checkpoint::node::{Node, Stamp};
use crate::checkpoint::objects::{Digest, to_hex};
use crate::checkpoint::store::Store;
use crate::state::own_file;

mod reader;
mod writer;

use reader::CacheReader;
use writer::{checksum, write_at};

const MAGIC: &[u8; 8] = b"SFTREE1\n";
/// Loops whose base is remembered.
const BASES: usize = 8;

/// The cache of the checkpoints of the tree.
pub(crate) const TREE: &str = "tree-cache";
/// The cache of the net under calls.
pub(crate) const NET: &str = "net-cache";

/// The name that git has for a file's content.
pub(crate) type GitName = [u8; 20];

/// A folder's child as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildRecord {
    /// Its name in the folder.
    pub name: OsString,
    /// What it is.
    pub node: Node,
    /// What a stat said, before it was read.
    pub stamp: Stamp,
    /// Whether an equal stamp proves equal content.
    pub at_rest: bool,
    /// What git has the content as, where it was not kept for that reason; the node's digest stands for nothing then.
    pub git: Option<GitName>,
}

impl ChildRecord {
    /// The record of something that is there and is not looked at: git ignores it.
    pub(crate) fn hidden(name: &OsStr) -> ChildRecord {
        let stamp = Stamp { mtime_ns: 0, ctime_ns: 0, inode: 0 };
        ChildRecord { name: name.to_owned(), node: Node::Other, stamp, at_rest: false, git: None }
    }

    /// Whether it is there and not looked at.
    pub(crate) fn is_hidden(&self) -> bool {
        self.node == Node::Other && self.stamp.inode == 0
    }

    /// Whether both say that the same is there, as far as that is known.
    pub(crate) fn same(&self, other: &ChildRecord) -> bool {
        if self.node == Node::Other && !self.is_hidden() {
            // It may have been read since.
            return self.stamp == other.stamp;
        }
        self.node == other.node && self.git == other.git
    }
}

/// A folder with its children, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder {
    /// Its name in entries.
    pub path: PathBuf,
    /// Sorted by name.
    pub records: Vec<ChildRecord>,
}

/// A full manifest that the next one of the same loop can build on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BaseManifest {
    pub loop_id: String,
    pub checkpoint_id: String,
    /// Names, in hexadecimal, of what may differ from it.
    pub dirty: BTreeSet<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Header {
    bases: Vec<BaseManifest>,
    /// Whether it says all that there was.
    #[serde(default)]
    whole: bool,
    /// The project's own permission bits.
    #[serde(default)]
    mode: Option<u32>,
}

/// The cache as it was read.
#[derive(Debug, Default)]
pub(crate) struct TreeCache {
    bytes: Vec<u8>,
    folders: HashMap<Box<[u8]>, (usize, usize)>,
    header: Header,
}

/// Where the cache of that name is.
fn path(store: &Store, cache: &str) -> PathBuf {
    store.layout().root().join(cache)
}

impl TreeCache {
    /// Reads it; an empty one when there is none that can be read.
    pub(crate) fn read(store: &Store, cache: &str) -> TreeCache {
        own_file::read(&path(store, cache)).ok().and_then(TreeCache::parse).unwrap_or_default()
    }

    fn parse(bytes: Vec<u8>) -> Option<TreeCache> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return None;
        }
        let mut reader = CacheReader { bytes: body, at: 0 };
        if reader.take(8)? != MAGIC {
            return None;
        }
        let length = reader.u32()? as usize;
        let header = serde_json::from_slice(reader.take(length)?).ok()?;
        let mut folders = HashMap::with_capacity(body.len() / 1000);
        while reader.at < body.len() {
            let length = usize::from(reader.u16()?);
            let name = Box::from(reader.take(length)?);
            let length = reader.u32()? as usize;
            let start = reader.at;
            reader.take(length)?;
            folders.insert(name, (start, length));
        }
        Some(TreeCache { bytes, folders, header })
    }

    /// The children of a folder as they were; `None` when the folder was not there.
    pub(crate) fn folder(&self, name: &Path) -> Option<Vec<ChildRecord>> {
        let (start, length) = self.folders.get(name.as_os_str().as_bytes())?;
        let mut reader = CacheReader { bytes: self.bytes.get(*start..start + length)?, at: 0 };
        let mut records = Vec::with_capacity(length / 80);
        while reader.at < reader.bytes.len() {
            records.push(reader.record()?);
        }
        Some(records)
    }

    /// Whether a folder was there.
    pub(crate) fn has_folder(&self, name: &Path) -> bool {
        self.folders.contains_key(name.as_os_str().as_bytes())
    }

    /// The names of all folders.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.keys().map(|name| Path::new(OsStr::from_bytes(name)))
    }

    /// Whether it says all that there was; of an empty one nobody knows.
    pub(crate) fn is_whole(&self) -> bool {
        self.header.whole
    }

    /// The project's own permission bits, where they are known.
    pub(crate) fn mode(&self) -> Option<u32> {
        self.header.mode
    }

    /// What was at `name`; `None` when nothing was, or nobody knows.
    pub(crate) fn record(&self, name: &Path) -> Option<ChildRecord> {
        let own = name.file_name()?;
        let mut records = self.folder(name.parent()?)?;
        let at = records.binary_search_by(|record| record.name.as_os_str().cmp(own)).ok()?;
        Some(records.swap_remove(at))
    }

    /// The full manifests that are known.
    pub(crate) fn bases(&self) -> &[BaseManifest] {
        &self.header.bases
    }

    /// The digests of all files in it.
    pub(crate) fn digests(&self) -> impl Iterator<Item = Digest> + '_ {
        let folders = self.folders().map(|name| self.folder(name).unwrap_or_default());
        folders.flatten().filter_map(|record| match record.node {
            Node::File { sha256, .. } if record.git.is_none() => Some(sha256),
            _ => None,
        })
    }

    /// Writes a new one for the checkpoints of the tree.
    pub(crate) fn write(store: &Store, folders: &[Folder], bases: &[BaseManifest]) -> io::Result<()> {
        let skip = bases.len().saturating_sub(BASES);
        let bases = bases.iter().skip(skip).cloned().collect();
        write_at(&path(store, TREE), folders, &Header { bases, whole: true, mode: None })
    }

    /// Writes a new one for the net under calls.
    pub(crate) fn write_net(store: &Store, folders: &[Folder], mode: u32, whole: bool) -> io::Result<()> {
        write_at(&path(store, NET), folders, &Header { bases: Vec::new(), whole, mode: Some(mode) })
    }
}

/// A name as [`BaseManifest::dirty`] has it.
pub(crate) fn dirty_name(name: &Path) -> String {
    to_hex(name.as_os_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use std::os::unix::ffi::OsStringExt;

    fn folders() -> Vec<Folder> {
        let record = |name: &[u8], node, at_rest| ChildRecord {
            name: OsString::from_vec(name.to_vec()),
            node,
            stamp: Stamp { mtime_ns: -1, ctime_ns: i64::MAX, inode: 7 },
            at_rest,
            git: None,
        };
        let unread = Node::File { sha256: Digest::unread(), size: 3, mode: 0o644 };
        let named = ChildRecord { git: Some([9; 20]), ..record(b"named", unread, true) };
        let file = Node::File { sha256: Digest::of(b"x"), size: u64::MAX, mode: 0o4755 };
        vec![
            Folder { path: PathBuf::new(), records: vec![record(b"a\xff", file.clone(), true)] },
            Folder {
                path: "a/b".into(),
                records: vec![
                    record(b"dir", Node::Directory { mode: 0o700 }, false),
                    record(b"file", file, false),
                    record(b"link", Node::Symlink { target: "../x".into() }, true),
                    named,
                    ChildRecord::hidden(OsStr::new("target")),
                ],
            },
            Folder { path: "empty".into(), records: Vec::new() },
        ]
    }

    #[test]
    fn what_is_written_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::of_project(directory.path());
        let base = |n: usize| BaseManifest {
            loop_id: format!("l{n}"),
            checkpoint_id: "c".into(),
            dirty: BTreeSet::from([dirty_name(Path::new("a"))]),
        };
        TreeCache::write(&store, &folders(), &(0..BASES + 2).map(base).collect::<Vec<_>>()).unwrap();
        let cache = TreeCache::read(&store, TREE);
        for folder in folders() {
            assert_eq!(cache.folder(&folder.path), Some(folder.records), "{}", folder.path.display());
        }
        assert_eq!(cache.folder(Path::new("b")), None);
        assert_eq!(cache.bases(), (2..BASES + 2).map(base).collect::<Vec<_>>());
        assert_eq!(cache.digests().count(), 2);
        assert!(cache.record(Path::new("a/b/target")).is_some_and(|record| record.is_hidden()));
        assert_eq!(cache.record(Path::new("a/b/none")), None);
    }

    #[test]
    fn damage_of_any_kind_makes_it_empty() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::of_project(directory.path());
        TreeCache::write(&store, &folders(), &[]).unwrap();
        let whole = fs::read(path(&store, TREE)).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x10;
            assert!(TreeCache::parse(flipped).is_none(), "byte {at}");
            assert!(TreeCache::parse(whole[..at].to_vec()).is_none(), "cut at {at}");
        }
        assert_eq!(
            TreeCache::read(&Store::of_project(&directory.path().join("none")), TREE).folders().count(),
            0
        );
    }
}
