//! Putting the files back to before the iteration that a person rejects.
//!
//! Invariant: only what this loop's session changed goes back. What somebody else changed too is named and asks for
//! force; what another did alone stays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{CheckpointSelector, UndoOptions, UndoReport};
use crate::checkpoint::{catalogue, compare, undo};
use crate::lifecycle::changes::own_restore;
use crate::lifecycle::changes::whose::changed_beside;
use crate::lifecycle::gate::decision::lost::LostWork;
use crate::lifecycle::gate::decision::shares::{DifferenceOwner, Divider, Shares};
use crate::lifecycle::gate::decision::{AppliedDecision, GateAddress};
use crate::lifecycle::iteration::snapshot;
use crate::model::finding::{counted, counted_are};
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;

/// So many files are named.
const NAMED: usize = 20;

/// What a rejection did.
pub(super) struct TakenBack {
    pub(super) report: UndoReport,
    /// What differs and stays, since no call of this loop made it.
    pub(super) left: Vec<PathBuf>,
    /// What stays since it changed while a call of this loop ran whose text does not account for it, with why.
    pub(super) beside: Vec<(String, Vec<PathBuf>)>,
    /// What went back though it held the work of others, since that was forced.
    pub(super) of_others: Vec<PathBuf>,
    /// What came back because the person was asked about it, though no call of this loop is known to have changed it.
    pub(super) shown: Vec<PathBuf>,
    /// What went back only as far as this loop found it, or a person approved it.
    pub(super) as_found: Vec<PathBuf>,
}

impl TakenBack {
    /// A report of which nothing more is to be said.
    fn only(report: UndoReport) -> Self {
        let none = Vec::new;
        TakenBack {
            report,
            left: none(),
            beside: Vec::new(),
            of_others: none(),
            shown: none(),
            as_found: none(),
        }
    }
}

impl AppliedDecision<'_> {
    /// Puts the files back to before the regression. What is there now is kept first.
    pub(super) fn take_back(&self, state: &LoopState) -> Result<TakenBack, String> {
        let AppliedDecision { asked, gate, .. } = *self;
        let store = Store::of_project(asked.project.root());
        own_restore::finish_earlier(&store).map_err(|error| error.to_string())?;
        let lost = LostWork::of(state, gate);
        let taken = match state.kind {
            Kind::Explicit => self.take_back_iteration(state, &store, &lost)?,
            Kind::Implicit => self.take_back_lost(&store, &lost)?,
        };
        let report = &taken.report;
        let touched = report.touched();
        own_restore::note(asked.layout, &store, &touched);
        if report.refused.is_empty() {
            return Ok(taken);
        }
        let refused = report.refused.iter().take(10);
        let refused: Vec<String> =
            refused.map(|refusal| format!("{}: {}", refusal.path.display(), refusal.reason)).collect();
        Err(format!(
            "{} back, but not these, so the gate stays open:\n{}\n{}",
            counted_are(touched.len(), "file"),
            refused.join("\n"),
            taken.beyond_own().trim_start()
        ))
    }

    /// Takes an iteration of a loop back: what its session changed since.
    fn take_back_iteration(
        &self,
        state: &LoopState,
        store: &Store,
        lost: &LostWork,
    ) -> Result<TakenBack, String> {
        let AppliedDecision { asked, first, by, .. } = *self;
        let good = LastGoodTree::before(asked, store, lost, first)?;
        if !by.force {
            self.refuse_newer(&good.shares)?;
        }
        let is_wanted = |share| match share {
            DifferenceOwner::Own | DifferenceOwner::Shown => true,
            DifferenceOwner::Newer | DifferenceOwner::Unknown => by.force,
            DifferenceOwner::OtherLoop => false,
        };
        snapshot::pre_revert(asked.project, state, by.in_hook)?;
        let left = [DifferenceOwner::Unknown, DifferenceOwner::OtherLoop]
            .into_iter()
            .filter(|share| !is_wanted(*share));
        let left = left.flat_map(|share| good.shares.of(share));
        let (beside, left): (Vec<_>, Vec<_>) = left.partition(|path| good.shares.beside(path).is_some());
        let beside = by_call(beside, &good.shares);
        let of_others = [DifferenceOwner::Newer, DifferenceOwner::Unknown].into_iter().filter(|_| by.force);
        let of_others = of_others.flat_map(|share| good.shares.of(share)).collect();
        let shown = good.shares.of(DifferenceOwner::Shown);
        let paths = good.shares.wanted(is_wanted);
        if paths.is_empty() {
            let nothing = self.restore(store, &good.selection, Vec::new(), true)?;
            let report =
                UndoReport { restored: Vec::new(), removed: Vec::new(), refused: Vec::new(), ..nothing };
            return Ok(TakenBack { left, beside, ..TakenBack::only(report) });
        }
        let report = self.restore(store, &good.selection, paths, false)?;
        let as_found = good.shares.bases().into_iter().map(|entry| entry.path).collect();
        Ok(TakenBack { left, beside, of_others, shown, as_found, ..TakenBack::only(report) })
    }

    /// In a session without a loop the files in which something was lost go back to how the session found them.
    fn take_back_lost(&self, store: &Store, lost: &LostWork) -> Result<TakenBack, String> {
        let AppliedDecision { asked, gate, by, .. } = *self;
        let divider = Divider::new(asked, store, lost, gate.opened_at)?;
        let newer: Vec<PathBuf> =
            lost.paths.iter().filter(|path| divider.is_newer_than_shown(path)).cloned().collect();
        if !by.force {
            refuse(newer.iter().map(|path| path.display().to_string()).collect(), "")?;
        }
        let selection = CheckpointSelector::Session(Some(asked.loop_id.to_owned()));
        let report = self.restore(store, &selection, lost.paths.clone(), false)?;
        Ok(TakenBack { of_others: newer, ..TakenBack::only(report) })
    }

    fn restore(
        &self,
        store: &Store,
        selection: &CheckpointSelector,
        paths: Vec<PathBuf>,
        dry_run: bool,
    ) -> Result<UndoReport, String> {
        let options = UndoOptions { force: true, dry_run, paths, now: self.now, ..UndoOptions::default() };
        undo::restore(store, selection, &options).map_err(|error| error.to_string())
    }

    fn refuse_newer(&self, shares: &Shares) -> Result<(), String> {
        let in_words = |share| shares.of(share).iter().map(|path| in_words(path, shares)).collect::<Vec<_>>();
        let said = |head: &str, share| match named(&in_words(share)) {
            none if none.is_empty() => String::new(),
            named => format!("\n{head}:\n{named}"),
        };
        let beside =
            said("No call of this loop made these, and they would go the same way", DifferenceOwner::Unknown)
                + &said("Another loop's session made these, and they stay", DifferenceOwner::OtherLoop);
        refuse(in_words(DifferenceOwner::Newer), &beside)
    }
}

/// An error that names newer work, when there is any, and in `beside` what else differs.
fn refuse(newer: Vec<String>, beside: &str) -> Result<(), String> {
    if newer.is_empty() {
        return Ok(());
    }
    Err(format!(
        "nothing was taken back and the gate stays open: somebody has changed {} since, and that would be lost.\n{}{beside}\n\
         `steadfast gate reject --force` in a terminal replaces it too; it is kept first",
        counted(newer.len(), "file"),
        named(&newer)
    ))
}

/// A file, and where it changed while a call ran that does not account for it, that call.
fn in_words(path: &Path, shares: &Shares) -> String {
    match shares.beside(path) {
        Some(call) => format!("{}: {}", path.display(), changed_beside(call)),
        None => path.display().to_string(),
    }
}

/// Files by what is said of the call while which they changed.
fn by_call(paths: Vec<PathBuf>, shares: &Shares) -> Vec<(String, Vec<PathBuf>)> {
    let mut calls: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        let said = shares.beside(&path).map(changed_beside).unwrap_or_default();
        calls.entry(said).or_default().push(path);
    }
    calls.into_iter().collect()
}

/// Files, one in a line; of many the first and how many there are more.
fn named(paths: &[String]) -> String {
    let mut lines: Vec<String> = paths.iter().take(NAMED).map(|path| format!("  {path}")).collect();
    if paths.len() > NAMED {
        lines.push(format!("  and {} more", paths.len() - NAMED));
    }
    lines.join("\n")
}

/// The last good tree, and whose the differences from it are.
struct LastGoodTree {
    selection: CheckpointSelector,
    shares: Shares,
}

impl LastGoodTree {
    fn before(
        asked: GateAddress,
        store: &Store,
        lost: &LostWork,
        first: u32,
    ) -> Result<LastGoodTree, String> {
        let tree = last_good(store, asked.loop_id, first)?;
        let (tree_id, since) = (tree.address(), tree.created_at);
        let differing = compare::with_now(store, tree, &Meter::default());
        let differing = differing.map_err(|error| error.to_string())?;
        let shares = Divider::new(asked, store, lost, since)?.divide(differing);
        let selection = CheckpointSelector::Amended { tree: tree_id, entries: shares.bases() };
        Ok(LastGoodTree { selection, shares })
    }
}

/// The files that a rejection would take back, without force. In a session without a loop those in which something
/// was lost.
pub fn would_take_back(asked: GateAddress, state: &LoopState, gate: &Gate) -> Result<Vec<PathBuf>, String> {
    let store = Store::of_project(asked.project.root());
    let lost = LostWork::of(state, gate);
    if state.kind == Kind::Implicit {
        return Ok(lost.paths);
    }
    let good = LastGoodTree::before(asked, &store, &lost, first_iteration(state, gate))?;
    Ok([DifferenceOwner::Own, DifferenceOwner::Shown, DifferenceOwner::Newer]
        .into_iter()
        .flat_map(|share| good.shares.of(share))
        .collect())
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
