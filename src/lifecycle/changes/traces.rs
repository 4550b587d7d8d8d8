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
    /// What changed while one of its calls ran whose text accounts for no such change, by the newest of them: how it was
    /// then, and the call in a line.
    unaccounted: BTreeMap<PathBuf, (Node, String)>,
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
        let (mut left, mut unaccounted) = (BTreeMap::new(), BTreeMap::new());
        for manifest in &kept {
            let Some(after) = &manifest.after else { continue };
            for entry in &after.changed {
                let (path, node) = (entry.path.clone(), entry.node.clone());
                if after.unaccounted.contains(&path) {
                    unaccounted.insert(path, (node, manifest.summary.clone()));
                } else {
                    unaccounted.remove(&path);
                    left.insert(path, node);
                }
            }
        }
        let named = others::running(layout, loop_id).into_iter().map(PathBuf::from).collect();
        Ok(Traces { times: CallTimes::of(layout, loop_id, since), left, unaccounted, named, kept })
    }

    /// Whether a call of it left the file as its own work, or may have done so.
    pub(crate) fn may_have_made(&self, path: &Path) -> bool {
        self.left.contains_key(path) || self.named.contains(path)
    }

    /// Whether the newest of its calls that left the file may change any file, and ran while one of `other` did so of which
    /// nobody knows what it changed: either may have made it.
    pub(crate) fn ran_beside_unjudged(&self, path: &Path, other: &Traces) -> bool {
        let left = |manifest: &&Manifest| {
            manifest.after.as_ref().is_some_and(|after| after.changed.iter().any(|entry| entry.path == path))
        };
        let newest = self.kept.iter().rev().find(left);
        let span = newest.and_then(|call| Some((call.created_at, call.after.as_ref()?.settled_at)));
        span.is_some_and(|(from, to)| self.times.hold_code(to) && other.times.ran_unjudged(from, to))
    }

    /// The call while which a file came to be as it is `now`, where nothing in that call's text accounts for it.
    pub(crate) fn beside(&self, path: &Path, now: &Node) -> Option<&str> {
        let (left, summary) = self.unaccounted.get(path)?;
        left.same(now).then_some(summary.as_str())
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
        Some(after) if after.unaccounted.contains(path) => return None,
        Some(after) => Some(after.changed.iter().find(|entry| entry.path == path)?.node.clone()),
        // A restore that never came to its first change has left nothing.
        None if manifest.trigger == Trigger::PreRestore => return None,
        // What was kept in an emergency is no call.
        None if manifest.trigger == Trigger::ErrorRecovery => return None,
        None => None,
    };
    Some(FileStep { at: manifest.created_at, found, left })
}
