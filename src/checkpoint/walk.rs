//! What is on disk at some paths and below them.
//!
//! Invariant: no link is followed, and whatever is left out is said in [`WalkedTree::skipped`].

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::checkpoint::Error;
use crate::checkpoint::node::{Entry, Node, OWN_STORE, Skipped};
use crate::checkpoint::store::{Store, is_absence};

/// How much is looked at.
#[derive(Debug, Clone, Copy)]
pub struct WalkBounds<'a> {
    /// The largest file, in bytes.
    pub file_bytes: u64,
    /// All files together, in bytes.
    pub total_bytes: u64,
    /// Files, links and folders together.
    pub paths: usize,
    /// When to stop, whatever is left.
    pub deadline: Option<Instant>,
    /// Names of folders that are made again rather than kept, such as `node_modules`.
    pub exclude: &'a [&'a str],
}

impl Default for WalkBounds<'_> {
    /// What a call may cost: 64 MB a file, 512 MB and 20,000 paths together, no deadline, everything kept.
    fn default() -> Self {
        WalkBounds {
            file_bytes: 64 << 20,
            total_bytes: 512 << 20,
            paths: 20_000,
            deadline: None,
            exclude: &[],
        }
    }
}

impl WalkBounds<'_> {
    /// Everything, however long it takes.
    pub fn none() -> Self {
        WalkBounds {
            file_bytes: u64::MAX,
            total_bytes: u64::MAX,
            paths: usize::MAX,
            deadline: None,
            exclude: &[],
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct WalkedTree {
    /// What is where, by name. A root that does not exist is there as absent.
    pub entries: BTreeMap<PathBuf, Entry>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

/// A regular file that was found, for whoever makes its entry.
#[derive(Debug)]
pub struct WalkedFile<'a> {
    /// Its name in entries.
    pub name: &'a Path,
    /// Where it is.
    pub path: &'a Path,
    /// What the system says about it.
    pub metadata: &'a Metadata,
}

/// Looks at `roots` and everything below. `file` turns a regular file into its entry, by reading or keeping it; a
/// file that it fails on is skipped with the error as the reason.
pub fn walk(
    store: &Store,
    roots: &[PathBuf],
    bounds: &WalkBounds<'_>,
    file: &mut dyn FnMut(&WalkedFile<'_>) -> Result<Entry, Error>,
) -> WalkedTree {
    let mut walk = TreeWalk { store, bounds, file, bytes: 0, tree: WalkedTree::default() };
    for root in roots {
        walk.root(root);
    }
    walk.tree
}

struct TreeWalk<'a> {
    store: &'a Store,
    bounds: &'a WalkBounds<'a>,
    file: &'a mut dyn FnMut(&WalkedFile<'_>) -> Result<Entry, Error>,
    bytes: u64,
    tree: WalkedTree,
}

impl TreeWalk<'_> {
    fn root(&mut self, root: &Path) {
        let mut pending = vec![root.to_owned()];
        while let Some(name) = pending.pop() {
            if self.tree.entries.contains_key(&name) {
                continue;
            }
            if let Some(reason) = self.exhausted() {
                // One line for all that is left of this root: there may be millions.
                if self.store.contains_project(root) {
                    self.skip(Path::new(""), reason.clone());
                }
                return self.skip(root, reason);
            }
            self.visit(root, name, &mut pending);
        }
    }

    fn exhausted(&self) -> Option<String> {
        if self.tree.entries.len() + self.tree.skipped.len() >= self.bounds.paths {
            return Some(format!("more than {} paths: the rest of it was not kept", self.bounds.paths));
        }
        let late = self.bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late.then(|| "out of time: the rest of it was not kept".to_owned())
    }

    fn visit(&mut self, root: &Path, name: PathBuf, pending: &mut Vec<PathBuf>) {
        if self.store.is_own(&name) {
            return self.skip(&name, OWN_STORE.to_owned());
        }
        let path = self.store.path(&name);
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => {
                if name == root {
                    self.enter(Entry::new(name, Node::Absent));
                }
                return;
            }
            Err(error) => return self.skip(&name, error.to_string()),
        };
        let kind = metadata.file_type();
        if kind.is_dir() {
            self.directory(name, &path, &metadata, pending);
        } else if kind.is_symlink() {
            match fs::read_link(&path) {
                Ok(target) => self.enter(Entry::new(name, Node::Symlink { target })),
                Err(error) => self.skip(&name, error.to_string()),
            }
        } else if kind.is_file() {
            self.file(&WalkedFile { name: &name, path: &path, metadata: &metadata });
        } else {
            self.skip(&name, "a device, socket or pipe".to_owned());
        }
    }

    fn directory(&mut self, name: PathBuf, path: &Path, metadata: &Metadata, pending: &mut Vec<PathBuf>) {
        let is_excluded = |own: &str| self.bounds.exclude.contains(&own);
        if name.file_name().and_then(|own| own.to_str()).is_some_and(is_excluded) {
            return self.skip(&name, "build output, made again rather than kept".to_owned());
        }
        let children = fs::read_dir(path).and_then(|children| {
            children
                .map(|child| Ok(self.store.child(&name, &child?.file_name())))
                .collect::<io::Result<Vec<_>>>()
        });
        match children {
            Ok(mut children) => {
                // Which files are left out by a bound must not depend on the file system's order.
                children.sort_unstable_by(|a, b| b.cmp(a));
                pending.append(&mut children);
            }
            Err(error) => self.skip(&name, error.to_string()),
        }
        self.enter(Entry::new(name, Node::Directory { mode: Node::mode(metadata) }));
    }

    fn file(&mut self, found: &WalkedFile<'_>) {
        let size = found.metadata.len();
        if size > self.bounds.file_bytes {
            let reason = format!("{size} bytes: larger than {} for one file", self.bounds.file_bytes);
            return self.skip(found.name, reason);
        }
        if self.bytes.saturating_add(size) > self.bounds.total_bytes {
            let reason = format!("more than {} bytes with the files before it", self.bounds.total_bytes);
            return self.skip(found.name, reason);
        }
        self.bytes += size;
        match (self.file)(found) {
            Ok(entry) => self.enter(entry),
            Err(error) => self.skip(found.name, error.to_string()),
        }
    }

    fn enter(&mut self, entry: Entry) {
        self.tree.entries.insert(entry.path.clone(), entry);
    }

    fn skip(&mut self, name: &Path, reason: String) {
        self.tree.skipped.push(Skipped { path: name.to_owned(), reason });
    }
}
