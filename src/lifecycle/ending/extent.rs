//! How much a loop has changed: what differs from the tree that was kept at its start, so that new files count and what
//! was changed before it does not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkpoint::compare::{self, PathChange};
use crate::checkpoint::lines;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::watch::Watch;
use crate::lifecycle::changes::tree;
use crate::lifecycle::changes::whose::{self, Start};
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;

/// Changed files, added and removed lines: the loop's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChangeExtent {
    pub(crate) files: usize,
    pub(crate) added: u64,
    pub(crate) removed: u64,
    /// What differs as well, and no call of the loop made.
    pub(crate) others: Vec<String>,
}

impl ChangeExtent {
    /// Since the loop began. Where its start was not kept, git's own word on the commit of then.
    pub(crate) fn of(project: &Project, layout: &Layout, state: &LoopState) -> ChangeExtent {
        if let Some(extent) = ChangeExtent::since_start(project, layout, state) {
            return extent;
        }
        let base = Watch::read(layout, &state.loop_id).and_then(|watch| watch.base_commit);
        let (files, added, removed) = match base {
            Some(base) => tree::extent_since(project, &base),
            None => (tree::changed_files(project).len(), 0, 0),
        };
        ChangeExtent { files, added, removed, others: Vec::new() }
    }

    fn since_start(project: &Project, layout: &Layout, state: &LoopState) -> Option<ChangeExtent> {
        let store = Store::of_project(project.root());
        let name = Path::new(state.baseline_snapshot.as_deref()?).file_name()?;
        let start = Manifest::read(&layout.checkpoints(&state.loop_id).join(name)).ok()?;
        let mut changes = compare::with_now(&store, start.clone(), &Meter::default()).ok()?;
        let is_own = |change: &PathChange| change.path.starts_with(".aiwg");
        let is_folder = |change: &PathChange| change.before.is_directory() || change.after.is_directory();
        changes.retain(|change| !is_own(change) && !is_folder(change));
        let others = others(&store, start, &changes);
        let mut extent = ChangeExtent::default();
        for change in &changes {
            if others.contains(&change.path) {
                extent.others.push(change.path.display().to_string());
                continue;
            }
            extent.files += 1;
            let (added, removed) = lines_of(&store, project, change).unwrap_or_default();
            extent.added += added;
            extent.removed += removed;
        }
        Some(extent)
    }
}

/// Which of the files no call of the loop made.
fn others(store: &Store, start: Manifest, changes: &[PathChange]) -> BTreeSet<PathBuf> {
    let paths: Vec<PathBuf> = changes.iter().map(|change| change.path.clone()).collect();
    let others = Start::of_tree(store, start).and_then(|start| whose::of_no_call(store, &start, &paths));
    others.unwrap_or_default().into_iter().collect()
}

/// The lines of one change; `None` for what is no text on both sides.
fn lines_of(store: &Store, project: &Project, change: &PathChange) -> Option<(u64, u64)> {
    let before = match &change.before {
        Node::Absent => Vec::new(),
        Node::File { sha256, .. } => store.objects().read(sha256).ok()?,
        _ => return None,
    };
    let after = match &change.after {
        Node::Absent => Vec::new(),
        Node::File { .. } => fs::read(project.root().join(&change.path)).ok()?,
        _ => return None,
    };
    lines::count(&before, &after)
}
