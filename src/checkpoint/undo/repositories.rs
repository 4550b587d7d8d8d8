//! What git's own files need besides their bytes: the objects that they name, and indexes that only look changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::git_objects;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::net::git_index;
use crate::checkpoint::node::{Node, is_within};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::plan::UndoStep;
use crate::checkpoint::store::Store;
use crate::checkpoint::way;
use crate::project::before_exclusion;
use crate::state::own_file;

/// Where a repository has its exclusions.
const EXCLUDES: &str = "info/exclude";

/// Objects come back before what names them does, and go before the repository that they are in.
pub(super) fn move_objects(store: &Store, steps: &[UndoStep]) -> Result<(), Error> {
    let root = store.layout().root();
    for objects in git_objects::folders(store).iter().filter(|objects| goes(objects, steps)) {
        git_objects::take_out(store, objects).map_err(Error::io("take git's objects out of", root))?;
    }
    give_objects_back(store, steps)
}

/// Gives the objects back of repositories that are there or come back: damaged ones always (a look by a hook may have
/// mended those that are held), and those that are gone where git's own files come back. Where something else is on the
/// way to one, nothing is written through it: its turn is after the steps.
pub(super) fn give_objects_back(store: &Store, steps: &[UndoStep]) -> Result<(), Error> {
    let root = store.layout().root();
    let was_damaged = git_objects::heal(store).map_err(Error::io("mend git's objects in", root))?;
    let gone = was_damaged || are_about_git(store, steps);
    let is_there = |objects: &Path| {
        let repository = objects.parent().unwrap_or(objects);
        let is_there = match steps.iter().find(|step| step.to.path == repository) {
            Some(step) => step.to.node.is_directory(),
            None => store.path(repository).is_dir(),
        };
        is_there && !goes(objects, steps) && store.obstacle(objects).is_none()
    };
    git_objects::give_back(store, gone, &is_there).map_err(Error::io("give git's objects back from", root))
}

/// Whether a step is about a repository's own files.
fn are_about_git(store: &Store, steps: &[UndoStep]) -> bool {
    let held = git_objects::folders(store);
    let is_gits =
        |step: &UndoStep| held.iter().filter_map(|it| it.parent()).any(|it| is_within(&step.to.path, it));
    steps.iter().any(is_gits)
}

/// Whether a folder of objects goes, with its repository or alone.
fn goes(objects: &Path, steps: &[UndoStep]) -> bool {
    let goes = |step: &UndoStep| step.to.node == Node::Absent;
    let is_meant = |step: &&UndoStep| step.to.path == objects || Some(&*step.to.path) == objects.parent();
    steps.iter().filter(is_meant).any(goes)
}

/// Takes the objects that go out of what is there now: they are held, and stand in nobody's way.
pub(super) fn pass_over_held(store: &Store, manifest: &Manifest, now: &mut BTreeMap<PathBuf, Node>) {
    let is_to_go = |name: &Path| manifest.entry(name).is_some_and(|entry| entry.node == Node::Absent);
    let held: Vec<PathBuf> = git_objects::folders(store)
        .into_iter()
        .filter(|objects| is_to_go(objects) || objects.parent().is_some_and(is_to_go))
        .collect();
    if !held.is_empty() {
        let is_known = |name: &Path| manifest.entry(name).is_some();
        now.retain(|name, _| is_known(name) || !held.iter().any(|objects| is_within(name, objects)));
    }
}

/// An index that says what it said when the call ended is as the call left it, though a look by git has written it anew;
/// so is a file of exclusions to which the guard has added its own line.
pub(super) fn take_rewritten_as_left(store: &Store, manifest: &mut Manifest) {
    let left = manifest.after.iter_mut().flat_map(|after| &mut after.changed);
    for entry in left.filter(|entry| git_index::is_index(&entry.path) || entry.path.ends_with(EXCLUDES)) {
        let path = store.path(&entry.path);
        let Ok(now) = way::look(&path) else { continue };
        if git_index::same(store, &entry.path, &entry.node, &now) || is_by_guard(&path, &entry.node) {
            entry.node = now;
        }
    }
}

/// Whether a file of exclusions says what it did but for the guard's own line.
fn is_by_guard(path: &Path, left: &Node) -> bool {
    let Some(text) = own_file::read(path).ok().filter(|_| path.ends_with(EXCLUDES)) else { return false };
    let is_left = |text: &[u8]| match left {
        Node::Absent => text.is_empty(),
        Node::File { sha256, .. } => Digest::of(text) == *sha256,
        _ => false,
    };
    before_exclusion(&text).is_some_and(|texts| texts.into_iter().any(is_left))
}
