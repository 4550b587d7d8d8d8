//! Whether a file holds the work of others: another loop's session, a person, nobody whom anybody knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::catalogue;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::changes::touched;
use crate::lifecycle::changes::traces::Traces;
use crate::lifecycle::changes::way_back::WayBack;
use crate::lifecycle::context::hook_context::HookContext;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;

/// Why a file is not a loop's alone to take back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOwnReason {
    /// The session of this loop has changed it.
    OtherLoop(String),
    /// No call of this loop has changed it, and the loop has ended no iteration since.
    Newer,
    /// No call of this loop has changed it; an iteration of the loop has ended with it as it is.
    Seen,
    /// This loop has changed it, and so has somebody else since the loop's start.
    Both,
}

impl NotOwnReason {
    /// What a person reads of it.
    pub fn reason(&self) -> String {
        match self {
            NotOwnReason::OtherLoop(id) => format!("the session of loop {id} has changed it"),
            NotOwnReason::Newer | NotOwnReason::Seen => "no call of this loop has changed it".to_owned(),
            NotOwnReason::Both => "somebody else has changed it as well".to_owned(),
        }
    }
}

/// The record of a loop and those of all others, since a moment.
struct Records {
    own: Traces,
    others: Vec<(String, Traces)>,
}

impl Records {
    fn read(layout: &Layout, store: &Store, loop_id: &str, since: Timestamp) -> Result<Records, String> {
        let own = Traces::of(store, layout, loop_id, since)?;
        Ok(Records { own, others: of_other_loops(layout, store, loop_id, since)? })
    }

    /// The other loop that has changed a file, as far as one did so for sure.
    fn other(&self, path: &Path, at: Option<Timestamp>) -> Option<&String> {
        let by = |traces: &Traces| at.is_some_and(|at| traces.times.hold(at));
        let is_its = |traces: &Traces| traces.may_have_made(path) || by(traces) && !by(&self.own);
        self.others.iter().find(|(_, traces)| is_its(traces)).map(|(id, _)| id)
    }
}

/// The traces of all other loops, by their ids.
pub(crate) fn of_other_loops(
    layout: &Layout,
    store: &Store,
    loop_id: &str,
    since: Timestamp,
) -> Result<Vec<(String, Traces)>, String> {
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    registry.others(loop_id).map(|id| Ok((id.clone(), Traces::of(store, layout, id, since)?))).collect()
}

/// Which of these files hold the work of others since a loop began, each with the reason. Where no call of the loop is known
/// (a driver's agent need not tell of any), only another loop's files are.
pub fn of_others(
    layout: &Layout,
    store: &Store,
    loop_id: &str,
    since: Timestamp,
    paths: &[PathBuf],
) -> Result<Vec<(PathBuf, NotOwnReason)>, String> {
    let records = Records::read(layout, store, loop_id, since)?;
    let touched: BTreeSet<PathBuf> =
        touched::touched(layout, loop_id).into_iter().map(PathBuf::from).collect();
    let state = LoopState::read(layout, loop_id).map_err(|error| error.to_string())?;
    let last = state.iteration_history.last().map(|record| record.timestamp);
    let start = at_start(store, loop_id)?;
    let own = &records.own;
    let reason = |path: &PathBuf| {
        let at = last_change(store, path);
        if let Some(other) = records.other(path, at) {
            return Some(NotOwnReason::OtherLoop(other.clone()));
        }
        let before = start.as_ref().map(|start| start.get(path).unwrap_or(&Node::Absent));
        let way = before.map(|before| (before, WayBack::of(before, &own.steps(path), None)));
        if way.is_some_and(|(before, way)| way.between || !way.base.same(before)) {
            return Some(NotOwnReason::Both);
        }
        let is_known = own.left.contains_key(path) || touched.contains(path);
        let by_nobody = at.is_some_and(|at| !own.times.hold(at)) && !is_known && own.times.is_known();
        let is_seen = last.is_some_and(|last| at.is_some_and(|at| at < last));
        by_nobody.then_some(if is_seen { NotOwnReason::Seen } else { NotOwnReason::Newer })
    };
    Ok(paths.iter().filter_map(|path| Some((path.clone(), reason(path)?))).collect())
}

/// What the tree of a loop's start had, by path; `None` where it was not kept.
fn at_start(store: &Store, loop_id: &str) -> Result<Option<BTreeMap<PathBuf, Node>>, String> {
    let trees = catalogue::list(store, Some(loop_id)).map_err(|error| error.to_string())?.checkpoints;
    let start = trees.into_iter().rev().find(|manifest| manifest.tree && manifest.label == "baseline");
    let Some(start) = start else { return Ok(None) };
    let start = start.whole(store).map_err(|error| error.to_string())?;
    Ok(Some(start.entries.into_iter().map(|entry| (entry.path, entry.node)).collect()))
}

/// Which of these files, changed since a moment, are not the work of this session's calls. What this very event's
/// commands have changed is. Where no call of the loop is known, only another loop's files are.
pub fn foreign(context: &HookContext, since: Timestamp, paths: &[&str]) -> BTreeSet<String> {
    let Some(bound) = context.bound.as_ref().filter(|_| !paths.is_empty()) else { return BTreeSet::new() };
    let began = bound.entry.started_at;
    let Ok(records) = Records::read(&context.layout, &context.store, &bound.id, began) else {
        return BTreeSet::new();
    };
    let own = &records.own;
    let is_foreign = |path: &&str| {
        let (name, at) = (Path::new(path), last_change(&context.store, Path::new(path)));
        let is_left = || own.steps(name).last().is_some_and(|step| step.at >= since);
        if own.left.contains_key(name) && is_left() || at.is_some_and(|at| at >= context.env.now) {
            return false;
        }
        let by_own = at.is_some_and(|at| own.times.surely_hold(at));
        let by_other = records.others.iter().any(|(_, traces)| traces.may_have_made(name));
        by_other || own.times.has_calls() && !by_own
    };
    paths.iter().copied().filter(is_foreign).map(str::to_owned).collect()
}

fn last_change(store: &Store, path: &Path) -> Option<Timestamp> {
    fs::symlink_metadata(store.path(path)).ok().map(|metadata| changed_at(&metadata))
}
