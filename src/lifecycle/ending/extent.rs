//! How much a loop has changed: what differs from the tree that was kept at its start, so that new files count and what
//! was changed before it does not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::checkpoint::compare::{self, PathChange};
use crate::checkpoint::lines;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::watch::Watch;
use crate::lifecycle::changes::{touched, tree};
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;

/// Changed files, added and removed lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ChangeExtent {
    pub(crate) files: usize,
    pub(crate) added: u64,
    pub(crate) removed: u64,
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
        ChangeExtent { files, added, removed }
    }

    fn since_start(project: &Project, layout: &Layout, state: &LoopState) -> Option<ChangeExtent> {
        let store = Store::of_project(project.root());
        let name = Path::new(state.baseline_snapshot.as_deref()?).file_name()?;
        let start = Manifest::read(&layout.checkpoints(&state.loop_id).join(name)).ok()?;
        let changes = compare::with_now(&store, start, &Meter::default()).ok()?;
        let mut extent = ChangeExtent::default();
        let foreign = foreign(layout, state);
        let is_foreign =
            |change: &PathChange| change.path.to_str().is_some_and(|path| foreign.contains(path));
        let is_own = |change: &PathChange| change.path.starts_with(".aiwg");
        let is_folder = |change: &PathChange| change.before.is_directory() || change.after.is_directory();
        for change in changes.iter().filter(|it| !is_own(it) && !is_folder(it) && !is_foreign(it)) {
            extent.files += 1;
            let (added, removed) = lines_of(&store, project, change).unwrap_or_default();
            extent.added += added;
            extent.removed += removed;
        }
        Some(extent)
    }
}

/// The files that calls of other sessions have named since the loop began, and none of its own.
fn foreign(layout: &Layout, state: &LoopState) -> BTreeSet<String> {
    let touched = |id: &str| touched::touched(layout, id).into_iter().collect::<BTreeSet<String>>();
    let folders = fs::read_dir(layout.loops()).into_iter().flatten().flatten();
    let ids = folders.filter_map(|folder| folder.file_name().into_string().ok());
    let others = ids.filter(|id| *id != state.loop_id && touched::is_newer(layout, id, state.started_at));
    let mut foreign: BTreeSet<String> = others.flat_map(|id| touched(&id)).collect();
    let own = touched(&state.loop_id);
    foreign.retain(|path| !own.contains(path));
    foreign
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
