//! Carrying out a restore so that its death half-way leaves something to finish.
//!
//! Invariant: `restore.json` is on disk from before the first change until after the last, and carrying it out again
//! is harmless: a step whose outcome is there is done, and a step whose start has changed is not taken.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checkpoint::Error;
use crate::checkpoint::manifest::VERSION;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects::{Digest, digest_of_file};
use crate::checkpoint::plan::{Refusal, Step};
use crate::checkpoint::store::{Store, is_absence};
use crate::state::atomic::{self, Durability};

/// What an owner needs to change what is in a folder.
const WRITABLE: u32 = 0o700;

/// A restore on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// The format, counted with the manifest's.
    pub version: u32,
    /// The loop of the checkpoint.
    pub loop_id: String,
    /// The checkpoint that is restored.
    pub checkpoint_id: String,
    /// The checkpoint of what is replaced.
    pub pre_restore: String,
    /// What is to be done, parents first.
    pub steps: Vec<Step>,
    /// The permissions that folders have in the end, parents first.
    pub folders: Vec<Entry>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Names of what is there again.
    pub restored: Vec<PathBuf>,
    /// Names of what is gone again.
    pub removed: Vec<PathBuf>,
    /// What could not be done.
    pub refused: Vec<Refusal>,
}

/// The journal's file.
pub fn path(store: &Store) -> PathBuf {
    store.layout().root().join("restore.json")
}

impl Journal {
    /// The journal that a restore which was cut short left, if one did.
    pub fn read(store: &Store) -> Result<Option<Journal>, Error> {
        let path = path(store);
        let json = match fs::read(&path) {
            Ok(json) => json,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(source) => return Err(Error::Io { doing: "read", path, source }),
        };
        let journal: Result<Journal, _> = serde_json::from_slice(&json);
        match journal {
            Ok(journal) if journal.version > VERSION => Err(Error::Newer { path, found: journal.version }),
            Ok(journal) => Ok(Some(journal)),
            Err(error) => Err(Error::Unreadable { path, why: error.to_string() }),
        }
    }

    /// The permissions of folders in the end: those that the steps bring back, and those of the folders that have to
    /// be opened for them.
    pub(crate) fn folders(store: &Store, steps: &[Step]) -> Vec<Entry> {
        let back = steps.iter().map(|step| &step.to).filter(|to| to.node.is_directory());
        let mut folders: Vec<Entry> = back.cloned().collect();
        let parents: BTreeSet<&Path> = steps.iter().filter_map(|step| step.to.path.parent()).collect();
        for parent in parents {
            if let Ok(metadata) = fs::symlink_metadata(store.path(parent))
                && metadata.is_dir()
                && Node::mode(&metadata) & WRITABLE != WRITABLE
                && !steps.iter().any(|step| step.to.path == parent)
            {
                let mode = Node::mode(&metadata);
                folders.push(Entry::new(parent.to_owned(), Node::Directory { mode }));
            }
        }
        folders.sort_by(|a, b| a.path.cmp(&b.path));
        folders
    }

    /// Writes the journal.
    pub(crate) fn write(&self, store: &Store) -> Result<(), Error> {
        let path = path(store);
        let write = || atomic::write(&path, &serde_json::to_vec(self)?, Durability::Power);
        write().map_err(Error::io("write", &path))
    }

    /// Does what is left to do, then removes the journal. `go_on` is asked before every step; when it says no, that
    /// is like a death there, and the answer is `None`.
    pub(crate) fn carry_out(
        &self,
        store: &Store,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Outcome>, Error> {
        let mut outcome = Outcome::default();
        self.open_folders(store);
        let steps = || self.steps.iter().enumerate();
        let is_removal = |step: &Step| step.to.node == Node::Absent;
        // Children go before their folders, folders come before their children.
        let removals = steps().rev().filter(|(_, step)| is_removal(step));
        for (number, step) in removals.chain(steps().filter(|(_, step)| !is_removal(step))) {
            if !go_on() {
                return Ok(None);
            }
            let name = step.to.path.clone();
            match self.take(store, number, step) {
                Ok(()) if is_removal(step) => outcome.removed.push(name),
                Ok(()) => outcome.restored.push(name),
                Err(reason) => outcome.refused.push(Refusal { path: name, reason, by_force: false }),
            }
        }
        if !go_on() {
            return Ok(None);
        }
        self.close_folders(store, &mut outcome);
        self.flush_folders(store);
        let path = path(store);
        fs::remove_file(&path).map_err(Error::io("remove", &path))?;
        Ok(Some(outcome))
    }

    fn take(&self, store: &Store, number: usize, step: &Step) -> Result<(), String> {
        if let Some(obstacle) = store.obstacle(&step.to.path) {
            // Nothing is there then; what a link leads to is something else.
            return if step.to.node == Node::Absent { Ok(()) } else { Err(obstacle_reason(&obstacle)) };
        }
        let path = store.path(&step.to.path);
        let scratch = path.with_file_name(format!(".steadfast-undo-{number}"));
        // Left by a death between writing and renaming.
        let _ = fs::remove_file(&scratch);
        let present = look(&path).map_err(|error| error.to_string())?;
        if is_reached(&present, &step.to.node) {
            return Ok(());
        }
        if present != Node::Absent && !is_reached(&present, &step.from.node) {
            return Err("changed while it was being restored".to_owned());
        }
        let done = put(store, &path, &scratch, &present, &step.to.node);
        if done.is_err() {
            let _ = fs::remove_file(&scratch);
        }
        done.map_err(|error| error.to_string())
    }

    /// Makes the folders writable that something is changed in. What fails here fails again, with a reason, when the
    /// change is made.
    fn open_folders(&self, store: &Store) {
        let parents: BTreeSet<&Path> = self.steps.iter().filter_map(|step| step.to.path.parent()).collect();
        for parent in parents {
            let path = store.path(parent);
            if let Ok(metadata) = fs::symlink_metadata(&path)
                && metadata.is_dir()
                && Node::mode(&metadata) & WRITABLE != WRITABLE
            {
                let mode = Node::mode(&metadata) | WRITABLE;
                let _ = fs::set_permissions(&path, Permissions::from_mode(mode));
            }
        }
    }

    fn close_folders(&self, store: &Store, outcome: &mut Outcome) {
        for folder in self.folders.iter().rev() {
            let path = store.path(&folder.path);
            let Node::Directory { mode } = folder.node else { continue };
            let is_folder = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
            let is_refused = outcome.refused.iter().any(|refusal| refusal.path == folder.path);
            if is_folder
                && !is_refused
                && let Err(error) = fs::set_permissions(&path, Permissions::from_mode(mode))
            {
                let reason = format!("its permissions: {error}");
                outcome.refused.push(Refusal { path: folder.path.clone(), reason, by_force: false });
            }
        }
    }

    /// The renames and removals are on the disk before the journal goes.
    fn flush_folders(&self, store: &Store) {
        let parents: BTreeSet<&Path> = self.steps.iter().filter_map(|step| step.to.path.parent()).collect();
        for parent in parents {
            // A folder that went with its content has nothing to flush, and some file systems cannot.
            let _ = File::open(store.path(parent)).and_then(|folder| folder.sync_all());
        }
    }
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

fn put(store: &Store, path: &Path, scratch: &Path, present: &Node, wanted: &Node) -> Result<(), Error> {
    if let Some(parent) = path.parent()
        && *wanted != Node::Absent
    {
        fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
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
            std::os::unix::fs::symlink(target, scratch).map_err(Error::io("create", scratch))?;
            fs::rename(scratch, path).map_err(Error::io("replace", path))
        }
        Node::File { sha256, mode, .. } => {
            write_file(store, sha256, *mode, scratch)?;
            fs::rename(scratch, path).map_err(Error::io("replace", path))
        }
        Node::Other => Err(Error::Unreadable { path: path.to_owned(), why: "it was not kept".to_owned() }),
    }
}

fn write_file(store: &Store, sha256: &Digest, mode: u32, scratch: &Path) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(scratch)
        .map_err(Error::io("create", scratch))?;
    store.objects().copy_to(sha256, &mut file)?;
    let finished = file.set_permissions(Permissions::from_mode(mode)).and_then(|()| file.sync_all());
    finished.map_err(Error::io("write", scratch))
}
