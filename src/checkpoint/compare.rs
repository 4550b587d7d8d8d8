//! How two checkpoints differ, or one from what is there now.
//!
//! Invariant: what one of them did not keep is no difference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::covers;
use crate::checkpoint::node::{Node, Skipped};
use crate::checkpoint::settle::changes;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree;
use crate::checkpoint::walk::WalkBounds;

/// A path that is not the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathChange {
    /// Its name.
    pub path: PathBuf,
    /// What was there.
    pub before: Node,
    /// What is there in the other.
    pub after: Node,
}

/// From one checkpoint to another.
pub fn between(store: &Store, from: Manifest, to: Manifest) -> Result<Vec<PathChange>, Error> {
    let (from, to) = (from.whole(store)?, to.whole(store)?);
    let is_about = |manifest: &Manifest| manifest.roots().into_iter().map(Path::to_owned).collect::<Vec<_>>();
    let (about_from, about_to) = (is_about(&from), is_about(&to));
    let mut changes = differences(&nodes(&from), &from.skipped, &nodes(&to), &to.skipped);
    // What only one of them looked at is no difference either.
    changes.retain(|change| {
        [&about_from, &about_to]
            .into_iter()
            .all(|roots| roots.iter().any(|root| crate::checkpoint::node::is_within(&change.path, root)))
    });
    Ok(changes)
}

/// From a checkpoint to what is there now.
pub fn with_now(store: &Store, from: Manifest, meter: &Meter) -> Result<Vec<PathChange>, Error> {
    let from = from.whole(store)?;
    if !from.tree {
        let before = nodes(&from);
        let changed = changes(store, &from, &WalkBounds::none()).into_iter().map(|entry| {
            let before = before.get(entry.path.as_path()).map_or(Node::Absent, |node| (*node).clone());
            PathChange { before, path: entry.path, after: entry.node }
        });
        return Ok(changed.collect());
    }
    let before = nodes(&from);
    let known: BTreeSet<&Path> = before.keys().copied().collect();
    let (now, skipped) = tree::look(store, &known, meter)?;
    let now = now.iter().map(|(name, node)| (name.as_path(), node)).collect();
    Ok(differences(&before, &from.skipped, &now, &skipped))
}

fn nodes(manifest: &Manifest) -> BTreeMap<&Path, &Node> {
    manifest.kept().into_iter().map(|(name, entry)| (name, &entry.node)).collect()
}

fn differences(
    before: &BTreeMap<&Path, &Node>,
    not_before: &[Skipped],
    after: &BTreeMap<&Path, &Node>,
    not_after: &[Skipped],
) -> Vec<PathChange> {
    let set = |skipped: &'_ [Skipped]| skipped.iter().map(|skipped| skipped.path.clone()).collect::<Vec<_>>();
    let (not_before, not_after) = (set(not_before), set(not_after));
    let not_before: BTreeSet<&Path> = not_before.iter().map(PathBuf::as_path).collect();
    let not_after: BTreeSet<&Path> = not_after.iter().map(PathBuf::as_path).collect();
    let names: BTreeSet<&Path> = before.keys().chain(after.keys()).copied().collect();
    let changed = names.into_iter().filter_map(|name| {
        let at = |nodes: &BTreeMap<&Path, &Node>, not: &BTreeSet<&Path>| match nodes.get(name) {
            Some(node) => Some((*node).clone()),
            None => (!covers(not, name)).then_some(Node::Absent),
        };
        let (before, after) = (at(before, &not_before)?, at(after, &not_after)?);
        (before != after).then(|| PathChange { path: name.to_owned(), before, after })
    });
    changed.collect()
}
