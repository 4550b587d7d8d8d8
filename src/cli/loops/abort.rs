//! `steadfast loop abort`: the end of a loop, with its changes kept or taken back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anstream::println;
use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::args::AbortArgs;
use super::which::resolve;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::plan::Refusal;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, TreeKeepRequest, TreeOccasion};
use crate::checkpoint::undo::{self, CheckpointSelector, UndoOptions};
use crate::checkpoint::{catalogue, compare};
use crate::cli::columns::say;
use crate::cli::undo::path_text;
use crate::lifecycle::changes::own_restore;
use crate::lifecycle::changes::whose::{self, NotOwnReason, Start};
use crate::lifecycle::hooks::loop_complete::{self, LoopEnding};
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::{Kind, Registry};

/// Ends the loop that is meant, or all that are not over.
pub(super) fn abort(project: &Project, layout: &Layout, args: &AbortArgs) -> Result<u8> {
    if args.all {
        let registry = Registry::read(layout)?;
        let live = registry
            .loops
            .iter()
            .filter(|(_, entry)| entry.kind == Kind::Explicit && !entry.status.is_over());
        let mut rows = Vec::new();
        for (id, _) in live {
            let (banner, row) = abort_one(project, layout, id, args)?;
            rows.push(row);
            if !args.which.json {
                say(banner);
            }
        }
        if args.which.json {
            println!("{:#}", json!({"loops": rows}));
        } else if rows.is_empty() {
            say(nothing_to_end(&registry));
        }
        return Ok(0);
    }
    let id = resolve(layout, &args.which, |entry| !entry.status.is_over())?;
    let (banner, row) = abort_one(project, layout, &id, args)?;
    if args.which.json {
        println!("{row:#}");
    } else {
        say(banner);
    }
    Ok(0)
}

/// What a person reads where no loop of theirs is left to end.
fn nothing_to_end(registry: &Registry) -> String {
    let mut live = registry.loops.iter().filter(|(_, entry)| !entry.status.is_over());
    let guard = live.find(|(_, entry)| entry.kind == Kind::Implicit);
    let of_sessions = guard.map_or(String::new(), |(id, _)| {
        format!(" What guards a session goes on, and ends by its name: `steadfast loop abort {id}`.")
    });
    format!("No loop is left to end.{of_sessions}")
}

/// Aborts a loop: its banner, and the same for programs.
fn abort_one(project: &Project, layout: &Layout, id: &str, args: &AbortArgs) -> Result<(String, Value)> {
    let state = LoopState::read(layout, id)?;
    if state.status.is_over() && state.status != Status::Failed {
        bail!("loop {id} is {} already", state.status.name());
    }
    let reverted = if args.revert { Some(revert(project, id, args.force)?) } else { None };
    let back = |RevertSummary { report, .. }: &RevertSummary| LoopEnding::Reverted(files(report));
    let ending = reverted.as_ref().map_or(LoopEnding::Aborted, back);
    let mut banner = loop_complete::finish(project, layout, id, ending, None, Timestamp::now())
        .map_err(anyhow::Error::msg)?;
    let paths = |paths: &[PathBuf]| paths.iter().map(|path| path_text(path)).collect::<Vec<_>>();
    let mut row = json!({"loop_id": id, "status": Status::Aborted.name()});
    match &reverted {
        Some(RevertSummary { report, of_others, left }) => {
            row["restored"] = json!(paths(&report.restored));
            row["removed"] = json!(paths(&report.removed));
            row["of_others"] = json!(paths(of_others));
            row["left"] = json!(left.iter().map(|(path, _)| path_text(path)).collect::<Vec<_>>());
            for (path, reason) in left {
                banner = format!("{banner}\nLeft as it is: {}, {}", path_text(path), reason.reason());
            }
            if !of_others.is_empty() {
                let named = paths(of_others).join(", ");
                banner = format!(
                    "{banner}\nReplaced too, though others have changed it: {named}\n`steadfast undo --list` shows how it \
                     comes back"
                );
            }
        }
        None => row["changes"] = json!("kept"),
    }
    Ok((banner, row))
}

/// What going back to a loop's start did.
struct RevertSummary {
    report: undo::UndoReport,
    /// What went back though it held the work of others, since that was forced.
    of_others: Vec<PathBuf>,
    /// What stays, since no call of the loop made it, and a turn has ended with it as it is.
    left: Vec<(PathBuf, NotOwnReason)>,
}

/// How many files went back; folders are none.
fn files(report: &undo::UndoReport) -> usize {
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

/// Brings the files back to the loop's start. What no call made, and a turn has ended with, stays; nothing is changed when
/// anything else had to be left.
fn revert(project: &Project, id: &str, force: bool) -> Result<RevertSummary> {
    let store = Store::of_project(project.root());
    let selection = CheckpointSelector::Session(Some(id.to_owned()));
    let options = |dry_run, of_others| UndoOptions {
        force,
        dry_run,
        of_others,
        now: Timestamp::now(),
        ..UndoOptions::default()
    };
    let earlier = own_restore::finish_earlier(&store)?;
    let mut planned = undo::restore(&store, &selection, &options(true, BTreeMap::new()))?;
    let of_others = of_others(&store, id, &planned)?;
    let newest = LoopState::read(store.layout(), id)?.iteration_history.last().map(|it| it.timestamp);
    let (left, of_others): (Vec<_>, Vec<_>) = of_others
        .into_iter()
        .partition(|(path, reason)| !force && reason.is_nobodys() && whose::is_before(&store, path, newest));
    planned.refused.extend(of_others.iter().map(|(path, foreign)| refusal(path, foreign.reason())));
    // What came after the last look at the tree is in no record: it may be anybody's.
    let since = unknown(&store, id, &planned)?;
    if force && !since.is_empty() {
        keep_all(&store, id)?;
    } else {
        let reason = "new since the loop's files were last looked at: this may be newer work";
        planned.refused.extend(since.iter().map(|path| refusal(path, reason.to_owned())));
    }
    if planned.refused.iter().any(|refusal| !force || !refusal.by_force) {
        // With force these would go too.
        planned.refused.extend(left.iter().map(|(path, foreign)| refusal(path, foreign.reason())));
        bail!(refused(&store, id, planned.refused)?);
    }
    let staying = left.iter().map(|(path, reason)| (path.clone(), reason.reason())).collect();
    let mut done = undo::restore(&store, &selection, &options(false, staying))?;
    own_restore::note(store.layout(), &store, &done.touched());
    if let Some(earlier) = earlier {
        done.restored.extend(earlier.restored);
        done.removed.extend(earlier.removed);
    }
    let of_others = of_others.into_iter().map(|(path, _)| path).chain(since).collect();
    Ok(RevertSummary { report: done, of_others, left })
}

/// What is left without force.
fn refusal(path: &Path, reason: String) -> Refusal {
    Refusal { path: path.to_owned(), reason, by_force: true }
}

/// What a person reads where nothing was taken back.
fn refused(store: &Store, id: &str, mut refused: Vec<Refusal>) -> Result<String> {
    name_loops(store, id, &mut refused)?;
    let named = refused.iter().take(20);
    let named: Vec<String> =
        named.map(|refusal| format!("  {}: {}", path_text(&refusal.path), refusal.reason)).collect();
    Ok(format!(
        "nothing was reverted and loop {id} goes on: this would be lost.\n{}\n`steadfast loop abort {id} --revert \
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

/// What would go back and holds the work of others, each file with why.
fn of_others(store: &Store, id: &str, planned: &undo::UndoReport) -> Result<Vec<(PathBuf, NotOwnReason)>> {
    whose_are(store, id, &planned.touched())
}

fn whose_are(store: &Store, id: &str, paths: &[PathBuf]) -> Result<Vec<(PathBuf, NotOwnReason)>> {
    let start = Start::of_loop(store, id).map_err(anyhow::Error::msg)?;
    whose::of_others(store, &start, paths).map_err(anyhow::Error::msg)
}
