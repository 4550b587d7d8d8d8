//! An undo that goes back to a whole state, whatever calls lie between: what others have done since is not in it, and is
//! not taken with it unnamed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{self, CheckpointSelector, UndoOptions};
use crate::lifecycle::changes::whose::{self, Start};

/// Where such an undo goes to.
pub(super) enum Goal {
    /// The start of a session or loop.
    Start,
    /// A kept tree.
    Tree(Box<Manifest>),
}

impl Goal {
    /// `None` for the undo of a single call, which knows itself what the call left.
    pub(super) fn of(store: &Store, selection: &CheckpointSelector) -> Result<Option<Goal>, Error> {
        Ok(match selection {
            CheckpointSelector::Session(_) => Some(Goal::Start),
            CheckpointSelector::Id(id) => {
                let tree = Some(catalogue::find(store, id)?).filter(|manifest| manifest.tree);
                tree.map(|tree| Goal::Tree(Box::new(tree)))
            }
            CheckpointSelector::Last | CheckpointSelector::Amended { .. } => None,
        })
    }

    /// What would go back and holds the work of others, each file with whose. Empty where no loop made the tree.
    pub(super) fn of_others(
        self,
        store: &Store,
        selection: &CheckpointSelector,
        options: &UndoOptions,
    ) -> Result<BTreeMap<PathBuf, String>, Error> {
        let planned = undo::restore(store, selection, &UndoOptions { dry_run: true, ..options.clone() })?;
        let start = match self {
            Goal::Start => Start::of_loop(store, &planned.loop_id),
            Goal::Tree(tree) => Start::of_tree(store, *tree),
        };
        let found = start.and_then(|start| whose::of_others(store, &start, &planned.touched()));
        let named = found.unwrap_or_default().into_iter();
        Ok(named.map(|(path, foreign)| (path, foreign.reason())).collect())
    }
}
