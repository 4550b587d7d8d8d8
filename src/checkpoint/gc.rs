//! Removing blobs that nothing names any more.
//!
//! Invariant: a blob that a manifest, a loop's watch or the tree cache names is never removed, also not when that is
//! written while blobs are being collected: whoever keeps something holds [`objects_lock`](crate::checkpoint::objects_lock::writing) from the first blob to the
//! manifest, and blobs are removed in small lots, each after another look at what is named.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::checkpoint::Error;
use crate::checkpoint::cache::{NET, TREE, TreeCache};
use crate::checkpoint::catalogue;
use crate::checkpoint::git_objects;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::objects_lock::alone;
use crate::checkpoint::opened::{self, OpenedCall};
use crate::checkpoint::store::{Store, is_absence};
use crate::checkpoint::watch::Watch;
use crate::state::atomic;

/// A blob is left alone for this long, whatever names it: its manifest may be on the way.
pub const GRACE: Duration = Duration::from_secs(60 * 60);
/// Blobs that are removed while everyone else waits: some milliseconds' worth.
const LOT: usize = 128;

/// What was removed, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CollectedGarbage {
    /// How many blobs.
    pub objects: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// How many blobs are left.
    pub left: usize,
}

/// What the store takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreSize {
    /// How many blobs.
    pub objects: usize,
    /// How many checkpoints.
    pub checkpoints: usize,
    /// Blobs, manifests, caches, and what git has given up, together, in bytes.
    pub bytes: u64,
}

/// How much the checkpoints of the project take. Costs a stat per blob.
pub fn size(store: &Store) -> Result<StoreSize, Error> {
    let mut size = StoreSize::default();
    for path in blobs(store)? {
        size.objects += 1;
        size.bytes += fs::metadata(&path).map_or(0, |metadata| metadata.len());
    }
    for path in catalogue::files(store, None)? {
        size.checkpoints += 1;
        size.bytes += fs::metadata(&path).map_or(0, |metadata| metadata.len());
    }
    for cache in [TREE, NET] {
        size.bytes += fs::metadata(store.layout().root().join(cache)).map_or(0, |cache| cache.len());
    }
    size.bytes += git_objects::size(store);
    Ok(size)
}

/// Forgets git's objects that their repositories gave up longer ago than `age`. Answers how many bytes.
pub fn forget_git_objects(store: &Store, age: Duration) -> u64 {
    git_objects::forget(store, age)
}

/// Throws away all that was kept for an undo of calls, and what only that needs; checkpoints of loops stay. Answers
/// how many checkpoints went.
pub fn purge(store: &Store) -> Result<usize, Error> {
    let mut gone = 0;
    {
        let _alone = alone(store)?;
        for path in catalogue::files(store, None)? {
            let is_calls = Manifest::read(&path).is_ok_and(|it| !it.tree && it.tags.is_empty());
            if is_calls {
                fs::remove_file(&path).map_err(Error::io("remove", &path))?;
                gone += 1;
            }
        }
        let cache = store.layout().root().join(NET);
        match fs::remove_file(&cache) {
            Err(error) if !is_absence(&error) => return Err(Error::io("remove", &cache)(error)),
            _ => {}
        }
    }
    git_objects::forget(store, Duration::ZERO);
    collect(store, Duration::ZERO, false, &Meter::default())?;
    Ok(gone)
}

/// Removes blobs that are older than `grace` and that nothing names. A manifest that cannot be read is an error:
/// nobody knows what it names.
pub fn collect(
    store: &Store,
    grace: Duration,
    dry_run: bool,
    meter: &Meter,
) -> Result<CollectedGarbage, Error> {
    let mut named = ReferencedObjects::default();
    named.look(store)?;
    let candidates: Vec<PathBuf> =
        blobs(store)?.into_iter().filter(|path| !named.has(path) && is_older(path, grace)).collect();
    let mut collected = CollectedGarbage::default();
    meter.expect(candidates.len());
    for lot in candidates.chunks(LOT) {
        let _alone = alone(store)?;
        named.look(store)?;
        for path in lot.iter().filter(|path| !named.has(path) && is_older(path, grace)) {
            let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
            if !dry_run {
                fs::remove_file(path).map_err(Error::io("remove", path))?;
            }
            collected.objects += 1;
            collected.bytes += bytes;
            meter.tick();
        }
    }
    if !dry_run {
        atomic::remove_leftovers_below(store.layout().root());
    }
    collected.left = blobs(store)?.len() - if dry_run { collected.objects } else { 0 };
    Ok(collected)
}

/// What is named, found again where it may have changed.
#[derive(Default)]
struct ReferencedObjects {
    digests: HashSet<Digest>,
    seen: HashSet<(PathBuf, Option<SystemTime>)>,
}

impl ReferencedObjects {
    fn look(&mut self, store: &Store) -> Result<(), Error> {
        for path in catalogue::files(store, None)? {
            if !self.is_new(&path) {
                continue;
            }
            let manifest = match Manifest::read(&path) {
                // Removed by retention meanwhile.
                Err(Error::Io { source, .. }) if is_absence(&source) => continue,
                other => other?,
            };
            let after = manifest.after.iter().flat_map(|after| &after.changed);
            self.digests.extend(manifest.entries.iter().chain(after).filter_map(digest));
        }
        for loop_id in catalogue::loops(store)? {
            if self.is_new(&store.layout().loop_dir(&loop_id).join("watch.json")) {
                let watch = Watch::read(store.layout(), &loop_id).unwrap_or_default();
                self.digests.extend(watch.files.values().filter_map(|known| known.sha256));
                self.digests.extend(watch.lost.values());
            }
        }
        for cache in [TREE, NET] {
            if self.is_new(&store.layout().root().join(cache)) {
                self.digests.extend(TreeCache::read(store, cache).digests());
            }
        }
        for path in opened::files(store)? {
            if self.is_new(&path) {
                let before = OpenedCall::read(&path).map(|opened| opened.before).unwrap_or_default();
                self.digests.extend(before.iter().filter_map(digest));
            }
        }
        Ok(())
    }

    fn is_new(&mut self, path: &Path) -> bool {
        let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        self.seen.insert((path.to_owned(), modified))
    }

    fn has(&self, blob: &Path) -> bool {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let folder = blob.parent().and_then(name).unwrap_or_default();
        let digest: Option<Digest> = (folder + &name(blob).unwrap_or_default()).parse().ok();
        // What is no blob by its name is none of ours to remove.
        digest.is_none_or(|digest| self.digests.contains(&digest))
    }
}

fn digest(entry: &Entry) -> Option<Digest> {
    match entry.node {
        Node::File { sha256, .. } => Some(sha256),
        _ => None,
    }
}

fn is_older(path: &Path, age: Duration) -> bool {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|elapsed| elapsed >= age))
}

/// The blobs' files, and only those.
fn blobs(store: &Store) -> Result<Vec<PathBuf>, Error> {
    Ok(files_below(&store.layout().objects())?.into_iter().filter(|path| !is_half_written(path)).collect())
}

fn is_half_written(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tmp-"))
}

/// The files in a folder and in the folders in it.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for child in children(folder)? {
        if child.is_dir() { files.extend(children(&child)?) } else { files.push(child) }
    }
    Ok(files)
}

fn children(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = fs::read_dir(folder).and_then(|children| {
        children.map(|child| child.map(|child| child.path())).collect::<io::Result<Vec<PathBuf>>>()
    });
    match read {
        Err(error) if is_absence(&error) => Ok(Vec::new()),
        read => read.map_err(Error::io("read", folder)),
    }
}
