//! `steadfast checkpoint`: what is kept, whether it is whole, and how it differs.
//!
//! Invariant: only `restore` changes the project and only `gc` and `tag` change what is kept; both can be tried with
//! `--dry-run`.

pub mod diff;
pub mod patch;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, Moment, Taking};
use crate::checkpoint::{Error, catalogue, gc, retention, verify};
use crate::cli::checkpoint::diff::DiffArgs;
use crate::cli::progress;
use crate::cli::undo::{self, UndoArgs, shown, size, write_json};
use crate::config::Config;
use crate::lifecycle::iteration::snapshot;
use crate::model::finding::counted;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;

/// Look at what is kept, and tidy it
#[derive(Debug, Subcommand)]
pub enum CheckpointCommand {
    /// List the checkpoints, newest first
    List(ListArgs),
    /// Show what is in a checkpoint
    Show(ShowArgs),
    /// Show what is different now, or in another checkpoint
    Diff(DiffArgs),
    /// Bring a checkpoint's files back; the same as `steadfast undo --to`
    Restore(RestoreArgs),
    /// Read every kept byte and say what is damaged
    Verify(VerifyArgs),
    /// Keep the whole tree now, for ever, under a tag of your own
    Tag(TagArgs),
    /// Remove what is too old, and what nothing needs
    Gc(GcArgs),
}

/// Arguments of `steadfast checkpoint list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only those of this loop
    loop_id: Option<String>,
    /// Only those of the whole tree
    #[arg(long)]
    trees: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `steadfast checkpoint show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Its name, alone or as LOOP/NAME
    checkpoint: String,
    /// Print the content of this file as it was kept
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `steadfast checkpoint restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Its name, alone or as LOOP/NAME
    checkpoint: String,
    /// Show what would come back and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Replace newer work too; it is kept first
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Only these files and folders
    paths: Vec<PathBuf>,
}

/// Arguments of `steadfast checkpoint verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Only this one
    checkpoint: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `steadfast checkpoint tag`.
#[derive(Debug, Args)]
pub struct TagArgs {
    /// What to call it
    tag: String,
    /// The loop that it belongs to; without one, it stands for itself
    #[arg(long = "loop", value_name = "LOOP", default_value = tree::MANUAL)]
    loop_id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `steadfast checkpoint gc`.
#[derive(Debug, Args)]
pub struct GcArgs {
    /// Say what would go and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

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
        Err(error) => {
            // A closed pipe is no reason to fail once more.
            let _ = writeln!(anstream::stderr(), "steadfast checkpoint: {error}");
            2
        }
    }
}

impl RestoreArgs {
    fn as_undo(&self) -> UndoArgs {
        UndoArgs {
            to: Some(self.checkpoint.clone()),
            dry_run: self.dry_run,
            force: self.force,
            json: self.json,
            paths: self.paths.clone(),
            ..UndoArgs::default()
        }
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
        CheckpointCommand::Verify(args) => verify_all(args, store, out),
        CheckpointCommand::Tag(args) => tag(args, store, out),
        CheckpointCommand::Gc(args) => collect(args, store, project, out),
        CheckpointCommand::Restore(args) => Ok(undo::run(&args.as_undo(), project, cwd)),
    }
}

fn list(args: &ListArgs, store: &Store, out: &mut dyn Write) -> Result<u8, Error> {
    let mut catalogue = catalogue::list(store, args.loop_id.as_deref())?;
    catalogue.checkpoints.retain(|manifest| manifest.tree || !args.trees);
    let written = if args.json {
        write_json(out, &undo::list_json(&catalogue))
    } else {
        undo::write_list(out, &catalogue, Manifest::address)
    };
    let _ = written;
    Ok(0)
}

fn show(args: &ShowArgs, store: &Store, cwd: &Path, out: &mut dyn Write) -> Result<u8, Error> {
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
        write_manifest(out, &manifest)
    };
    Ok(0)
}

fn write_manifest(out: &mut dyn Write, manifest: &Manifest) -> io::Result<()> {
    let (files, bytes) = manifest.kept_files();
    writeln!(out, "{}  {:.0}", shown(&manifest.address()), manifest.created_at)?;
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

fn verify_all(args: &VerifyArgs, store: &Store, out: &mut dyn Write) -> Result<u8, Error> {
    let report = progress::shown("reading", |meter| verify::run(store, args.checkpoint.as_deref(), meter))?;
    let _ = if args.json {
        let damaged = report.damaged.iter().map(|(checkpoint, problems)| {
            let problems: Vec<Value> = problems
                .iter()
                .map(|(path, why)| json!({"path": undo::path_text(path), "problem": why}))
                .collect();
            (checkpoint.clone(), Value::from(problems))
        });
        write_json(
            out,
            &json!({
                "checkpoints": report.checkpoints,
                "objects": report.objects,
                "damaged": Value::Object(damaged.collect()),
                "unreadable": report.unreadable,
            }),
        )
    } else {
        write_verified(out, &report)
    };
    Ok(u8::from(!report.is_whole()))
}

fn write_verified(out: &mut dyn Write, report: &verify::Report) -> io::Result<()> {
    for (checkpoint, problems) in &report.damaged {
        writeln!(out, "damaged: {}", shown(checkpoint))?;
        for (path, why) in problems {
            writeln!(out, "  {}: {}", shown(&undo::path_text(path)), shown(why))?;
        }
    }
    for why in &report.unreadable {
        writeln!(out, "unreadable: {}", shown(why))?;
    }
    let damaged = report.damaged.len() + report.unreadable.len();
    writeln!(
        out,
        "{} with {}: {}",
        counted(report.checkpoints, "checkpoint"),
        counted(report.objects, "object"),
        if damaged == 0 { "all whole".to_owned() } else { format!("{damaged} damaged") }
    )
}

fn tag(args: &TagArgs, store: &Store, out: &mut dyn Write) -> Result<u8, Error> {
    if let Err(error) = crate::state::loop_id::check(&args.loop_id) {
        return Err(Error::Unknown(error.to_string()));
    }
    let iteration = LoopState::read(store.layout(), &args.loop_id).map_or(0, |state| state.iteration);
    let taken = progress::shown("keeping", |meter| {
        tree::take(&Taking {
            store,
            loop_id: &args.loop_id,
            iteration,
            moment: Moment::Tagged(args.tag.clone()),
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

fn collect(args: &GcArgs, store: &Store, project: &Path, out: &mut dyn Write) -> Result<u8, Error> {
    let (config, _) = Config::read(project);
    let policy = snapshot::policy(&config.checkpoints);
    let mut gone: Vec<PathBuf> = Vec::new();
    for loop_id in catalogue::loops(store)? {
        let state = LoopState::read(store.layout(), &loop_id).ok();
        let pinned = state.as_ref().map(snapshot::pinned).unwrap_or_default();
        gone.extend(retention::apply(store, &loop_id, policy, &pinned, args.dry_run)?);
    }
    let collected =
        progress::shown("collecting", |meter: &Meter| gc::collect(store, gc::GRACE, args.dry_run, meter))?;
    let total = gc::size(store)?;
    let _ = if args.json {
        write_json(
            out,
            &json!({
                "dry_run": args.dry_run,
                "checkpoints_removed": gone.len(),
                "objects_removed": collected.objects,
                "bytes_freed": collected.bytes,
                "objects_left": collected.left,
                "bytes_left": total.bytes,
            }),
        )
    } else {
        let verb = if args.dry_run { "would remove" } else { "removed" };
        writeln!(
            out,
            "{verb} {} and {} ({}); {} now",
            counted(gone.len(), "checkpoint"),
            counted(collected.objects, "object"),
            size(collected.bytes),
            taken(&total)
        )
    };
    Ok(0)
}

/// How much all checkpoints of a project take, in a line for the status, with a warning from `warn_megabytes` on;
/// `None` when there are none.
pub fn size_line(store: &Store, warn_megabytes: u64) -> Option<String> {
    let total = gc::size(store).ok().filter(|total| total.checkpoints > 0)?;
    let line = taken(&total);
    let is_much = total.bytes >= warn_megabytes.saturating_mul(1_000_000);
    Some(if is_much { format!("{line}; `steadfast checkpoint gc` removes the old ones") } else { line })
}

fn taken(total: &gc::Size) -> String {
    let verb = if total.checkpoints == 1 { "takes" } else { "take" };
    format!("{} {verb} {}", counted(total.checkpoints, "checkpoint"), size(total.bytes))
}

#[cfg(test)]
mod tests;
