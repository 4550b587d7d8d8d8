//! A look into one folder: which of its children are in sight, and which of them may have changed.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::repository::Repository;
use super::{FolderTask, Part, ScanOptions};
use crate::checkpoint::cache::ChildRecord;
use crate::checkpoint::node::{GITS_OWN, IGNORED, Node, OWN_STORE, Skipped, Stamp};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::rules::{self, Rules};

const GIT: &str = ".git";
const OBJECTS: &str = "objects";
/// Any of these is beside a repository's objects, whatever of it was destroyed.
const BESIDE_OBJECTS: [&str; 5] = ["HEAD", "config", "refs", "packed-refs", "index"];

/// A folder that was looked into.
#[derive(Default)]
pub(super) struct Visited {
    pub(super) records: Vec<ChildRecord>,
    pub(super) before: Vec<ChildRecord>,
    /// Children whose content has to be read, with their size in bytes.
    pub(super) unread: Vec<(usize, u64)>,
    pub(super) folders: Vec<ChildFolder>,
    pub(super) skipped: Vec<Skipped>,
    /// A repository of its own: it is none of the project's.
    pub(super) foreign: bool,
    /// Nothing is known of what is in it.
    pub(super) unreadable: bool,
    /// Where a repository has its objects, by name.
    pub(super) objects: Vec<PathBuf>,
    /// The repository that it is in.
    pub(super) repository: Option<Arc<Repository>>,
}

/// A folder in one that was looked into.
pub(super) struct ChildFolder {
    pub(super) child: usize,
    pub(super) rules: Rules,
    /// Ignored: only what is known in it counts.
    pub(super) only_known: bool,
    pub(super) part: Part,
}

pub(super) fn visit(manner: &ScanOptions<'_>, work: &FolderTask) -> Visited {
    let mut visited = Visited::default();
    let path = manner.store.path(&work.name);
    let before = manner.cache.folder(&work.name);
    let mut children = match fs::read_dir(&path).and_then(|children| children.collect::<io::Result<Vec<_>>>())
    {
        Ok(children) => children.into_iter().map(|child| (child.file_name(), child)).collect::<Vec<_>>(),
        Err(error) => {
            visited.skipped.push(Skipped { path: work.name.clone(), reason: error.to_string() });
            visited.unreadable = true;
            return visited;
        }
    };
    children.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let has =
        |name: &str| children.binary_search_by(|(own, _)| own.as_os_str().cmp(OsStr::new(name))).is_ok();
    let is_known = (manner.sticky && before.is_some()) || (manner.known)(&work.name);
    let is_nested = has(GIT) && work.record.is_some() && work.part == Part::Tree;
    if is_nested && !is_known && !manner.deep {
        visited.foreign = true;
        return visited;
    }
    let is_own = is_nested && manner.deep;
    let rules = if is_own { Rules::around(&path) } else { work.rules.clone() };
    let rules = if has(rules::FILE) && work.part == Part::Tree { rules.enter(&path) } else { rules };
    visited.repository =
        if is_own { Repository::around(&path).map(Arc::new) } else { work.repository.clone() };
    let holds_objects = work.part == Part::Git && has(OBJECTS) && is_repository(&work.name, &has);
    visited.before = before.unwrap_or_default();
    visited.records.reserve(children.len());
    let mut folder = Visit { manner, work, rules, path: &path, at: 0, visited: &mut visited, holds_objects };
    for (name, child) in &children {
        folder.child(name, child);
    }
    visited
}

/// One folder while it is looked into.
struct Visit<'a> {
    manner: &'a ScanOptions<'a>,
    work: &'a FolderTask,
    rules: Rules,
    path: &'a Path,
    /// How far in what the cache says; both are sorted.
    at: usize,
    /// Whether it is a repository's own folder, which has the objects in it.
    holds_objects: bool,
    visited: &'a mut Visited,
}

impl Visit<'_> {
    /// Records the child `own`, or says why it is left out.
    fn child(&mut self, own: &OsStr, child: &DirEntry) {
        if let Err(Some(reason)) = self.record(own, child) {
            self.visited.skipped.push(Skipped { path: self.work.name.join(own), reason });
        }
    }

    /// The reason is `None` for a child that went while the folder was read.
    fn record(&mut self, own: &OsStr, child: &DirEntry) -> Result<(), Option<String>> {
        let told = |error: io::Error| Some(error.to_string());
        let old = self.old(own);
        let is_gits = own.as_bytes() == GIT.as_bytes() || self.work.part != Part::Tree;
        if is_gits && !self.manner.deep {
            return Err(Some(GITS_OWN.to_owned()));
        }
        if self.work.part != Part::Tree && !self.is_state(own) {
            return Err(None);
        }
        let is_folder = child.file_type().map_err(told)?.is_dir();
        let is_cached = old.and_then(|old| self.visited.before.get(old)).is_some_and(|old| !old.is_hidden());
        // What the cache knows needs no rule.
        let asks_rules = !is_gits && (!is_cached || !self.manner.sticky || self.work.only_known);
        let only_known = match asks_rules {
            true => self.only_known(own, is_folder, is_cached),
            false => Ok(false),
        };
        let only_known = match only_known {
            Err(Some(reason)) if self.manner.deep && reason == IGNORED => {
                if !self.is_tracked(own, old) {
                    self.visited.records.push(ChildRecord::hidden(own));
                    return Ok(());
                }
                true
            }
            answer => answer?,
        };
        let metadata = match child.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
            Err(error) => return Err(told(error)),
        };
        let stamp = Stamp::of(&metadata);
        let node = self.node(own, &metadata, &stamp, old)?;
        if node.is_directory() {
            let (child, rules) = (self.visited.records.len(), self.rules.clone());
            self.visited.folders.push(ChildFolder {
                child,
                rules,
                only_known,
                part: self.part(own, is_gits),
            });
        }
        let at_rest = stamp.mtime_ns.max(stamp.ctime_ns) < self.manner.at_rest;
        let old = old.and_then(|old| self.visited.before.get(old));
        let git = old.filter(|old| is_unchanged(old, &stamp, &node)).and_then(|old| old.git);
        self.visited.records.push(ChildRecord { name: own.to_owned(), node, stamp, at_rest, git });
        Ok(())
    }

    /// Whether something of git's own says how the repository stands: not its objects, which only come to it, and not
    /// what its processes lock and talk over.
    fn is_state(&mut self, own: &OsStr) -> bool {
        let text = own.as_bytes();
        if self.work.part == Part::Objects {
            let is_below = self.work.name.file_name() == Some(OsStr::new("info"));
            return text == if is_below { &b"alternates"[..] } else { b"info" };
        }
        if self.holds_objects && text == OBJECTS.as_bytes() {
            self.visited.objects.push(self.work.name.join(own));
        }
        let is_passing = text.ends_with(b".lock") || text == b"gc.pid" || text.starts_with(b"fsmonitor--");
        let is_other_store = self.holds_objects && text == b"lfs";
        !is_passing && !is_other_store
    }

    /// What the folder `own` is a part of.
    fn part(&self, own: &OsStr, is_gits: bool) -> Part {
        match self.work.part {
            Part::Objects => Part::Objects,
            _ if self.holds_objects && own == OBJECTS => Part::Objects,
            _ if is_gits => Part::Git,
            _ => Part::Tree,
        }
    }

    /// Whether git tracks what it ignores, or something in it. What was not looked at before is no more looked at now.
    fn is_tracked(&self, own: &OsStr, old: Option<usize>) -> bool {
        old.is_none()
            && self
                .visited
                .repository
                .as_ref()
                .is_some_and(|repository| repository.tracks(&self.path.join(own)))
    }

    /// Whether the child is ignored, so that only what is known in it counts; an error when it is out of sight.
    fn only_known(&self, own: &OsStr, is_folder: bool, is_cached: bool) -> Result<bool, Option<String>> {
        if is_folder && self.manner.store.is_own(&self.work.name.join(own)) {
            return Err(Some(OWN_STORE.to_owned()));
        }
        let only_known = self.work.only_known || self.rules.ignore(&self.path.join(own), is_folder);
        let is_known = || (self.manner.sticky && is_cached) || (self.manner.known)(&self.work.name.join(own));
        if only_known && !is_known() { Err(Some(IGNORED.to_owned())) } else { Ok(only_known) }
    }

    /// What the child is; a file that may have changed is noted as to be read.
    fn node(
        &mut self,
        own: &OsStr,
        metadata: &Metadata,
        stamp: &Stamp,
        old: Option<usize>,
    ) -> Result<Node, Option<String>> {
        let kind = metadata.file_type();
        let mode = Node::mode(metadata);
        if kind.is_dir() {
            return Ok(Node::Directory { mode });
        }
        if kind.is_symlink() {
            let target = fs::read_link(self.path.join(own)).map_err(|error| Some(error.to_string()))?;
            return Ok(Node::Symlink { target });
        }
        if !kind.is_file() {
            return Err(Some("a device, socket or pipe".to_owned()));
        }
        let size = metadata.len();
        let limit = self.manner.bounds.file_bytes;
        if size > limit && self.manner.deep {
            return Ok(Node::Other);
        }
        if size > limit {
            return Err(Some(format!("{size} bytes: larger than {limit} for one file")));
        }
        let old = old.and_then(|old| self.visited.before.get(old));
        let known = old.and_then(|old| unchanged(old, stamp, size));
        if known.is_none() {
            self.visited.unread.push((self.visited.records.len(), size));
        }
        Ok(Node::File { sha256: known.unwrap_or_else(Digest::unread), size, mode })
    }

    /// Where the cache has the child `own`.
    fn old(&mut self, own: &OsStr) -> Option<usize> {
        while let Some(old) = self.visited.before.get(self.at) {
            match old.name.as_os_str().cmp(own) {
                std::cmp::Ordering::Less => self.at += 1,
                std::cmp::Ordering::Equal => return Some(self.at),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}

/// Whether a folder of git's own is a repository: it is called so, or holds what one holds, and is none of references.
fn is_repository(name: &Path, has: &dyn Fn(&str) -> bool) -> bool {
    let is_of_references =
        name.components().any(|part| part.as_os_str() == "refs" || part.as_os_str() == "logs");
    let is_called = name.file_name() == Some(OsStr::new(GIT));
    is_called || (!is_of_references && BESIDE_OBJECTS.iter().any(|beside| has(beside)))
}

/// Whether a file is as it was, so that what git has of it is too.
fn is_unchanged(old: &ChildRecord, stamp: &Stamp, node: &Node) -> bool {
    matches!(node, Node::File { size, .. } if unchanged(old, stamp, *size).is_some())
}

/// The digest that is still true.
fn unchanged(old: &ChildRecord, stamp: &Stamp, now: u64) -> Option<Digest> {
    match old.node {
        Node::File { sha256, size, .. } if old.at_rest && old.stamp == *stamp && size == now => Some(sha256),
        _ => None,
    }
}
