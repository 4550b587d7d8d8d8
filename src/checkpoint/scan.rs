//! The whole tree of a project, as far as git would see it.
//!
//! Invariant: what is left out is said in [`Scan::skipped`], each ignored folder once. What was kept before stays in
//! sight, also when it is ignored or made a repository of its own since: a line in `.gitignore` hides nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::checkpoint::Error;
use crate::checkpoint::cache::{Cache, Folder, Record};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{NESTED, Node, Skipped};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::rules::Rules;
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::Bounds;

mod comparison;
mod visit;

use comparison::differences;
use visit::visit;

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
