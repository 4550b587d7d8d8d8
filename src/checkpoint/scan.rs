//! The whole tree of a project, as far as git would see it.
//!
//! Invariant: what is left out is said in [`TreeScan::skipped`], each ignored folder once. What was kept before stays in
//! sight, also when it is ignored or made a repository of its own since: a line in `.gitignore` hides nothing.
//!
//! A deep scan also sees git's own files (but its objects) and the repositories in the project. What it sees and does
//! not read is in it as something unknown, so that nothing which was there is ever taken for new.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::checkpoint::Error;
use crate::checkpoint::cache::{ChildRecord, Folder, TreeCache};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{NESTED, Node, Skipped};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::rules::Rules;
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::WalkBounds;

mod comparison;
mod reading;
mod repository;
mod visit;

use comparison::differences;
use repository::Repository;
use visit::{ChildFolder, visit};

/// Reads a file, and keeps it or not; answers its digest and its size in bytes.
pub(crate) type ReadFile<'a> = dyn Fn(&Path) -> Result<(Digest, u64), Error> + Sync + 'a;

/// How to look.
pub(crate) struct ScanOptions<'a> {
    pub store: &'a Store,
    /// What is known from before.
    pub cache: &'a TreeCache,
    /// Whether what is in the cache stays in sight although it is ignored now.
    pub sticky: bool,
    /// Names that are in sight although ignored; a folder when something in it is.
    pub known: &'a (dyn Fn(&Path) -> bool + Sync),
    /// How much. Only files that have to be read count for `total_bytes`.
    pub bounds: &'a WalkBounds<'a>,
    /// What is done with a file that may have changed.
    pub read: &'a ReadFile<'a>,
    /// A file that changed later than this, in nanoseconds since 1970, may change again with the same time stamp.
    pub at_rest: i64,
    pub meter: &'a Meter,
    /// Whether git's own files and nested repositories are seen too.
    pub deep: bool,
    /// When to read no more; what is left is looked at all the same.
    pub read_until: Option<Instant>,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct TreeScan {
    /// All folders but the project's own name.
    pub folders: Vec<Folder>,
    /// The project's own permission bits.
    pub mode: u32,
    pub skipped: Vec<Skipped>,
    /// Names of what is not as the cache says, or not in it, or gone.
    pub changed: Vec<PathBuf>,
    /// Whether no bound ended it early.
    pub is_whole: bool,
    /// Where repositories have their objects, by name; only of a deep scan.
    pub objects: Vec<PathBuf>,
    /// Whether a file was read, or its reading tried.
    pub has_read: bool,
}

/// What a folder is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Working files.
    Tree,
    /// Git's own files.
    Git,
    /// Git's objects, of which only that they are there is looked at, and where else there are some.
    Objects,
}

/// A folder to look into.
struct FolderTask {
    name: PathBuf,
    rules: Rules,
    /// Ignored: only what is known in it counts.
    only_known: bool,
    /// Its own record: which folder, and in that which child. `None` for the project.
    record: Option<(usize, usize)>,
    part: Part,
    /// The repository that it is in, in a deep scan.
    repository: Option<Arc<Repository>>,
}

/// Looks at the whole project. Fails only when the project itself cannot be read.
pub(crate) fn scan(manner: &ScanOptions<'_>) -> Result<TreeScan, Error> {
    let root = manner.store.path(Path::new(""));
    let metadata = fs::symlink_metadata(&root).map_err(Error::io("read", &root))?;
    fs::read_dir(&root).map_err(Error::io("read", &root))?;
    let mut sweep = ScanInProgress {
        manner,
        scan: TreeScan { mode: Node::mode(&metadata), is_whole: true, ..TreeScan::default() },
        before: Vec::new(),
        unread: Vec::new(),
        gone: Vec::new(),
        repositories: Vec::new(),
        seen: 0,
    };
    let rules = Rules::around(&root);
    let of_project = FolderTask {
        name: PathBuf::new(),
        rules,
        only_known: false,
        record: None,
        part: Part::Tree,
        repository: Repository::around(&root).filter(|_| manner.deep).map(Arc::new),
    };
    let outside = if manner.deep { outside(manner, &root) } else { BTreeSet::new() };
    let outside = outside.into_iter().map(|name| FolderTask {
        name,
        rules: Rules::default(),
        only_known: false,
        record: None,
        part: Part::Git,
        repository: None,
    });
    let mut level: Vec<FolderTask> = outside.chain([of_project]).collect();
    while !level.is_empty() {
        level = sweep.level(level);
    }
    sweep.read();
    sweep.compare();
    Ok(sweep.scan)
}

/// The project's repository's folders outside of it, and those that were: a call may have taken away what says where
/// they are.
fn outside(manner: &ScanOptions<'_>, root: &Path) -> BTreeSet<PathBuf> {
    let is_top = |name: &&Path| name.parent().is_none_or(|above| !manner.cache.has_folder(above));
    let known = manner.cache.folders().filter(|name| name.is_absolute()).filter(is_top).map(Path::to_owned);
    let known = known.filter(|name| name.is_dir());
    let named = repository::folders_elsewhere(root).into_iter().map(|folder| manner.store.name(&folder));
    let all: BTreeSet<PathBuf> = known.chain(named).collect();
    let is_below = |name: &Path| name.ancestors().skip(1).any(|above| all.contains(above));
    all.iter().filter(|name| !is_below(name)).cloned().collect()
}

struct ScanInProgress<'a> {
    manner: &'a ScanOptions<'a>,
    scan: TreeScan,
    /// What the cache says of each folder of the scan.
    before: Vec<Vec<ChildRecord>>,
    unread: Vec<(usize, usize, u64)>,
    /// Records that are none after all.
    gone: Vec<(usize, usize)>,
    /// The repository of each folder of the scan.
    repositories: Vec<Option<Arc<Repository>>>,
    seen: usize,
}

impl ScanInProgress<'_> {
    /// Looks into folders of the same depth; answers those in them.
    fn level(&mut self, mut level: Vec<FolderTask>) -> Vec<FolderTask> {
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
            self.scan.objects.extend(visited.objects);
            if visited.unreadable && manner.deep {
                // Nobody knows what is in it.
                continue;
            }
            self.unread.extend(visited.unread.iter().map(|(child, size)| (folder, *child, *size)));
            for ChildFolder { child, rules, only_known, part } in visited.folders {
                if let Some(record) = visited.records.get(child) {
                    let name = work.name.join(&record.name);
                    let record = Some((folder, child));
                    let repository = visited.repository.clone().filter(|_| part == Part::Tree);
                    next.push(FolderTask { name, rules, only_known, record, part, repository });
                }
            }
            self.before.push(visited.before);
            self.repositories.push(visited.repository);
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

fn is_late(bounds: &WalkBounds<'_>) -> bool {
    bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}
