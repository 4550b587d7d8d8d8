//! What one loop's record says that its calls did since a moment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::node::{Node, is_within};
use crate::checkpoint::store::Store;
use crate::lifecycle::changes::call_times::CallTimes;
use crate::lifecycle::changes::others;
use crate::lifecycle::changes::way_back::FileStep;
use crate::state::layout::Layout;

/// The traces of one loop.
pub(crate) struct Traces {
    /// When its calls ran.
    pub(crate) times: CallTimes,
    /// What its calls left, the newest of each file.
    pub(crate) left: BTreeMap<PathBuf, Node>,
    /// What calls of it name that nobody has judged yet.
    named: BTreeSet<PathBuf>,
    /// What was kept of its calls, oldest first.
    kept: Vec<Manifest>,
}

impl Traces {
    /// Those since a moment.
    pub(crate) fn of(
        store: &Store,
        layout: &Layout,
        loop_id: &str,
        since: Timestamp,
    ) -> Result<Self, String> {
        let mut kept = catalogue::list(store, Some(loop_id)).map_err(|error| error.to_string())?.checkpoints;
        kept.retain(|manifest| !manifest.tree && manifest.created_at >= since);
        kept.reverse();
        let after = kept.iter().filter_map(|manifest| manifest.after.as_ref());
        let left =
            after.flat_map(|after| &after.changed).map(|entry| (entry.path.clone(), entry.node.clone()));
        let left = left.collect();
        let named = others::running(layout, loop_id).into_iter().map(PathBuf::from).collect();
        Ok(Traces { times: CallTimes::of(layout, loop_id, since), left, named, kept })
    }

    /// Whether a call of it left the file as its own work, or may have done so.
    pub(crate) fn may_have_made(&self, path: &Path) -> bool {
        self.left.contains_key(path) || self.named.contains(path)
    }

    /// What its calls found and left of a file, those that changed it or of which that is not known.
    pub(crate) fn steps(&self, path: &Path) -> Vec<FileStep> {
        self.kept.iter().filter_map(|manifest| step(manifest, path)).collect()
    }
}

fn step(manifest: &Manifest, path: &Path) -> Option<FileStep> {
    let is_looked_at = || manifest.roots().iter().any(|root| is_within(path, root));
    let found = match manifest.entry(path) {
        Some(entry) => entry.node.clone(),
        None => is_looked_at().then_some(Node::Absent)?,
    };
    let left = match &manifest.after {
        Some(after) => Some(after.changed.iter().find(|entry| entry.path == path)?.node.clone()),
        // What was kept in an emergency is no call.
        None if manifest.trigger == Trigger::ErrorRecovery => return None,
        None => None,
    };
    Some(FileStep { at: manifest.created_at, found, left })
}
