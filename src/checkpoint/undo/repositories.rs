//! What git's own files need besides their bytes: the objects that they name, and indexes that only look changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::git_objects;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::net::git_index;
use crate::checkpoint::node::{Node, is_within};
use crate::checkpoint::plan::UndoStep;
use crate::checkpoint::store::Store;
use crate::checkpoint::way;

/// Objects come back before what names them does, and go before the repository that they are in.
pub(super) fn move_objects(store: &Store, steps: &[UndoStep]) -> Result<(), Error> {
    let is_gits = |step: &&UndoStep| step.to.path.components().any(|part| part.as_os_str() == ".git");
    if steps.iter().find(is_gits).is_none() {
        return Ok(());
    }
    let is_there = |repository: &Path| match steps.iter().find(|step| step.to.path == repository) {
        Some(step) => step.to.node.is_directory(),
        None => store.path(repository).is_dir(),
    };
    let root = store.layout().root();
    let goes = |repository: &Path| {
        steps.iter().any(|step| step.to.path == repository && step.to.node == Node::Absent)
    };
    for objects in git_objects::folders(store) {
        if objects.parent().is_some_and(goes) {
            git_objects::take_out(store, &objects).map_err(Error::io("take git's objects out of", root))?;
        }
    }
    git_objects::give_back(store, &is_there).map_err(Error::io("give git's objects back from", root))
}

/// Takes the objects of repositories that go out of what is there now: they are held, and stand in nobody's way.
pub(super) fn pass_over_held(store: &Store, manifest: &Manifest, now: &mut BTreeMap<PathBuf, Node>) {
    let is_to_go =
        |repository: &Path| manifest.entry(repository).is_some_and(|entry| entry.node == Node::Absent);
    let held: Vec<PathBuf> = git_objects::folders(store)
        .into_iter()
        .filter(|objects| objects.parent().is_some_and(is_to_go))
        .collect();
    if !held.is_empty() {
        now.retain(|name, _| !held.iter().any(|objects| is_within(name, objects)));
    }
}

/// An index that says what it said when the call ended is as the call left it, though a look by git has written it anew.
pub(super) fn take_indexes_as_left(store: &Store, manifest: &mut Manifest) {
    let left = manifest.after.iter_mut().flat_map(|after| &mut after.changed);
    for entry in left.filter(|entry| git_index::is_index(&entry.path)) {
        let Ok(now) = way::look(&store.path(&entry.path)) else { continue };
        if git_index::same(store, &entry.path, &entry.node, &now) {
            entry.node = now;
        }
    }
}
