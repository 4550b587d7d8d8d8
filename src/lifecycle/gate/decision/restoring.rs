//! Putting the files back to before the iteration that a person rejects.

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{Options, Report, Selection};
use crate::checkpoint::{catalogue, undo};
use crate::lifecycle::gate::decision::Decided;
use crate::lifecycle::iteration::snapshot;
use crate::lifecycle::regression::records::lost_paths;
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;

impl Decided<'_> {
    /// Puts the files back to before the regression. What is there now is kept first.
    pub(super) fn take_back(&self, state: &LoopState) -> Result<Report, String> {
        let Decided { asked, gate, first, by, now, .. } = *self;
        let store = Store::of_project(asked.project.root());
        let (selection, paths) = match state.kind {
            Kind::Explicit => {
                snapshot::pre_revert(asked.project, state, by.in_hook)?;
                (Selection::Id(last_good(&store, asked.loop_id, first)?.address()), Vec::new())
            }
            Kind::Implicit => {
                (Selection::Session(Some(asked.loop_id.to_owned())), lost_paths(state, &gate.event_ids))
            }
        };
        let options = Options { force: true, dry_run: false, paths, now };
        let report = undo::restore(&store, &selection, &options).map_err(|error| error.to_string())?;
        if report.refused.is_empty() {
            return Ok(report);
        }
        let refused = report.refused.iter().take(10);
        let refused: Vec<String> =
            refused.map(|refusal| format!("{}: {}", refusal.path.display(), refusal.reason)).collect();
        Err(format!(
            "{} files are back, but not these, so the gate stays open:\n{}",
            report.restored.len() + report.removed.len(),
            refused.join("\n")
        ))
    }
}

/// The iteration that a rejection takes back: the first in which something of the gate was lost.
pub fn first_iteration(state: &LoopState, gate: &Gate) -> u32 {
    let about = state.regression_events.iter().filter(|event| gate.event_ids.contains(&event.event_id));
    about.map(|event| event.iteration).min().unwrap_or(gate.iteration).max(1)
}

/// The newest checkpoint of the whole tree from before an iteration.
pub fn last_good(store: &Store, loop_id: &str, iteration: u32) -> Result<Manifest, String> {
    let mut trees = catalogue::list(store, Some(loop_id)).map_err(|error| error.to_string())?.checkpoints;
    trees.retain(|manifest| manifest.tree);
    let labelled = |label: &'static str, iteration: u32| {
        move |manifest: &&Manifest| manifest.iteration == iteration && manifest.label == label
    };
    let newest = |of: &dyn Fn(&&Manifest) -> bool| {
        trees.iter().filter(|manifest| of(manifest)).max_by_key(|manifest| manifest.created_at)
    };
    let before = newest(&labelled("final", iteration.saturating_sub(1)));
    let first = || {
        let pre = trees.iter().filter(labelled("pre", iteration));
        pre.min_by_key(|manifest| manifest.created_at)
    };
    let found = before.or_else(first).or_else(|| newest(&labelled("baseline", 0)));
    found.cloned().ok_or_else(|| format!("no checkpoint from before iteration {iteration} was kept"))
}
