//! `steadfast loop abort`: the end of a loop, with its changes kept or taken back.

use std::path::PathBuf;

use anstream::println;
use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::args::AbortArgs;
use super::revert::{RevertSummary, files, revert};
use super::which::resolve;
use crate::cli::columns::say;
use crate::cli::undo::path_text;
use crate::lifecycle::hooks::loop_complete::{self, LoopEnding};
use crate::project::Project;
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
