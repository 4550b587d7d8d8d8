//! Checkpoints of the whole tree: at the start of a loop, before and after an iteration, and when a person asks.
//!
//! Invariant: [`take`] reads what changed and writes what is new; the rest costs a stat. A loop's first tree is a full
//! list, and later ones name what may differ from it, so no manifest is more than one step from a full one.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::cache::{BaseManifest, TREE, TreeCache, dirty_name};
use crate::checkpoint::flush::{self, FEW};
use crate::checkpoint::manifest::{self, Manifest};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Node, Skipped};
use crate::checkpoint::objects::{digest_of_file, from_hex};
use crate::checkpoint::objects_lock;
use crate::checkpoint::scan::{ScanOptions, TreeScan, scan};
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::WalkBounds;
use crate::state::atomic::Durability;

mod occasion;

pub use occasion::{KeptTree, TreeKeepRequest, TreeOccasion, hook_bounds, patient_bounds};

/// A file that changed later than this before it was kept may change again with the same time stamp.
const AT_REST: Duration = Duration::from_secs(2);
/// A list of differences longer than this part of the tree is no shorter than the tree: a full list follows.
const PART: usize = 4;
/// Fewer differences than this are always worth a list of their own.
const SMALL: usize = 256;

/// The loop of trees that a person keeps outside of any.
pub const MANUAL: &str = "manual";

/// Keeps the tree. Fails when nothing can be written; a file that cannot be read is in [`KeptTree::unkept`].
pub fn take(taking: &TreeKeepRequest<'_>) -> Result<KeptTree, Error> {
    let sticky = taking.moment != TreeOccasion::Baseline;
    see(taking.store, sticky, taking.also, &taking.bounds, taking.meter)?.keep(taking)
}

/// One look at the whole tree, whose bytes are kept. Until the tree changes, any number of checkpoints are made from it.
#[derive(Debug)]
pub struct TreeSnapshot {
    scan: TreeScan,
    /// The full lists that are still good to build on, with what may differ from them.
    bases: Vec<BaseManifest>,
    /// Nothing removes the bytes before a checkpoint names them.
    writing: Option<objects_lock::ObjectsLock>,
    /// Whether the cache says what was seen.
    cached: bool,
}

/// Looks at the tree and keeps the bytes of what is new; an unchanged file costs a stat. `sticky` is what was kept
/// before in sight although it is ignored now, `also` what else is.
pub fn see(
    store: &Store,
    sticky: bool,
    also: &[PathBuf],
    bounds: &WalkBounds<'_>,
    meter: &Meter,
) -> Result<TreeSnapshot, Error> {
    let writing = Some(objects_lock::writing(store)?);
    let cache = TreeCache::read(store, TREE);
    let also = with_folders(also);
    let scan = scan(&ScanOptions {
        store,
        cache: &cache,
        sticky,
        known: &|name| also.contains(name),
        bounds,
        // What must survive a power cut is flushed together with its checkpoint.
        read: &|path| store.objects().keep_file(path, Durability::Process),
        at_rest: at_rest(),
        meter,
        deep: false,
        read_until: None,
    })?;
    let size: usize = scan.folders.iter().map(|folder| folder.records.len()).sum();
    let most = (size / PART).max(SMALL);
    let mut bases = cache.bases().to_vec();
    for base in &mut bases {
        base.dirty.extend(scan.changed.iter().map(|name| dirty_name(name)));
    }
    bases.retain(|base| base.dirty.len() <= most);
    Ok(TreeSnapshot { scan, bases, writing, cached: false })
}

impl TreeSnapshot {
    /// Makes a checkpoint of what was seen; only the moment, the loop and the like are taken from `taking`.
    pub fn keep(&mut self, taking: &TreeKeepRequest<'_>) -> Result<KeptTree, Error> {
        let store = taking.store;
        let _writing = self.writing.take().map_or_else(|| objects_lock::writing(store), Ok)?;
        if taking.durability == Durability::Power {
            flush_new(store, &self.scan)?;
        }
        let mut manifest = unfilled(taking);
        self.fill(&mut manifest, &taking.moment, store);
        let path = manifest.create(&store.layout().checkpoints(taking.loop_id), taking.durability)?;
        if manifest.base.is_none() {
            let (loop_id, checkpoint_id) = (manifest.loop_id.clone(), manifest.checkpoint_id.clone());
            self.bases.push(BaseManifest { loop_id, checkpoint_id, dirty: BTreeSet::new() });
        }
        if !self.cached || manifest.base.is_none() {
            // Without it the next one takes longer.
            self.cached = TreeCache::write(store, &self.scan.folders, &self.bases).is_ok();
        }
        let (files, bytes) = self.scan.nodes().fold((0, 0), |(files, bytes), (_, node)| match node {
            Node::File { size, .. } => (files + 1, bytes + size),
            _ => (files, bytes),
        });
        let unkept = self.scan.skipped.iter().filter(|skipped| skipped.is_gap()).cloned().collect();
        let changed = self.scan.changed.len();
        Ok(KeptTree { checkpoint_id: manifest.checkpoint_id, manifest: path, files, bytes, changed, unkept })
    }

    /// What may differ from the full list that a loop began with, and what is there now; `None` where that list is
    /// not known any more, or not all was seen.
    pub fn since_start(&self, loop_id: &str, baseline: &str) -> Option<Vec<(PathBuf, Node)>> {
        if !self.scan.is_whole {
            return None;
        }
        let is_start = |base: &&BaseManifest| base.loop_id == loop_id && base.checkpoint_id == baseline;
        let base = self.bases.iter().find(is_start)?;
        Some(self.since(base))
    }

    /// What may differ from a full list, and what is there now.
    fn since(&self, base: &BaseManifest) -> Vec<(PathBuf, Node)> {
        let names: Vec<PathBuf> = base.dirty.iter().filter_map(|name| clean_name(name)).collect();
        let now = self.scan.at(names.iter().map(PathBuf::as_path));
        let node = |name: &PathBuf| now.get(name.as_path()).map_or(Node::Absent, |node| (*node).clone());
        names.iter().map(|name| (name.clone(), node(name))).collect()
    }

    /// Fills in what is there: all of it, or what may differ from a full list.
    fn fill(&mut self, manifest: &mut Manifest, moment: &TreeOccasion, store: &Store) {
        let scan = &self.scan;
        manifest.skipped.clone_from(&scan.skipped);
        manifest.entries.push(Entry::new(PathBuf::new(), Node::Directory { mode: scan.mode }));
        let base = self.bases.iter().find(|base| {
            base.loop_id == manifest.loop_id && store.has_manifest(&base.loop_id, &base.checkpoint_id)
        });
        match base.filter(|_| *moment != TreeOccasion::Baseline) {
            Some(base) => {
                manifest.base = Some(base.checkpoint_id.clone());
                manifest
                    .entries
                    .extend(self.since(base).into_iter().map(|(name, node)| Entry::new(name, node)));
            }
            None => {
                manifest.entries.extend(scan.nodes().map(|(name, node)| Entry::new(name, node.clone())));
                self.bases.retain(|base| base.loop_id != manifest.loop_id);
            }
        }
        manifest.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }
}

/// What is there now, read where it may have changed, not kept. `known` names are in sight although ignored. Answers
/// what is there by name, and what was left out.
pub(crate) fn look(
    store: &Store,
    known: &BTreeSet<&Path>,
    meter: &Meter,
) -> Result<(BTreeMap<PathBuf, Node>, Vec<Skipped>), Error> {
    let cache = TreeCache::read(store, TREE);
    let scan = scan(&ScanOptions {
        store,
        cache: &cache,
        sticky: true,
        known: &|name| known.contains(name),
        bounds: &WalkBounds::none(),
        read: &|path| digest_of_file(path).map_err(Error::io("read", path)),
        at_rest: at_rest(),
        meter,
        deep: false,
        read_until: None,
    })?;
    let mut now: BTreeMap<PathBuf, Node> = scan.nodes().map(|(name, node)| (name, node.clone())).collect();
    now.insert(PathBuf::new(), Node::Directory { mode: scan.mode });
    Ok((now, scan.skipped))
}

impl Manifest {
    /// The manifest with all that it builds on. One that is whole already is answered as it is.
    pub fn whole(mut self, store: &Store) -> Result<Manifest, Error> {
        let Some(base) = self.base.take() else { return Ok(self) };
        let path = manifest::file(&store.layout().checkpoints(&self.loop_id), &base);
        let base = Manifest::read(&path)?;
        if base.base.is_some() {
            let why = "it should be a full list of the tree, and is none".to_owned();
            return Err(Error::Unreadable { path, why });
        }
        let mut entries: BTreeMap<PathBuf, Entry> =
            base.entries.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        for entry in self.entries {
            match entry.node {
                Node::Absent => entries.remove(&entry.path),
                _ => entries.insert(entry.path.clone(), entry),
            };
        }
        self.entries = entries.into_values().collect();
        Ok(self)
    }
}

/// What changed later than this may change again with the same time stamp.
pub(crate) fn at_rest() -> i64 {
    let at_rest = SystemTime::now().checked_sub(AT_REST).and_then(|time| Timestamp::try_from(time).ok());
    at_rest.map_or(i64::MIN, |time| i64::try_from(time.as_nanosecond()).unwrap_or(i64::MIN))
}

/// Paths with the folders on the way to them.
fn with_folders(paths: &[PathBuf]) -> HashSet<&Path> {
    paths.iter().flat_map(|path| path.ancestors().filter(|above| !above.as_os_str().is_empty())).collect()
}

fn unfilled(taking: &TreeKeepRequest<'_>) -> Manifest {
    let tag = match &taking.moment {
        TreeOccasion::Tagged(tag) => vec![tag.clone()],
        _ => Vec::new(),
    };
    Manifest {
        iteration: taking.iteration,
        trigger: taking.moment.trigger(),
        summary: taking.summary.to_owned(),
        tree: true,
        tags: tag,
        metrics: taking.metrics.clone(),
        ..Manifest::new(taking.loop_id, taking.moment.label().to_owned(), taking.now)
    }
}

fn clean_name(dirty: &str) -> Option<PathBuf> {
    from_hex(dirty).map(|bytes| PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

/// Flushes the blobs of what is new; others have been flushed when they were.
fn flush_new(store: &Store, scan: &TreeScan) -> Result<(), Error> {
    let objects = store.objects();
    let changed = scan.at(scan.changed.iter().map(PathBuf::as_path));
    let new: BTreeSet<PathBuf> = changed
        .into_values()
        .filter_map(|node| match node {
            Node::File { sha256, .. } => Some(objects.path(sha256)),
            _ => None,
        })
        .collect();
    let folders: BTreeSet<&Path> = new.iter().filter_map(|path| path.parent()).collect();
    let root = store.layout().objects();
    let root = root.as_path();
    let done = if new.len() > FEW {
        flush::together(&[root])
    } else {
        flush::all(new.iter().map(PathBuf::as_path).chain(folders))
    };
    done.map_err(Error::io("write", root))
}
