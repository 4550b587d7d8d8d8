//! The whole tree of a project, as far as git would see it.
//!
//! Invariant: what is left out is said in [`Scan::skipped`], each ignored folder once. What was kept before stays in
//! sight, also when it is ignored or made a repository of its own since: a line in `.gitignore` hides nothing.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::checkpoint::Error;
use crate::checkpoint::cache::{Cache, Folder, Record};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{GITS_OWN, IGNORED, NESTED, Node, OWN_STORE, Skipped, Stamp};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::rules::{self, Rules};
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::Bounds;

const GIT: &str = ".git";
/// Reads a file, and keeps it or not; answers its digest and its size in bytes.
pub(crate) type ReadFile<'a> = dyn Fn(&Path) -> Result<(Digest, u64), Error> + Sync + 'a;

/// How to look.
pub(crate) struct Manner<'a> {
    pub store: &'a Store,
    /// What is known from before.
    pub cache: &'a Cache,
    /// Whether what is in the cache stays in sight although it is ignored now.
    pub sticky: bool,
    /// Names that are in sight although ignored; a folder when something in it is.
    pub known: &'a (dyn Fn(&Path) -> bool + Sync),
    /// How much. Only files that have to be read count for `total_bytes`.
    pub bounds: &'a Bounds<'a>,
    /// What is done with a file that may have changed.
    pub read: &'a ReadFile<'a>,
    /// A file that changed later than this, in nanoseconds since 1970, may change again with the same time stamp.
    pub at_rest: i64,
    pub meter: &'a Meter,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// All folders but the project's own name.
    pub folders: Vec<Folder>,
    /// The project's own permission bits.
    pub mode: u32,
    pub skipped: Vec<Skipped>,
    /// Names of what is not as the cache says, or not in it, or gone.
    pub changed: Vec<PathBuf>,
    /// Whether no bound ended it early.
    pub is_whole: bool,
}

/// A folder to look into.
struct Work {
    name: PathBuf,
    rules: Rules,
    /// Ignored: only what is known in it counts.
    only_known: bool,
    /// Its own record: which folder, and in that which child. `None` for the project.
    record: Option<(usize, usize)>,
}

/// A folder that was looked into.
#[derive(Default)]
struct Visited {
    records: Vec<Record>,
    before: Vec<Record>,
    /// Children whose content has to be read, with their size in bytes.
    unread: Vec<(usize, u64)>,
    folders: Vec<(usize, Rules, bool)>,
    skipped: Vec<Skipped>,
    /// A repository of its own: it is none of the project's.
    foreign: bool,
}

/// Looks at the whole project. Fails only when the project itself cannot be read.
pub(crate) fn scan(manner: &Manner<'_>) -> Result<Scan, Error> {
    let root = manner.store.path(Path::new(""));
    let metadata = fs::symlink_metadata(&root).map_err(Error::io("read", &root))?;
    fs::read_dir(&root).map_err(Error::io("read", &root))?;
    let mut sweep = Sweep {
        manner,
        scan: Scan { mode: Node::mode(&metadata), is_whole: true, ..Scan::default() },
        before: Vec::new(),
        unread: Vec::new(),
        gone: Vec::new(),
        seen: 0,
    };
    let rules = Rules::around(&root);
    let mut level = vec![Work { name: PathBuf::new(), rules, only_known: false, record: None }];
    while !level.is_empty() {
        level = sweep.level(level);
    }
    sweep.read();
    sweep.compare();
    Ok(sweep.scan)
}

struct Sweep<'a> {
    manner: &'a Manner<'a>,
    scan: Scan,
    /// What the cache says of each folder of the scan.
    before: Vec<Vec<Record>>,
    unread: Vec<(usize, usize, u64)>,
    /// Records that are none after all.
    gone: Vec<(usize, usize)>,
    seen: usize,
}

impl Sweep<'_> {
    /// Looks into folders of the same depth; answers those in them.
    fn level(&mut self, mut level: Vec<Work>) -> Vec<Work> {
        let manner = self.manner;
        if let Some(reason) = self.exhausted() {
            let left = level.into_iter().map(|work| Skipped { path: work.name, reason: reason.clone() });
            self.scan.skipped.extend(left);
            self.scan.is_whole = false;
            return Vec::new();
        }
        let visited = spread(&level, 1, &|work| visit(manner, work));
        let mut next = Vec::new();
        for (work, visited) in level.drain(..).zip(visited) {
            if visited.foreign {
                self.gone.extend(work.record);
                self.skip(work.name, NESTED);
                continue;
            }
            let folder = self.scan.folders.len();
            self.seen += visited.records.len();
            self.scan.skipped.extend(visited.skipped);
            self.unread.extend(visited.unread.iter().map(|(child, size)| (folder, *child, *size)));
            for (child, rules, only_known) in visited.folders {
                if let Some(record) = visited.records.get(child) {
                    let name = work.name.join(&record.name);
                    next.push(Work { name, rules, only_known, record: Some((folder, child)) });
                }
            }
            self.before.push(visited.before);
            self.scan.folders.push(Folder { path: work.name, records: visited.records });
        }
        next
    }

    fn exhausted(&self) -> Option<String> {
        let bounds = self.manner.bounds;
        if self.seen >= bounds.paths {
            return Some(format!("more than {} paths: the rest of it was not kept", bounds.paths));
        }
        is_late(bounds).then(|| "out of time: the rest of it was not kept".to_owned())
    }

    /// Reads what may have changed.
    fn read(&mut self) {
        let unread = std::mem::take(&mut self.unread);
        let Sweep { manner, scan, .. } = self;
        manner.meter.expect(unread.len());
        let bytes = AtomicU64::new(0);
        let read = spread(&unread, 2, &|(folder, child, size)| {
            let folder = scan.folders.get(*folder);
            let name = folder.and_then(|folder| Some(folder.path.join(&folder.records.get(*child)?.name)))?;
            let answer = read_one(manner, &name, *size, &bytes);
            manner.meter.tick();
            Some((name, answer))
        });
        for ((folder, child, _), read) in unread.into_iter().zip(read) {
            let folder_record = self.scan.folders.get_mut(folder);
            let record = folder_record.and_then(|folder| folder.records.get_mut(child));
            match (record, read) {
                (Some(Record { node: Node::File { sha256, size, .. }, .. }), Some((_, Ok(read)))) => {
                    (*sha256, *size) = read;
                }
                (_, Some((name, Err(reason)))) => {
                    self.scan.is_whole &= !is_late(manner.bounds);
                    self.gone.push((folder, child));
                    self.scan.skipped.push(Skipped { path: name, reason });
                }
                _ => {}
            }
        }
        let mut gone = std::mem::take(&mut self.gone);
        gone.sort_unstable_by(|a, b| b.cmp(a));
        for (folder, child) in gone {
            if let Some(folder) = self.scan.folders.get_mut(folder) {
                folder.records.remove(child);
            }
        }
    }

    /// Finds what is not as the cache says.
    fn compare(&mut self) {
        let mut seen = std::collections::HashSet::with_capacity(self.scan.folders.len());
        for (folder, before) in self.scan.folders.iter().zip(&self.before) {
            seen.insert(folder.path.as_path());
            differences(folder, before, &mut self.scan.changed);
        }
        for name in self.manner.cache.folders().filter(|name| !seen.contains(name)) {
            let records = self.manner.cache.folder(name).unwrap_or_default();
            self.scan.changed.extend(records.iter().map(|record| name.join(&record.name)));
        }
    }

    fn skip(&mut self, path: PathBuf, reason: &str) {
        self.scan.skipped.push(Skipped { path, reason: reason.to_owned() });
    }
}

fn is_late(bounds: &Bounds<'_>) -> bool {
    bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

fn read_one(manner: &Manner<'_>, name: &Path, size: u64, bytes: &AtomicU64) -> Result<(Digest, u64), String> {
    let bounds = manner.bounds;
    if is_late(bounds) {
        return Err("out of time: it was not kept".to_owned());
    }
    if bytes.fetch_add(size, Ordering::Relaxed).saturating_add(size) > bounds.total_bytes {
        return Err(format!("more than {} bytes with the files before it", bounds.total_bytes));
    }
    (manner.read)(&manner.store.path(name)).map_err(|error| error.to_string())
}

fn differences(folder: &Folder, before: &[Record], changed: &mut Vec<PathBuf>) {
    let mut before = before.iter().peekable();
    for record in &folder.records {
        while let Some(gone) = before.next_if(|old| old.name < record.name) {
            changed.push(folder.path.join(&gone.name));
        }
        match before.next_if(|old| old.name == record.name) {
            Some(old) if old.node == record.node => {}
            _ => changed.push(folder.path.join(&record.name)),
        }
    }
    changed.extend(before.map(|gone| folder.path.join(&gone.name)));
}

fn visit(manner: &Manner<'_>, work: &Work) -> Visited {
    let mut visited = Visited::default();
    let path = manner.store.path(&work.name);
    let before = manner.cache.folder(&work.name);
    let mut children = match fs::read_dir(&path).and_then(|children| children.collect::<io::Result<Vec<_>>>())
    {
        Ok(children) => children.into_iter().map(|child| (child.file_name(), child)).collect::<Vec<_>>(),
        Err(error) => {
            visited.skipped.push(Skipped { path: work.name.clone(), reason: error.to_string() });
            return visited;
        }
    };
    children.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let has =
        |name: &str| children.binary_search_by(|(own, _)| own.as_os_str().cmp(OsStr::new(name))).is_ok();
    let is_known = (manner.sticky && before.is_some()) || (manner.known)(&work.name);
    if has(GIT) && work.record.is_some() && !is_known {
        visited.foreign = true;
        return visited;
    }
    let rules = if has(rules::FILE) { work.rules.clone().enter(&path) } else { work.rules.clone() };
    visited.before = before.unwrap_or_default();
    visited.records.reserve(children.len());
    let mut folder = Visit { manner, work, rules, path: &path, at: 0, visited: &mut visited };
    for (name, child) in &children {
        folder.child(name, child);
    }
    visited
}

/// One folder while it is looked into.
struct Visit<'a> {
    manner: &'a Manner<'a>,
    work: &'a Work,
    rules: Rules,
    path: &'a Path,
    /// How far in what the cache says; both are sorted.
    at: usize,
    visited: &'a mut Visited,
}

impl Visit<'_> {
    fn child(&mut self, own: &OsStr, child: &DirEntry) {
        let old = self.old(own);
        let skip = |visit: &mut Self, reason: String| {
            visit.visited.skipped.push(Skipped { path: visit.work.name.join(own), reason });
        };
        if own.as_bytes() == GIT.as_bytes() {
            return skip(self, GITS_OWN.to_owned());
        }
        let kind = match child.file_type() {
            Ok(kind) => kind,
            Err(error) => return skip(self, error.to_string()),
        };
        // What the cache knows needs no rule.
        let mut only_known = false;
        if old.is_none() || !self.manner.sticky || self.work.only_known {
            if kind.is_dir() && self.manner.store.is_own(&self.work.name.join(own)) {
                return skip(self, OWN_STORE.to_owned());
            }
            only_known = self.work.only_known || self.rules.ignore(&self.path.join(own), kind.is_dir());
            let is_known =
                || (self.manner.sticky && old.is_some()) || (self.manner.known)(&self.work.name.join(own));
            if only_known && !is_known() {
                return skip(self, IGNORED.to_owned());
            }
        }
        let metadata = match child.metadata() {
            Ok(metadata) => metadata,
            // It went while the folder was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return skip(self, error.to_string()),
        };
        let number = self.visited.records.len();
        let kind = metadata.file_type();
        let stamp = Stamp::of(&metadata);
        let mode = Node::mode(&metadata);
        let at_rest = stamp.mtime_ns.max(stamp.ctime_ns) < self.manner.at_rest;
        let node = if kind.is_dir() {
            self.visited.folders.push((number, self.rules.clone(), only_known));
            Node::Directory { mode }
        } else if kind.is_symlink() {
            match fs::read_link(self.path.join(own)) {
                Ok(target) => Node::Symlink { target },
                Err(error) => return skip(self, error.to_string()),
            }
        } else if kind.is_file() {
            let size = metadata.len();
            if size > self.manner.bounds.file_bytes {
                let limit = self.manner.bounds.file_bytes;
                return skip(self, format!("{size} bytes: larger than {limit} for one file"));
            }
            let known =
                old.map(|old| self.visited.before.get(old)).and_then(|old| unchanged(old?, &stamp, size));
            if known.is_none() {
                self.visited.unread.push((number, size));
            }
            Node::File { sha256: known.unwrap_or_else(Digest::unread), size, mode }
        } else {
            return skip(self, "a device, socket or pipe".to_owned());
        };
        self.visited.records.push(Record { name: own.to_owned(), node, stamp, at_rest });
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

/// The digest that is still true.
fn unchanged(old: &Record, stamp: &Stamp, now: u64) -> Option<Digest> {
    match old.node {
        Node::File { sha256, size, .. } if old.at_rest && old.stamp == *stamp && size == now => Some(sha256),
        _ => None,
    }
}

impl Scan {
    /// All that is there, by name, the project itself included.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (PathBuf, &Node)> {
        self.folders.iter().flat_map(|folder| {
            folder.records.iter().map(|record| (folder.path.join(&record.name), &record.node))
        })
    }

    /// What is at each of `names`; what is not there has no entry.
    pub(crate) fn at<'n>(&self, names: impl Iterator<Item = &'n Path>) -> HashMap<&'n Path, &Node> {
        let folders: HashMap<&Path, &Folder> =
            self.folders.iter().map(|folder| (folder.path.as_path(), folder)).collect();
        let found = names.filter_map(|name| {
            let folder = folders.get(name.parent()?)?;
            let own = name.file_name()?;
            let at = folder.records.binary_search_by(|record| record.name.as_os_str().cmp(own)).ok()?;
            folder.records.get(at).map(|record| (name, &record.node))
        });
        found.collect()
    }
}
