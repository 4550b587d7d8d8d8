//! Which checkpoint a restore is about.

use std::path::PathBuf;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::last_call::LastCall;
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::node::{Entry, is_within};
use crate::checkpoint::settle::changes;
use crate::checkpoint::store::Store;
use crate::checkpoint::target::RestoreTarget;
use crate::checkpoint::walk::WalkBounds;

/// Which checkpoint to restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckpointSelector {
    /// The newest one of a call that changed something, or of an undo: an undo is undone by the next.
    Last,
    /// That of the tool call with this id, or the checkpoint with this id.
    Id(String),
    /// The tree with this id, in which these paths go back less far.
    Amended {
        /// The tree.
        tree: String,
        /// What is to be there instead of what the tree has.
        entries: Vec<Entry>,
    },
    /// The start of the session or loop with this id, or of the one that kept something last.
    Session(Option<String>),
}

pub(super) fn select(
    store: &Store,
    selection: &CheckpointSelector,
    chosen: &[PathBuf],
) -> Result<RestoreTarget, Error> {
    match selection {
        CheckpointSelector::Id(id) => {
            let manifest = catalogue::find(store, id)?;
            if manifest.tree {
                RestoreTarget::of_tree(store, manifest)
            } else {
                Ok(RestoreTarget::of_call(manifest))
            }
        }
        CheckpointSelector::Amended { tree, entries } => {
            let mut target = RestoreTarget::of_tree(store, catalogue::find(store, tree)?)?;
            target.manifest.entries.retain(|entry| !entries.iter().any(|own| own.path == entry.path));
            target.manifest.entries.extend(entries.iter().cloned());
            Ok(target)
        }
        CheckpointSelector::Session(id) => RestoreTarget::of_session(store, id.as_deref()),
        CheckpointSelector::Last => last(store, chosen).map(RestoreTarget::of_call),
    }
}

fn last(store: &Store, chosen: &[PathBuf]) -> Result<Manifest, Error> {
    let catalogue = catalogue::list(store, None)?;
    let is_undoable = |manifest: &Manifest| {
        !manifest.tree && matches!(manifest.trigger, Trigger::PreRiskyOp | Trigger::PreRestore)
    };
    let is_last = |manifest: &Manifest| is_undoable(manifest) && has_effect(store, manifest, chosen);
    let last = catalogue.checkpoints.into_iter().find(is_last);
    if let (Some(last), Some(newest)) = (&last, LastCall::read(store))
        && last.created_at < newest.ended
        && !is_by(last, &newest)
    {
        return Err(Error::NothingByLast {
            last: newest.summary,
            older: last.tool_call_id.clone().unwrap_or_else(|| last.address()),
            summary: last.summary.clone(),
        });
    }
    // One that cannot be read may have been newer, but the way back must not end at it.
    last.ok_or_else(|| catalogue.unreadable.into_iter().next().unwrap_or(Error::NothingToUndo))
}

/// Whether the newest call made it, or ended before it was settled.
fn is_by(manifest: &Manifest, newest: &LastCall) -> bool {
    let is_its = manifest.tool_call_id.is_some() && manifest.tool_call_id == newest.tool_call_id;
    let settled = manifest.after.as_ref().map(|after| after.settled_at);
    is_its || settled.is_some_and(|settled| settled >= newest.ended)
}

/// Whether the call changed something: one that was denied, or that found nothing to do, is not what a person means.
/// A restore says beforehand what it will leave, so for one only the disk tells whether it came to that.
fn has_effect(store: &Store, manifest: &Manifest, chosen: &[PathBuf]) -> bool {
    let is_chosen =
        |entry: &Entry| chosen.is_empty() || chosen.iter().any(|chosen| is_within(&entry.path, chosen));
    match &manifest.after {
        Some(after) if manifest.trigger != Trigger::PreRestore => after.changed.iter().any(is_chosen),
        _ => changes(store, manifest, &WalkBounds::none()).iter().any(is_chosen),
    }
}
