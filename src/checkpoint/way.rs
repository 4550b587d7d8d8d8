//! One path's way back: looking whether it can be gone, writing beside the place, and the last rename.
//!
//! Invariant: a place holds what was there or what comes back, whole, and nothing that changed since it was last
//! looked at is replaced.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::node::{Node, Stamp};
use crate::checkpoint::objects::{Digest, digest_of_file};
use crate::checkpoint::plan::UndoStep;
use crate::checkpoint::store::{Store, is_absence};

/// What an owner needs to change what is in a folder.
pub(crate) const WRITABLE: u32 = 0o700;
const CHANGED: &str = "changed while it was being restored";

/// Whether a step is still to be taken.
pub(crate) enum StepReadiness {
    Reached,
    Now(NodeTransition),
}

/// From what is there to what should be.
pub(crate) struct NodeTransition {
    path: PathBuf,
    /// Where the new content is written first.
    pub scratch: PathBuf,
    present: Node,
    stamp: Option<Stamp>,
}

impl NodeTransition {
    /// Other files of the lot were written since it was looked at. Where one of them was the same file by another name,
    /// only the stamp has changed.
    pub(crate) fn is_as_seen(&self) -> Result<(), String> {
        let is_seen = stamp(&self.path) == self.stamp
            || look(&self.path).is_ok_and(|present| present.same(&self.present));
        if is_seen { Ok(()) } else { Err(CHANGED.to_owned()) }
    }
}

/// Looks whether a step can be taken.
pub(crate) fn ready(store: &Store, number: usize, step: &UndoStep) -> Result<StepReadiness, String> {
    if let Some(obstacle) = store.obstacle(&step.to.path) {
        // Nothing is there then; what a link leads to is something else.
        let is_gone = step.to.node == Node::Absent;
        return if is_gone { Ok(StepReadiness::Reached) } else { Err(obstacle_reason(&obstacle)) };
    }
    let path = store.path(&step.to.path);
    let scratch = path.with_file_name(format!(".steadfast-undo-{number}"));
    // Left by a death between writing and renaming.
    let _ = fs::remove_file(&scratch);
    let stamp = stamp(&path);
    let present = look(&path).map_err(|error| error.to_string())?;
    if is_reached(&present, &step.to.node) {
        return Ok(StepReadiness::Reached);
    }
    if present != Node::Absent && !is_reached(&present, &step.from.node) {
        return Err(CHANGED.to_owned());
    }
    Ok(StepReadiness::Now(NodeTransition { path, scratch, present, stamp }))
}

fn stamp(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().map(|metadata| Stamp::of(&metadata))
}

/// Why nothing is restored below `obstacle`.
pub(crate) fn obstacle_reason(obstacle: &Path) -> String {
    format!("{} on the way to it is no folder now; move that away first", obstacle.display())
}

/// What is at `path` now, read to the end.
pub(crate) fn look(path: &Path) -> io::Result<Node> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_absence(&error) => return Ok(Node::Absent),
        Err(error) => return Err(error),
    };
    let mode = Node::mode(&metadata);
    let kind = metadata.file_type();
    if kind.is_dir() {
        Ok(Node::Directory { mode })
    } else if kind.is_symlink() {
        Ok(Node::Symlink { target: fs::read_link(path)? })
    } else if kind.is_file() {
        let (sha256, size) = digest_of_file(path)?;
        Ok(Node::File { sha256, size, mode })
    } else {
        Ok(Node::Other)
    }
}

/// A folder's permissions come last, so they do not count on the way.
fn is_reached(present: &Node, wanted: &Node) -> bool {
    present.same(wanted) || (present.is_directory() && wanted.is_directory())
}

/// Takes the step of anything but a file.
pub(crate) fn put(way: &NodeTransition, step: &UndoStep) -> Result<(), Error> {
    let NodeTransition { path, scratch, present, .. } = way;
    let wanted = &step.to.node;
    if *wanted != Node::Absent {
        make_parent(path)?;
    }
    if present.is_directory() {
        fs::remove_dir(path).map_err(Error::io("remove", path))?;
    }
    match wanted {
        Node::Absent if present.is_directory() || *present == Node::Absent => Ok(()),
        Node::Absent => fs::remove_file(path).map_err(Error::io("remove", path)),
        Node::Directory { .. } => {
            if *present != Node::Absent {
                fs::remove_file(path).map_err(Error::io("remove", path))?;
            }
            // Nobody else looks in before its own permissions are set.
            let made = fs::create_dir(path)
                .and_then(|()| fs::set_permissions(path, Permissions::from_mode(WRITABLE)));
            made.map_err(Error::io("create", path))
        }
        Node::Symlink { target } => {
            let linked = std::os::unix::fs::symlink(target, scratch);
            let linked = linked.and_then(|()| fs::rename(scratch, path));
            linked.map_err(|source| {
                let _ = fs::remove_file(scratch);
                Error::Io { doing: "create", path: path.clone(), source }
            })
        }
        Node::File { .. } => place(way),
        Node::Other => Err(Error::Unreadable { path: path.clone(), why: "it was not kept".to_owned() }),
    }
}

/// Gives a file that was written its name.
pub(crate) fn place(way: &NodeTransition) -> Result<(), Error> {
    if way.present.is_directory() {
        fs::remove_dir(&way.path).map_err(Error::io("remove", &way.path))?;
    }
    fs::rename(&way.scratch, &way.path).map_err(Error::io("replace", &way.path))
}

fn make_parent(path: &Path) -> Result<(), Error> {
    let Some(parent) = path.parent() else { return Ok(()) };
    fs::create_dir_all(parent).map_err(Error::io("create", parent))
}

/// Writes a file beside its place; it is flushed later, with others.
pub(crate) fn write_file(
    store: &Store,
    sha256: &Digest,
    mode: u32,
    way: &NodeTransition,
) -> Result<(), Error> {
    make_parent(&way.path)?;
    let scratch = &way.scratch;
    let write = || {
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(scratch);
        let mut file = opened.map_err(Error::io("create", scratch))?;
        store.objects().copy_to(sha256, &mut file)?;
        file.set_permissions(Permissions::from_mode(mode)).map_err(Error::io("write", scratch))
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(scratch);
    })
}
