//! What a restore goes back to: one call's checkpoint, a tree, or the start of a session.
//!
//! Invariant: what goes back to a tree or a start knows what the loop left since, from the newest tree and from the
//! calls after it. Whatever differs from that is somebody's newer work. A tree that was kept before a restore holds such
//! work too, so it says nothing of what the loop left.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::{After, Manifest, Trigger};
use crate::checkpoint::node::covers;
use crate::checkpoint::node::{Entry, Node, Skipped, is_within};
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::MANUAL;
use crate::state::registry::Registry;

/// What a restore goes back to.
#[derive(Debug)]
pub(crate) struct RestoreTarget {
    /// What was kept, and what was left since.
    pub manifest: Manifest,
    /// Paths whose whole content is looked at, besides the tree.
    pub roots: Vec<PathBuf>,
}

impl RestoreTarget {
    /// One call's checkpoint.
    pub(crate) fn of_call(manifest: Manifest) -> RestoreTarget {
        let roots = manifest.roots().into_iter().map(Path::to_owned).collect();
        RestoreTarget { manifest, roots }
    }

    /// The tree as it was at `manifest`.
    pub(crate) fn of_tree(store: &Store, manifest: Manifest) -> Result<RestoreTarget, Error> {
        let later = later(store, &manifest)?;
        let mut start = TargetStart::at(manifest.whole(store)?);
        for manifest in later {
            start.left_by(store, manifest, false)?;
        }
        Ok(start.finish())
    }

    /// The start of a session: of the loop `id`, of the session `id`, or of the loop that kept something last.
    pub(crate) fn of_session(store: &Store, id: Option<&str>) -> Result<RestoreTarget, Error> {
        let loop_id = match id {
            Some(id) => loop_of(store, id),
            None => newest_loop(store)?,
        };
        let mut manifests = in_order(store, Some(&loop_id))?.into_iter();
        let is_baseline = |manifest: &Manifest| manifest.tree && manifest.label == "baseline";
        let first = manifests.as_slice().iter().position(is_baseline);
        let first = match first {
            Some(baseline) => manifests.nth(baseline),
            None => manifests.next(),
        };
        let first = first.ok_or_else(|| Error::Unknown(id.unwrap_or("any session").to_owned()))?;
        let mut start = TargetStart::at(first.whole(store)?);
        let manifests: Vec<Manifest> = manifests.filter(says_what_was_left).collect();
        // A tree says all that there was, so of several the newest is enough.
        let newest = manifests.iter().rposition(|manifest| manifest.tree);
        for (number, manifest) in manifests.into_iter().enumerate() {
            if !manifest.tree || newest == Some(number) {
                start.left_by(store, manifest, true)?;
            }
        }
        start.manifest.summary = format!("the start of {loop_id}");
        Ok(start.finish())
    }
}

/// What a loop found and left, from an early checkpoint on.
struct TargetStart {
    manifest: Manifest,
    kept: BTreeMap<PathBuf, Entry>,
    /// Paths that were kept whole, and names in them that were not.
    roots: Vec<PathBuf>,
    skipped: Vec<Skipped>,
    left: BTreeMap<PathBuf, Node>,
}

impl TargetStart {
    fn at(mut manifest: Manifest) -> TargetStart {
        let roots = manifest.roots().into_iter().map(Path::to_owned).collect();
        let entries = std::mem::take(&mut manifest.entries);
        let kept = entries.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        let skipped = std::mem::take(&mut manifest.skipped);
        let after = manifest.after.take().map(|after| after.changed).unwrap_or_default();
        let left = after.into_iter().map(|entry| (entry.path, entry.node)).collect();
        TargetStart { manifest, kept, roots, skipped, left }
    }

    /// Takes in a later checkpoint: what it found when it was made, and what its call left. With `widen` what is only
    /// known since then goes back as well.
    fn left_by(&mut self, store: &Store, manifest: Manifest, widen: bool) -> Result<(), Error> {
        let is_tree = manifest.tree;
        let manifest = manifest.whole(store)?;
        if is_tree {
            self.found_tree(&manifest);
            return Ok(());
        }
        if widen {
            self.widen(&manifest);
        }
        for entry in manifest.entries.iter().filter(|entry| !entry.implied) {
            self.left.insert(entry.path.clone(), entry.node.clone());
        }
        match &manifest.after {
            Some(after) => {
                let changed = after.changed.iter().map(|entry| (entry.path.clone(), entry.node.clone()));
                self.left.extend(changed);
            }
            // Nobody knows what it left.
            None => self.left.retain(|name, _| !manifest.roots().iter().any(|root| is_within(name, root))),
        }
        Ok(())
    }

    /// Where a tree was looked at, it says all that there was.
    fn found_tree(&mut self, tree: &Manifest) {
        let skipped: BTreeSet<&Path> = tree.skipped.iter().map(|skipped| skipped.path.as_path()).collect();
        let known = self.kept.keys().chain(self.left.keys());
        let gone: Vec<PathBuf> =
            known.filter(|name| !name.is_absolute() && !covers(&skipped, name)).cloned().collect();
        self.left.extend(gone.into_iter().map(|name| (name, Node::Absent)));
        let there = tree.entries.iter().map(|entry| (entry.path.clone(), entry.node.clone()));
        self.left.extend(there);
    }

    /// Adds what `later` kept and what is not known yet. In a path that was kept whole, what has no entry was not
    /// there.
    fn widen(&mut self, later: &Manifest) {
        let skipped: BTreeSet<&Path> = self.skipped.iter().map(|skipped| skipped.path.as_path()).collect();
        let is_known = |name: &Path| {
            self.kept.get(name).is_some_and(|entry| !entry.implied)
                || (self.roots.iter().any(|root| is_within(name, root)) && !covers(&skipped, name))
        };
        // A folder that a call made on the way to what it made: a tree from before says nothing of it.
        let was_made = |entry: &&Entry| entry.implied && !self.kept.contains_key(&entry.path);
        let new = later.entries.iter().filter(|entry| !is_known(&entry.path) || was_made(entry));
        let new: Vec<Entry> = new.cloned().collect();
        let roots = later.roots().into_iter().filter(|root| !is_known(root));
        let roots: Vec<PathBuf> = roots.map(Path::to_owned).collect();
        let below = |name: &Path| roots.iter().any(|root| is_within(name, root));
        let unkept: Vec<Skipped> =
            later.skipped.iter().filter(|skipped| below(&skipped.path)).cloned().collect();
        for entry in new {
            // A folder on the way is known as such from before; what it turned into since is not its start.
            self.kept.entry(entry.path.clone()).or_insert(entry);
        }
        self.roots.extend(roots);
        self.skipped.extend(unkept);
    }

    fn finish(self) -> RestoreTarget {
        let TargetStart { mut manifest, kept, roots, skipped, left } = self;
        manifest.entries = kept.into_values().collect();
        manifest.skipped = skipped;
        let changed = left.into_iter().map(|(name, node)| Entry::new(name, node)).collect();
        manifest.after = Some(After { settled_at: manifest.created_at, changed, ..After::default() });
        let is_seen = |root: &Path| manifest.tree && root.as_os_str().is_empty();
        let roots = roots.into_iter().filter(|root| !is_seen(root)).collect();
        RestoreTarget { manifest, roots }
    }
}

/// Whether it was made in the course of a loop, or by a person who had seen what there was. A restore that never came to
/// its first change has left nothing.
fn says_what_was_left(manifest: &Manifest) -> bool {
    manifest.trigger != Trigger::PreRestore || !manifest.tree && manifest.after.is_some()
}

fn loop_of(store: &Store, id: &str) -> String {
    let registry = Registry::read(store.layout()).unwrap_or_default();
    registry.of_session(Some(id)).map_or_else(|| id.to_owned(), |(loop_id, _)| loop_id.to_owned())
}

/// The loop of the newest checkpoint.
fn newest_loop(store: &Store) -> Result<String, Error> {
    let newest = |id: &String| -> Option<Timestamp> {
        let files = catalogue::files(store, Some(id)).ok()?;
        let modified = files.iter().filter_map(|path| path.metadata().ok()?.modified().ok());
        modified.max().and_then(|time| Timestamp::try_from(time).ok())
    };
    let loops = catalogue::loops(store)?.into_iter().filter(|id| id != MANUAL);
    let newest = loops.filter_map(|id| Some((newest(&id)?, id))).max();
    newest.map(|(_, id)| id).ok_or(Error::NothingToUndo)
}

/// The checkpoints of a loop, or of all, oldest first.
fn in_order(store: &Store, loop_id: Option<&str>) -> Result<Vec<Manifest>, Error> {
    let catalogue = catalogue::list(store, loop_id)?;
    if let Some(error) = catalogue.unreadable.into_iter().next() {
        return Err(error);
    }
    let mut manifests = catalogue.checkpoints;
    manifests.reverse();
    Ok(manifests)
}

/// What was kept in the loop of `manifest` after it, oldest first; of the trees only the newest. A tree of no loop is
/// before the work of any.
fn later(store: &Store, manifest: &Manifest) -> Result<Vec<Manifest>, Error> {
    let loop_id = Some(manifest.loop_id.as_str()).filter(|id| *id != MANUAL);
    let mut later = in_order(store, loop_id)?;
    let own = later.iter().position(|other| other.address() == manifest.address());
    let mut later = later.split_off(own.map_or(0, |own| own + 1));
    later.retain(says_what_was_left);
    match later.iter().rposition(|other| other.tree) {
        Some(tree) => Ok(later.split_off(tree)),
        None => Ok(later),
    }
}
