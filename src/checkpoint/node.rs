//! What is at one path: a file, a link, a folder, nothing.
//!
//! Invariant: [`Node::same`] is true only when both contents are known and equal, so what could not be read never
//! counts as unchanged.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checkpoint::objects::Digest;

mod record;

use record::{Record, SkippedRecord};

/// The permission bits that are kept, set-user-id and the like included.
const MODE: u32 = 0o7777;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// Nothing.
    Absent,
    /// A regular file.
    File {
        /// Its content's digest.
        sha256: Digest,
        /// Its size in bytes.
        size: u64,
        /// Its permission bits.
        mode: u32,
    },
    /// A folder. What is in it are nodes of their own.
    Directory {
        /// Its permission bits.
        mode: u32,
    },
    /// A symbolic link.
    Symlink {
        /// Where it points, verbatim.
        target: PathBuf,
    },
    /// Something whose content is not known: a device, a file that cannot be read or was not worth reading.
    Other,
}

impl Node {
    /// Whether both are known to be the same, permissions included.
    pub fn same(&self, other: &Node) -> bool {
        *self != Node::Other && self == other
    }

    /// Whether it is a folder.
    pub fn is_directory(&self) -> bool {
        matches!(self, Node::Directory { .. })
    }

    /// The permission bits of `metadata`.
    pub fn mode(metadata: &Metadata) -> u32 {
        metadata.mode() & MODE
    }
}

/// What tells without reading that a file is still the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Stamp {
    /// When the content changed last, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// When content or permissions changed last, in nanoseconds since 1970; no program can set it back.
    pub ctime_ns: i64,
    /// The file's number in its file system.
    pub inode: u64,
}

impl Stamp {
    /// The stamp of a file.
    pub fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            mtime_ns: metadata.mtime() * 1_000_000_000 + metadata.mtime_nsec(),
            ctime_ns: metadata.ctime() * 1_000_000_000 + metadata.ctime_nsec(),
            inode: metadata.ino(),
        }
    }
}

/// A path with what is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "Record", into = "Record")]
pub struct Entry {
    /// The path, relative to the project when it is inside (empty for the project itself), else absolute.
    pub path: PathBuf,
    /// What is there.
    pub node: Node,
    /// A folder on the way to a kept path that did not exist: it goes again when nothing else is in it.
    pub implied: bool,
    /// Set on a kept file that had been at rest, so that an equal stamp proves equal content.
    pub stamp: Option<Stamp>,
}

impl Entry {
    /// A plain entry.
    pub fn new(path: PathBuf, node: Node) -> Entry {
        Entry { path, node, implied: false, stamp: None }
    }
}

/// A path that was not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "SkippedRecord", into = "SkippedRecord")]
pub struct Skipped {
    /// The path, as in [`Entry`]. What is below it was not kept either, unless there is an entry for it.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// Why git's own folder is not kept.
pub(crate) const GITS_OWN: &str = "git's own data";
/// Why a repository in the project is not kept.
pub(crate) const NESTED: &str = "a git repository of its own";
/// Why what git ignores is not kept.
pub(crate) const IGNORED: &str = "ignored by git";
/// Why Steadfast's store is not kept: that would feed on itself.
pub(crate) const OWN_STORE: &str = "Steadfast's own store";
const NO_GAPS: [&str; 4] = [GITS_OWN, NESTED, IGNORED, OWN_STORE];

impl Skipped {
    /// Whether it is a gap in a checkpoint of the tree, rather than what such a checkpoint is not about: what git
    /// ignores, git's own data, other repositories, Steadfast's own store.
    pub fn is_gap(&self) -> bool {
        !NO_GAPS.contains(&self.reason.as_str())
    }
}

/// Whether `name` or a folder above it is in `set`.
pub(crate) fn covers(set: &BTreeSet<&Path>, name: &Path) -> bool {
    name.ancestors().any(|above| set.contains(above))
}

/// Whether `path` is `above` or below it. Unlike `Path::starts_with`, nothing absolute is below the project.
pub fn is_within(path: &Path, above: &Path) -> bool {
    path.is_absolute() == above.is_absolute() && path.starts_with(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    fn file() -> Node {
        Node::File { sha256: Digest::of(b"x"), size: 1, mode: 0o644 }
    }

    #[test]
    fn every_entry_survives_json() {
        let raw = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        let entries = [
            Entry::new("a/b.txt".into(), file()),
            Entry::new(raw(b"caf\xe9/\xff"), file()),
            Entry::new("/outside/x".into(), Node::Absent),
            Entry::new("".into(), Node::Directory { mode: 0o1777 }),
            Entry::new("link".into(), Node::Symlink { target: "../gone".into() }),
            Entry::new("link2".into(), Node::Symlink { target: raw(b"\xfe") }),
            Entry::new("pipe".into(), Node::Other),
            Entry { implied: true, ..Entry::new("new".into(), Node::Absent) },
            Entry {
                stamp: Some(Stamp { mtime_ns: 1, ctime_ns: 2, inode: 3 }),
                ..Entry::new("s".into(), file())
            },
        ];
        for entry in entries {
            let json = serde_json::to_string(&entry).unwrap();
            assert_eq!(serde_json::from_str::<Entry>(&json).unwrap(), entry, "{json}");
        }
    }

    #[test]
    fn modes_are_octal_and_foreign_names_have_their_bytes() {
        let entry = Entry::new(OsString::from_vec(b"a\xff".to_vec()).into(), file());
        let json = serde_json::to_value(&entry).unwrap();
        assert_eq!(json["mode"], "0644");
        assert_eq!(json["path"], "a\u{fffd}");
        assert_eq!(json["path_bytes"], "61ff");
    }

    #[test]
    fn refuses_entries_that_no_version_wrote() {
        let digest = Digest::of(b"");
        let cases = [
            r#"{"path":"../x","kind":"absent"}"#.to_owned(),
            r#"{"path":"a/../../x","kind":"absent"}"#.to_owned(),
            r#"{"path":"x","path_bytes":"2e2e2f78","kind":"absent"}"#.to_owned(),
            r#"{"path":"x","path_bytes":"zz","kind":"absent"}"#.to_owned(),
            r#"{"path":"x","kind":"file","size":1,"mode":"0644"}"#.to_owned(),
            format!(r#"{{"path":"x","kind":"file","sha256":"{digest}","size":1,"mode":"9"}}"#),
            format!(r#"{{"path":"x","kind":"file","sha256":"{digest}","size":1,"mode":"77777"}}"#),
            r#"{"path":"x","kind":"symlink"}"#.to_owned(),
        ];
        for json in cases {
            assert!(serde_json::from_str::<Entry>(&json).is_err(), "{json}");
        }
    }

    #[test]
    fn what_is_unknown_is_never_the_same() {
        assert!(file().same(&file()));
        assert!(!Node::Other.same(&Node::Other));
        assert!(!file().same(&Node::Other));
        assert!(!file().same(&Node::File { sha256: Digest::of(b"x"), size: 1, mode: 0o755 }));
    }

    #[test]
    fn nothing_absolute_is_within_the_project() {
        let cases = [
            ("a/b", "a", true),
            ("a", "a", true),
            ("ab", "a", false),
            ("a", "", true),
            ("/a", "", false),
            ("/a/b", "/", true),
            ("a", "/", false),
        ];
        for (path, above, expected) in cases {
            assert_eq!(is_within(Path::new(path), Path::new(above)), expected, "{path} in {above}");
        }
    }
}
