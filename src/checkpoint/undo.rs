//! Giving back what was kept.
//!
//! Invariant: what a restore replaces or removes is a checkpoint of its own first, so an undo can be undone.
//! File times are not restored: a build tool has to see that the content changed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};

use crate::checkpoint::Error;
use crate::checkpoint::journal::{Journal, UndoOutcome};
use crate::checkpoint::manifest::{Manifest, VERSION};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Node, Skipped};
use crate::checkpoint::plan::{Refusal, RestorePlan, Situation, UndoStep, plan};
use crate::checkpoint::store::Store;
use crate::checkpoint::target::RestoreTarget;
use crate::state::lock::{CLI_WAIT, Lock};

mod observation;
mod repositories;
mod safekeeping;
mod selection;

use observation::{observe, unavailable};
use safekeeping::{keep_replaced, keep_tree};
pub use selection::CheckpointSelector;
use selection::select;

/// How to restore.
#[derive(Debug, Clone, Default)]
pub struct UndoOptions {
    /// Replace newer work too. It is kept first, like all that is replaced.
    pub force: bool,
    /// Only say what would be done.
    pub dry_run: bool,
    /// Only these, with what is below them; all when empty. A relative path is meant from the project.
    pub paths: Vec<PathBuf>,
    /// Names that hold somebody else's work, each with whose: replaced with force alone.
    pub of_others: BTreeMap<PathBuf, String>,
    /// Names that stay as they are, with force too, each with why.
    pub staying: BTreeMap<PathBuf, String>,
    /// The time.
    pub now: Timestamp,
}

impl UndoOptions {
    /// What can't be restored, and what is to stay.
    fn and_staying(&self, mut unavailable: BTreeMap<PathBuf, String>) -> BTreeMap<PathBuf, String> {
        unavailable.extend(self.staying.clone());
        unavailable
    }
}

/// What a restore did, or would do. Paths are names as in the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoReport {
    /// The loop of the checkpoint.
    pub loop_id: String,
    /// The checkpoint.
    pub checkpoint_id: String,
    /// What it was for, in a line.
    pub summary: String,
    /// What is there again as it was kept.
    pub restored: Vec<PathBuf>,
    /// What was not there when it was kept, and is gone again.
    pub removed: Vec<PathBuf>,
    /// What was as it was kept already.
    pub unchanged: Vec<PathBuf>,
    /// What was left although it differs, and why.
    pub refused: Vec<Refusal>,
    /// What was never kept, and why.
    pub not_kept: Vec<Skipped>,
    /// The checkpoint of what was replaced; `None` when nothing was.
    pub pre_restore: Option<String>,
}

impl UndoReport {
    /// What is not as it was before the restore.
    pub fn touched(&self) -> Vec<PathBuf> {
        self.restored.iter().chain(&self.removed).cloned().collect()
    }
}

/// Restores a checkpoint.
pub fn restore(
    store: &Store,
    selection: &CheckpointSelector,
    options: &UndoOptions,
) -> Result<UndoReport, Error> {
    restore_shown(store, selection, options, &Meter::default())
}

/// As [`restore`], counted by `meter`.
pub fn restore_shown(
    store: &Store,
    selection: &CheckpointSelector,
    options: &UndoOptions,
    meter: &Meter,
) -> Result<UndoReport, Error> {
    let finished = restore_until(store, selection, options, meter, &mut || true)?;
    finished.ok_or(Error::Unfinished)
}

/// Finishes a restore that was cut short.
pub fn resume(store: &Store, now: Timestamp, meter: &Meter) -> Result<UndoReport, Error> {
    let _lock = lock(store)?;
    let journal = Journal::read(store)?.ok_or(Error::NothingToContinue)?;
    repositories::move_objects(store, &journal.steps)?;
    let outcome = journal.carry_out(store, meter, &mut || true)?.ok_or(Error::Unfinished)?;
    repositories::give_objects_back(store, &journal.steps)?;
    let pre_restore = journal.pre_restore.clone();
    let Journal { loop_id, checkpoint_id, .. } = journal;
    let summary = format!("continued at {now:.0}");
    let report = UndoReport {
        loop_id,
        checkpoint_id,
        summary,
        restored: Vec::new(),
        removed: Vec::new(),
        unchanged: Vec::new(),
        refused: Vec::new(),
        not_kept: Vec::new(),
        pre_restore: Some(pre_restore),
    };
    Ok(report.with(outcome))
}

impl UndoReport {
    /// Of a restore of this checkpoint that has done nothing yet.
    fn about(manifest: &Manifest) -> UndoReport {
        UndoReport {
            loop_id: manifest.loop_id.clone(),
            checkpoint_id: manifest.checkpoint_id.clone(),
            summary: manifest.summary.clone(),
            restored: Vec::new(),
            removed: Vec::new(),
            unchanged: Vec::new(),
            refused: Vec::new(),
            not_kept: gaps(manifest),
            pre_restore: None,
        }
    }

    /// With what the steps would do.
    fn promising(mut self, steps: Vec<UndoStep>) -> UndoReport {
        let (removed, restored) =
            steps.into_iter().partition::<Vec<_>, _>(|step| step.to.node == Node::Absent);
        self.removed = removed.into_iter().map(|step| step.to.path).collect();
        self.restored = restored.into_iter().map(|step| step.to.path).collect();
        self
    }

    fn with(mut self, outcome: UndoOutcome) -> UndoReport {
        self.restored.extend(outcome.restored);
        self.removed.extend(outcome.removed);
        self.refused.extend(outcome.refused);
        self
    }
}

/// As [`restore`]; `None` when `go_on` ended it half-way.
pub(crate) fn restore_until(
    store: &Store,
    selection: &CheckpointSelector,
    options: &UndoOptions,
    meter: &Meter,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<UndoReport>, Error> {
    let _lock = lock(store)?;
    if Journal::read(store)?.is_some() {
        return Err(Error::Unfinished);
    }
    let chosen: Vec<PathBuf> = options.paths.iter().map(|path| store.name(path)).collect();
    let mut target = select(store, selection, &chosen)?;
    repositories::take_rewritten_as_left(store, &mut target.manifest);
    let mut now = observe(store, &target, options.force, meter)?;
    repositories::pass_over_held(store, &target.manifest, &mut now);
    let RestoreTarget { manifest, .. } = target;
    let situation = Situation {
        manifest: &manifest,
        now: &now,
        chosen: &chosen,
        force: options.force,
        of_others: &options.of_others,
        unavailable: &options.and_staying(unavailable(store, &manifest, &now)),
    };
    let RestorePlan { steps, unchanged, refused } = plan(&situation);
    let report = UndoReport { unchanged, refused, ..UndoReport::about(&manifest) };
    if options.dry_run {
        return Ok(Some(report.promising(steps)));
    }
    if steps.is_empty() {
        return Ok(Some(report));
    }
    let journal = begin(store, manifest, steps, options.now, meter)?;
    repositories::move_objects(store, &journal.steps)?;
    let report = UndoReport { pre_restore: Some(journal.pre_restore.clone()), ..report };
    let Some(outcome) = journal.carry_out(store, meter, go_on)? else { return Ok(None) };
    repositories::give_objects_back(store, &journal.steps)?;
    Ok(Some(report.with(outcome)))
}

/// Keeps what the steps replace and writes down what is to be done: from here on a death can be made good.
fn begin(
    store: &Store,
    manifest: Manifest,
    steps: Vec<UndoStep>,
    mut now: Timestamp,
    meter: &Meter,
) -> Result<Journal, Error> {
    if manifest.tree {
        keep_tree(store, &manifest, now, meter)?;
        // What the restore leaves comes after that tree, in the order of times.
        now = now.checked_add(SignedDuration::from_micros(1)).unwrap_or(now);
    }
    let pre_restore = keep_replaced(store, &manifest, &steps, now)?;
    let journal = Journal {
        version: VERSION,
        loop_id: manifest.loop_id,
        checkpoint_id: manifest.checkpoint_id,
        pre_restore,
        folders: Journal::folders(store, &steps),
        steps,
    };
    journal.write(store)?;
    Ok(journal)
}

fn lock(store: &Store) -> Result<Lock, Error> {
    let path = store.layout().root().join("restore.lock");
    Lock::take(&path, CLI_WAIT).map_err(Error::io("lock", &path))?.ok_or(Error::Busy)
}

/// What was not kept, of what the checkpoint is about.
fn gaps(manifest: &Manifest) -> Vec<Skipped> {
    let is_meant = |skipped: &&Skipped| !manifest.tree || skipped.is_gap();
    manifest.skipped.iter().filter(is_meant).cloned().collect()
}
