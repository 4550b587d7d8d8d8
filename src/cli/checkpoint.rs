//! `steadfast checkpoint`: what is kept, whether it is whole, and how it differs.
//!
//! Invariant: only `restore` changes the project and only `gc` and `tag` change what is kept; both can be tried with
//! `--dry-run`.

mod args;
pub mod diff;
mod gc;
mod paint;
pub mod patch;
mod side;
mod verify;

use std::io::{self, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
pub use args::{
    CheckpointCommand, CheckpointShowArgs, CheckpointVerifyArgs, GcArgs, ListArgs, RestoreArgs, TagArgs,
};
pub use gc::size_line;
use jiff::Timestamp;
use serde_json::{Map, json};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, TreeKeepRequest, TreeOccasion};
use crate::checkpoint::{Error, catalogue};
use crate::cli::columns::moment;
use crate::cli::undo::{self, shown, size, write_json};
use crate::cli::{faults, pages, progress};
use crate::lifecycle::iteration::snapshot;
use crate::model::finding::counted;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;

/// Runs the command in the project at `project`, called from `cwd`. Answers the exit code: 0 done, 1 something is
/// damaged, differs or was refused, 2 nothing could be done.
pub fn run(command: &CheckpointCommand, project: &Path, cwd: &Path) -> u8 {
    let store = Store::of_project(project);
    if let CheckpointCommand::Restore(args) = command {
        return undo::run(&args.as_undo(), project, cwd);
    }
    // Not through a filter of colours: what was kept is printed byte for byte.
    match answer(command, &store, project, cwd, &mut io::stdout().lock()) {
        Ok(code) => code,
        Err(error) => faults::failed("steadfast checkpoint", &error, 2),
    }
}

/// Only what could not be done is an error; a reader that has gone is none.
fn answer(
    command: &CheckpointCommand,
    store: &Store,
    project: &Path,
    cwd: &Path,
    out: &mut dyn Write,
) -> Result<u8, Error> {
    match command {
        CheckpointCommand::List(args) => list(args, store, out),
        CheckpointCommand::Show(args) => show(args, store, cwd, out),
        CheckpointCommand::Diff(args) => {
            let coloured = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
            diff::run(args, store, cwd, out, coloured)
        }
        CheckpointCommand::Verify(args) => verify::verify_all(args, store, out),
        CheckpointCommand::Tag(args) => tag(args, store, out),
        CheckpointCommand::Gc(args) => gc::collect(args, store, project, out),
        CheckpointCommand::Restore(args) => Ok(undo::run(&args.as_undo(), project, cwd)),
    }
}

fn list(args: &ListArgs, store: &Store, out: &mut dyn Write) -> Result<u8, Error> {
    let mut catalogue = catalogue::list(store, args.loop_id.as_deref())?;
    catalogue.checkpoints.retain(|manifest| manifest.tree || !args.trees);
    let written = if args.json {
        write_json(out, &undo::list_json(&catalogue, args.limit.given().unwrap_or(usize::MAX)))
    } else {
        let most = args.limit.most();
        let list = |out: &mut dyn Write| Ok(undo::write_list(out, &catalogue, most, Manifest::address));
        pages::paged_to(out, list).unwrap_or(Ok(()))
    };
    let _ = written;
    Ok(0)
}

fn show(args: &CheckpointShowArgs, store: &Store, cwd: &Path, out: &mut dyn Write) -> Result<u8, Error> {
    let manifest = catalogue::find(store, &args.checkpoint)?.whole(store)?;
    if let Some(path) = &args.file {
        let name = store.name(&cwd.join(path));
        return match manifest.entry(&name).map(|entry| &entry.node) {
            Some(Node::File { sha256, .. }) => {
                let bytes = store.objects().read(sha256)?;
                let _ = out.write_all(&bytes);
                Ok(0)
            }
            _ => Err(Error::NotKept { checkpoint: manifest.address(), path: name }),
        };
    }
    let _ = if args.json {
        serde_json::to_value(&manifest).map_err(io::Error::other).and_then(|json| write_json(out, &json))
    } else {
        pages::paged_to(out, |out| Ok(write_manifest(out, &manifest))).unwrap_or(Ok(()))
    };
    Ok(0)
}

fn write_manifest(out: &mut dyn Write, manifest: &Manifest) -> io::Result<()> {
    let (files, bytes) = manifest.kept_files();
    writeln!(out, "{}  {}", shown(&manifest.address()), moment(manifest.created_at))?;
    writeln!(out, "{} ({}, {})", shown(&manifest.summary), counted(files, "file"), size(bytes))?;
    for tag in &manifest.tags {
        writeln!(out, "tag: {}", shown(tag))?;
    }
    for entry in &manifest.entries {
        let name = shown(&undo::path_text(&entry.path));
        match &entry.node {
            Node::File { size, mode, .. } => writeln!(out, "  {mode:04o} {size:>10}  {name}")?,
            Node::Directory { mode } => writeln!(out, "  {mode:04o} {:>10}  {name}/", "")?,
            Node::Symlink { target } => {
                writeln!(out, "  link {:>10}  {name} -> {}", "", shown(&target.to_string_lossy()))?;
            }
            Node::Absent => writeln!(out, "  none {:>10}  {name}", "")?,
            Node::Other => writeln!(out, "  ?    {:>10}  {name}", "")?,
        }
    }
    for skipped in &manifest.skipped {
        let name = shown(&undo::path_text(&skipped.path));
        writeln!(out, "  not kept  {name}: {}", shown(&skipped.reason))?;
    }
    Ok(())
}

fn tag(args: &TagArgs, store: &Store, out: &mut dyn Write) -> Result<u8, Error> {
    if let Err(error) = crate::state::loop_id::check(&args.loop_id) {
        return Err(Error::Unknown(error.to_string()));
    }
    let iteration = LoopState::read(store.layout(), &args.loop_id).map_or(0, |state| state.iteration);
    let taken = progress::shown("keeping", |meter| {
        tree::take(&TreeKeepRequest {
            store,
            loop_id: &args.loop_id,
            iteration,
            moment: TreeOccasion::Tagged(args.tag.clone()),
            summary: &args.tag,
            metrics: Map::new(),
            also: &[],
            bounds: tree::patient_bounds(),
            durability: Durability::Power,
            now: Timestamp::now(),
            meter,
        })
    })?;
    let id = format!("{}/{}", args.loop_id, taken.checkpoint_id);
    let _ = if args.json {
        let gaps = serde_json::to_value(&taken.unkept).unwrap_or_default();
        write_json(
            out,
            &json!({"checkpoint_id": id, "files": taken.files, "bytes": taken.bytes, "not_kept": gaps}),
        )
    } else {
        let gaps = snapshot::gaps(&taken).map(|gaps| format!("{}\n", shown(&gaps))).unwrap_or_default();
        write!(out, "{}: {}, {}\n{gaps}", shown(&id), counted(taken.files, "file"), size(taken.bytes))
    };
    Ok(0)
}

#[cfg(test)]
mod tests;
