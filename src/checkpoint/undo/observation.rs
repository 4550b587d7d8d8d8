//! What is there before a restore, and what cannot come back. Nothing is touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::settle::read_file;
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;
use crate::checkpoint::target::RestoreTarget;
use crate::checkpoint::tree;
use crate::checkpoint::walk::{WalkBounds, walk};
use crate::checkpoint::way;

/// What is there now. A file that neither the checkpoint nor the call knows is only read where it could be replaced.
pub(super) fn observe(
    store: &Store,
    target: &RestoreTarget,
    force: bool,
    meter: &Meter,
) -> Result<BTreeMap<PathBuf, Node>, Error> {
    let manifest = &target.manifest;
    let kept = manifest.entries.iter().map(|entry| entry.path.as_path());
    let left = manifest.after.iter().flat_map(|after| after.changed.iter().map(|entry| entry.path.as_path()));
    let known: BTreeSet<&Path> = kept.chain(left).collect();
    let mut now = BTreeMap::new();
    if manifest.tree {
        let (seen, skipped) = tree::look(store, &known, meter)?;
        now = seen;
        for skipped in skipped {
            now.entry(skipped.path).or_insert(Node::Other);
        }
    }
    look_below(store, target, &known, force || manifest.after.is_none(), &mut now);
    count_made_folders(store, manifest, &mut now);
    now.retain(|_, node| *node != Node::Absent);
    Ok(now)
}

/// Adds what is at the roots of the target and below them.
fn look_below(
    store: &Store,
    target: &RestoreTarget,
    known: &BTreeSet<&Path>,
    read_all: bool,
    now: &mut BTreeMap<PathBuf, Node>,
) {
    let roots = target.roots.iter().filter(|root| store.obstacle(root).is_none()).cloned();
    let roots: Vec<PathBuf> = roots.collect();
    let tree = walk(store, &roots, &WalkBounds::none(), &mut |found| {
        if read_all || known.contains(found.name) {
            read_file(found)
        } else {
            Ok(Entry::new(found.name.to_owned(), Node::Other))
        }
    });
    now.extend(tree.entries.into_iter().map(|(name, entry)| (name, entry.node)));
    for skipped in tree.skipped {
        now.entry(skipped.path).or_insert(Node::Other);
    }
}

/// Adds the folders that were made on the way to what was kept, as far as nothing else is in them.
fn count_made_folders(store: &Store, manifest: &Manifest, now: &mut BTreeMap<PathBuf, Node>) {
    // Deepest first: a folder that was made on the way only counts when all that is in it does.
    let mut made: Vec<&Path> =
        manifest.entries.iter().filter(|entry| entry.implied).map(|entry| entry.path.as_path()).collect();
    made.sort_unstable_by(|a, b| b.cmp(a));
    for name in made {
        if let Some(folder) = folder_of_known(store, name, now) {
            now.insert(name.to_owned(), folder);
        }
    }
}

/// The folder `name`, if it is one and nothing is in it but what is in `now`.
fn folder_of_known(store: &Store, name: &Path, now: &BTreeMap<PathBuf, Node>) -> Option<Node> {
    if store.obstacle(name).is_some() {
        return None;
    }
    let path = store.path(name);
    let folder = way::look(&path).ok().filter(Node::is_directory)?;
    let mut children = fs::read_dir(&path).ok()?;
    let is_known = |child: io::Result<fs::DirEntry>| {
        child.is_ok_and(|child| now.contains_key(&store.child(name, &child.file_name())))
    };
    children.all(is_known).then_some(folder)
}

/// What cannot be restored, found out before anything is touched: what a link or file has come in the way of, and
/// what lost its blob.
pub(super) fn unavailable(
    store: &Store,
    manifest: &Manifest,
    now: &BTreeMap<PathBuf, Node>,
) -> BTreeMap<PathBuf, String> {
    let mut unavailable = BTreeMap::new();
    for root in manifest.roots() {
        if let Some(obstacle) = store.obstacle(root) {
            unavailable.insert(root.to_owned(), way::obstacle_reason(&obstacle));
        }
    }
    let wanted = manifest.entries.iter().filter_map(|entry| match &entry.node {
        Node::File { sha256, .. } if !now.get(&entry.path).is_some_and(|node| node.same(&entry.node)) => {
            Some((&entry.path, sha256))
        }
        _ => None,
    });
    let wanted: Vec<(&PathBuf, &Digest)> = wanted.collect();
    let verified = spread(&wanted, 2, &|(_, sha256)| store.objects().verify(sha256));
    for ((path, _), verified) in wanted.into_iter().zip(verified) {
        if let Err(error) = verified {
            unavailable.insert(path.clone(), error.to_string());
        }
    }
    unavailable
}
