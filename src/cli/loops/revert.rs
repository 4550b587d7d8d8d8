//! Bringing the files back to a loop's start, for `steadfast loop abort --revert`.
//!
//! Invariant: what another loop's session alone has changed stays, whatever is forced. What anybody else has changed is
//! named, and goes with force alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use jiff::Timestamp;

use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::plan::Refusal;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, TreeKeepRequest, TreeOccasion};
use crate::checkpoint::undo::{self, CheckpointSelector, UndoOptions};
use crate::checkpoint::{catalogue, compare};
use crate::cli::undo::path_text;
use crate::lifecycle::changes::own_restore;
use crate::lifecycle::changes::whose::{self, NotOwnReason, Start};
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;

/// So many files are named.
const NAMED: usize = 20;

/// What going back to a loop's start did.
pub(super) struct RevertSummary {
    pub(super) report: undo::UndoReport,
    /// What went back though it held the work of others, since that was forced.
    pub(super) of_others: Vec<PathBuf>,
    /// What stays: no call of the loop made it, and a turn has ended with it as it is, or another loop's session did.
    pub(super) left: Vec<(PathBuf, NotOwnReason)>,
}

/// How many files went back; folders are none.
pub(super) fn files(report: &undo::UndoReport) -> usize {
    let all = report.touched();
    let is_folder = |path: &PathBuf| all.iter().any(|other| other != path && other.starts_with(path));
    all.iter().filter(|path| !is_folder(path)).count()
}

/// Files that are there now, and neither were at the loop's start nor when its tree was last kept.
fn unknown(store: &Store, id: &str, planned: &undo::UndoReport) -> Result<Vec<PathBuf>> {
    let trees = catalogue::list(store, Some(id))?.checkpoints;
    let Some(newest) = trees.into_iter().find(|manifest| manifest.tree) else { return Ok(Vec::new()) };
    let changes = compare::with_now(store, newest, &Meter::default())?;
    let new =
        changes.into_iter().filter(|change| change.before == Node::Absent && !change.after.is_directory());
    let is_untouched = |path: &PathBuf| !planned.removed.contains(path) && !planned.unchanged.contains(path);
    Ok(new.map(|change| change.path).filter(is_untouched).collect())
}

/// Keeps everything as it is now, as the loop's: what goes can come back.
fn keep_all(store: &Store, id: &str) -> Result<()> {
    tree::take(&TreeKeepRequest {
        store,
        loop_id: id,
        iteration: 0,
        moment: TreeOccasion::PreRevert,
        summary: "before the revert",
        metrics: serde_json::Map::new(),
        also: &[],
        bounds: tree::patient_bounds(),
        durability: Durability::Power,
        now: Timestamp::now(),
        meter: &Meter::default(),
    })?;
    Ok(())
}

/// What differs from a loop's start, by whether it may go back.
struct Differences {
    /// What another loop's session alone has made.
    alone: Vec<(PathBuf, NotOwnReason)>,
    /// What nobody is known to have made, and a turn has ended with.
    nobodys: Vec<(PathBuf, NotOwnReason)>,
    /// What holds the work of others, and goes with force.
    of_others: Vec<(PathBuf, NotOwnReason)>,
    /// What came after the last look at the tree and is in no record: it may be anybody's.
    since: Vec<PathBuf>,
}

impl Differences {
    fn of(store: &Store, id: &str, planned: &undo::UndoReport, force: bool) -> Result<Differences> {
        let newest = LoopState::read(store.layout(), id)?.iteration_history.last().map(|it| it.timestamp);
        let is_alone = |(_, reason): &(PathBuf, NotOwnReason)| reason.is_another_loops_alone();
        let found = whose_are(store, id, &planned.touched())?;
        let (mut alone, found): (Vec<_>, Vec<_>) = found.into_iter().partition(is_alone);
        let (nobodys, of_others) = found.into_iter().partition(|(path, reason)| {
            !force && reason.is_nobodys() && whose::is_before(store, path, newest)
        });
        let mut since = unknown(store, id, planned)?;
        let refused = planned.refused.iter().filter(|refusal| refusal.by_force);
        let others: Vec<PathBuf> = refused.map(|refusal| &refusal.path).chain(&since).cloned().collect();
        alone.extend(whose_are(store, id, &others)?.into_iter().filter(is_alone));
        since.retain(|path| !alone.iter().any(|(known, _)| known == path));
        Ok(Differences { alone, nobodys, of_others, since })
    }

    /// What stays, each with why.
    fn staying(&self) -> impl Iterator<Item = &(PathBuf, NotOwnReason)> {
        self.alone.iter().chain(&self.nobodys)
    }

    /// What goes with force alone, each with why.
    fn refusals(&self) -> impl Iterator<Item = Refusal> {
        let reason = "new since the loop's files were last looked at: this may be newer work";
        let since = self.since.iter().map(|path| refusal(path, reason.to_owned()));
        self.of_others.iter().map(|(path, foreign)| refusal(path, foreign.reason())).chain(since)
    }
}

/// Brings the files back to the loop's start. What no call made, and a turn has ended with, stays, and so does what only
/// another loop's session has made; nothing is changed when anything else had to be left.
pub(super) fn revert(project: &Project, id: &str, force: bool) -> Result<RevertSummary> {
    let store = Store::of_project(project.root());
    let selection = CheckpointSelector::Session(Some(id.to_owned()));
    let options = |dry_run, staying| UndoOptions {
        force,
        dry_run,
        staying,
        now: Timestamp::now(),
        ..UndoOptions::default()
    };
    let earlier = own_restore::finish_earlier(&store)?;
    let mut planned = undo::restore(&store, &selection, &options(true, BTreeMap::new()))?;
    let differences = Differences::of(&store, id, &planned, force)?;
    if force && !differences.since.is_empty() {
        keep_all(&store, id)?;
    }
    let is_alone = |path: &Path| differences.alone.iter().any(|(alone, _)| alone == path);
    planned.refused.retain(|refusal| !is_alone(&refusal.path));
    planned.refused.extend(differences.refusals());
    if planned.refused.iter().any(|refusal| !force || !refusal.by_force) {
        // With force these would go too.
        planned.refused.extend(differences.nobodys.iter().map(|(path, why)| refusal(path, why.reason())));
        bail!(refused(&store, id, planned.refused, &differences.alone)?);
    }
    let staying = differences.staying().map(|(path, why)| (path.clone(), why.reason())).collect();
    let mut done = undo::restore(&store, &selection, &options(false, staying))?;
    own_restore::note(store.layout(), &store, &done.touched());
    if let Some(earlier) = earlier {
        done.restored.extend(earlier.restored);
        done.removed.extend(earlier.removed);
    }
    let left = differences.staying().cloned().collect();
    let of_others = differences.of_others.into_iter().map(|(path, _)| path).chain(differences.since);
    Ok(RevertSummary { report: done, of_others: of_others.collect(), left })
}

/// What is left without force.
fn refusal(path: &Path, reason: String) -> Refusal {
    Refusal { path: path.to_owned(), reason, by_force: true }
}

/// What a person reads where nothing was taken back.
fn refused(
    store: &Store,
    id: &str,
    mut refused: Vec<Refusal>,
    alone: &[(PathBuf, NotOwnReason)],
) -> Result<String> {
    name_loops(store, id, &mut refused)?;
    let line = |path: &Path, reason: &str| format!("  {}: {reason}", path_text(path));
    let named = refused.iter().take(NAMED).map(|refusal| line(&refusal.path, &refusal.reason));
    let named: Vec<String> = named.collect();
    let stay = alone.iter().take(NAMED).map(|(path, why)| line(path, &why.reason()));
    let stay: Vec<String> = stay.collect();
    let stay = match stay.as_slice() {
        [] => String::new(),
        stay => format!("\nThese stay, with --force too.\n{}", stay.join("\n")),
    };
    Ok(format!(
        "nothing was reverted and loop {id} goes on: this would be lost.\n{}{stay}\n`steadfast loop abort {id} --revert \
         --force` replaces it too; it is kept first. `steadfast loop abort {id}` keeps everything as it is",
        named.join("\n")
    ))
}

/// Names the other loop where the newer work is that one's.
fn name_loops(store: &Store, id: &str, refused: &mut [Refusal]) -> Result<()> {
    let paths: Vec<PathBuf> = refused.iter().map(|refusal| refusal.path.clone()).collect();
    for (path, foreign) in whose_are(store, id, &paths)? {
        let same = |refusal: &&mut Refusal| refusal.path == path && refusal.by_force;
        if let (NotOwnReason::OtherLoop(_), Some(refusal)) = (&foreign, refused.iter_mut().find(same)) {
            refusal.reason = foreign.reason();
        }
    }
    Ok(())
}

/// Which of these files hold the work of others, each with why.
fn whose_are(store: &Store, id: &str, paths: &[PathBuf]) -> Result<Vec<(PathBuf, NotOwnReason)>> {
    let start = Start::of_loop(store, id).map_err(anyhow::Error::msg)?;
    whose::of_others(store, &start, paths).map_err(anyhow::Error::msg)
}
