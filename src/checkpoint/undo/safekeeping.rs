//! What a restore replaces is kept first, so that an undo can be undone.

use std::fs;

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::flush::{self, FEW};
use crate::checkpoint::keep::{implied, keep_file};
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::objects_lock;
use crate::checkpoint::plan::UndoStep;
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, TreeKeepRequest, TreeOccasion};
use crate::checkpoint::walk::WalkedFile;
use crate::state::atomic::Durability;
use crate::state::registry::Registry;

/// Keeps the whole tree before a loop's work is taken back, as `iteration-NNN-pre-revert` of the iteration that the
/// loop is in. What the restore replaces is kept besides, so a file that is too large here is not lost.
pub(super) fn keep_tree(
    store: &Store,
    manifest: &Manifest,
    now: Timestamp,
    meter: &Meter,
) -> Result<(), Error> {
    let registry = Registry::read(store.layout()).unwrap_or_default();
    let iteration = registry.loops.get(&manifest.loop_id).map_or(manifest.iteration, |entry| entry.iteration);
    let summary = format!("before going back to {}", manifest.checkpoint_id);
    tree::take(&TreeKeepRequest {
        store,
        loop_id: &manifest.loop_id,
        iteration,
        moment: TreeOccasion::PreRestore,
        summary: &summary,
        metrics: serde_json::Map::new(),
        also: &[],
        bounds: tree::patient_bounds(),
        durability: Durability::Process,
        now,
        meter,
    })?;
    Ok(())
}

/// Keeps what the steps replace as a checkpoint whose call is this restore, which has left nothing yet. Answers its id.
pub(super) fn keep_replaced(
    store: &Store,
    manifest: &Manifest,
    steps: &[UndoStep],
    now: Timestamp,
) -> Result<String, Error> {
    let _writing = objects_lock::writing(store)?;
    keep_content(store, steps)?;
    let mut entries: Vec<Entry> = steps.iter().map(|step| step.from.clone()).collect();
    entries.extend(implied(store, steps.iter().map(|step| step.from.path.as_path())));
    // The name of the documents is the whole tree's, where there is one.
    let label = if manifest.tree { "pre-restore" } else { "pre-revert" };
    let mut replaced = Manifest {
        iteration: manifest.iteration,
        trigger: Trigger::PreRestore,
        summary: format!("undo of {}: {}", manifest.checkpoint_id, manifest.summary),
        entries,
        ..Manifest::new(&manifest.loop_id, label.to_owned(), now)
    };
    replaced.create(&store.layout().checkpoints(&manifest.loop_id), Durability::Power)?;
    Ok(replaced.checkpoint_id)
}

/// Keeps the content of the files that steps replace, flushed one by one or, when there are many, together.
fn keep_content(store: &Store, steps: &[UndoStep]) -> Result<(), Error> {
    let files: Vec<&UndoStep> =
        steps.iter().filter(|step| matches!(step.from.node, Node::File { .. })).collect();
    let is_many = files.len() > FEW;
    let durability = if is_many { Durability::Process } else { Durability::Power };
    let kept = spread(&files, 2, &|step| {
        let path = store.path(&step.from.path);
        let metadata = fs::symlink_metadata(&path).map_err(Error::io("read", &path))?;
        let found = WalkedFile { name: &step.from.path, path: &path, metadata: &metadata };
        // Were it to change just now, the step would not be taken: it looks again.
        keep_file(store, &found, durability).map(|_| ())
    });
    kept.into_iter().collect::<Result<(), Error>>()?;
    let root = store.layout().objects();
    if is_many { flush::together(&[&root]).map_err(Error::io("write", &root)) } else { Ok(()) }
}
