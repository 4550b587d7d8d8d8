//! Carrying out a restore so that its death half-way leaves something to finish.
//!
//! Invariant: `restore.json` is on disk from before the first change until after the last, and carrying it out again
//! is harmless: a step whose outcome is there is done, and a step whose start has changed is not taken. The checkpoint of
//! what is replaced says what the restore left from the last change on, and not before: what never came to a change was
//! no restore.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checkpoint::Error;
use crate::checkpoint::flush;
use crate::checkpoint::manifest::{self, After, Manifest, VERSION};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::plan::{Refusal, UndoStep};
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::{Store, is_absence};
use crate::checkpoint::way::{NodeTransition, StepReadiness, WRITABLE, place, put, ready, write_file};
use crate::state::atomic::{self, Durability};
use crate::state::own_file;

/// Files that are written before they are flushed together and get their names.
const LOT: usize = 16_384;

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
    pub steps: Vec<UndoStep>,
    /// The permissions that folders have in the end, parents first.
    pub folders: Vec<Entry>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UndoOutcome {
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
        let json = match own_file::read(&path) {
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
    pub(crate) fn folders(store: &Store, steps: &[UndoStep]) -> Vec<Entry> {
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
        meter: &Meter,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<UndoOutcome>, Error> {
        let mut outcome = UndoOutcome::default();
        meter.expect(self.steps.len());
        self.open_folders(store);
        // Children go before their folders, folders come before their children, and files come into them last, so
        // that the content of many is flushed at once.
        if !self.take_others(store, &mut outcome, meter, go_on) {
            return Ok(None);
        }
        let files: Vec<(usize, &UndoStep)> =
            self.steps.iter().enumerate().filter(|(_, step)| is_file(step)).collect();
        for lot in files.chunks(LOT) {
            if !go_on() || !take_files(store, lot, &mut outcome, meter, go_on) {
                return Ok(None);
            }
        }
        if !go_on() {
            return Ok(None);
        }
        self.close_folders(store, &mut outcome);
        self.flush_folders(store);
        self.note_left(store);
        let path = path(store);
        fs::remove_file(&path).map_err(Error::io("remove", &path))?;
        Ok(Some(outcome))
    }

    /// Removes what goes, the deepest first, and makes folders and links. Answers false when `go_on` ended it.
    fn take_others(
        &self,
        store: &Store,
        outcome: &mut UndoOutcome,
        meter: &Meter,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        let is_removal = |step: &UndoStep| step.to.node == Node::Absent;
        let steps = || self.steps.iter().enumerate();
        let removals = steps().rev().filter(|(_, step)| is_removal(step));
        let shapes = steps().filter(|(_, step)| !is_removal(step) && !is_file(step));
        for (number, step) in removals.chain(shapes) {
            if !go_on() {
                return false;
            }
            let taken = ready(store, number, step).and_then(|ready| match ready {
                StepReadiness::Reached => Ok(()),
                StepReadiness::Now(way) => put(&way, step).map_err(|error| error.to_string()),
            });
            outcome.note(step, taken);
            meter.tick();
        }
        true
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

    fn close_folders(&self, store: &Store, outcome: &mut UndoOutcome) {
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

    /// Notes in the checkpoint of what was replaced what is there instead. Where it can't be, an undo of this asks more.
    fn note_left(&self, store: &Store) {
        let path = manifest::file(&store.layout().checkpoints(&self.loop_id), &self.pre_restore);
        let Ok(mut replaced) = Manifest::read(&path) else { return };
        let changed = self.steps.iter().map(|step| step.to.clone()).collect();
        replaced.after = Some(After { settled_at: replaced.created_at, changed, ..After::default() });
        replaced.replace(&path, Durability::Power).ok();
    }

    /// The renames and removals are on the disk before the journal goes.
    fn flush_folders(&self, store: &Store) {
        let parents: BTreeSet<PathBuf> =
            self.steps.iter().filter_map(|step| Some(store.path(step.to.path.parent()?))).collect();
        // What a folder could not flush is no reason to do it all again.
        let _ = flush::all(parents.iter().map(PathBuf::as_path));
    }
}

impl UndoOutcome {
    fn note(&mut self, step: &UndoStep, taken: Result<(), String>) {
        let name = step.to.path.clone();
        match taken {
            Ok(()) if step.to.node == Node::Absent => self.removed.push(name),
            Ok(()) => self.restored.push(name),
            Err(reason) => self.refused.push(Refusal { path: name, reason, by_force: false }),
        }
    }
}

fn is_file(step: &UndoStep) -> bool {
    matches!(step.to.node, Node::File { .. })
}

/// Writes the files beside their places, flushes them, and only then gives them their names. Answers false when
/// `go_on` ended it.
fn take_files(
    store: &Store,
    lot: &[(usize, &UndoStep)],
    outcome: &mut UndoOutcome,
    meter: &Meter,
    go_on: &mut dyn FnMut() -> bool,
) -> bool {
    let written = spread(lot, 2, &|(number, step)| {
        let ready = ready(store, *number, step)?;
        if let (StepReadiness::Now(way), Node::File { sha256, mode, .. }) = (&ready, &step.to.node) {
            write_file(store, sha256, *mode, way).map_err(|error| error.to_string())?;
        }
        Ok(ready)
    });
    let scratches = written.iter().filter_map(|ready| match ready {
        Ok(StepReadiness::Now(way)) => Some(way.scratch.as_path()),
        _ => None,
    });
    let flushed = flush::all(scratches).map_err(|error| format!("it could not be written: {error}"));
    for ((_, step), ready) in lot.iter().zip(written) {
        if !go_on() {
            return false;
        }
        let taken = ready.and_then(|ready| match ready {
            StepReadiness::Reached => Ok(()),
            StepReadiness::Now(way) => give_name(&way, flushed.clone()),
        });
        outcome.note(step, taken);
        meter.tick();
    }
    true
}

/// Gives a file that was written and flushed its name.
fn give_name(way: &NodeTransition, flushed: Result<(), String>) -> Result<(), String> {
    let done =
        flushed.and_then(|()| way.is_as_seen()).and_then(|()| place(way).map_err(|error| error.to_string()));
    if done.is_err() {
        let _ = fs::remove_file(&way.scratch);
    }
    done
}
