//! `steadfast checkpoint diff`: what is different now, or in another checkpoint.
//!
//! Invariant: what it prints of text files is a patch from the first to the second.

use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::checkpoint::compare::{self, PathChange};
use crate::checkpoint::node::{Node, is_within};
use crate::checkpoint::store::Store;
use crate::checkpoint::{Error, catalogue};
use crate::cli::checkpoint::patch::{LineCounts, Patch, PathSide};
use crate::cli::undo::{path_text, shown, write_json};
use crate::cli::{pages, progress};

/// Arguments of `steadfast checkpoint diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Its name, alone or as LOOP/NAME
    from: String,
    /// Another one; without it, what is there now
    to: Option<String>,
    /// Count the lines instead of showing them
    #[arg(long, conflicts_with_all = ["name_status", "json"])]
    stat: bool,
    /// Only the names: A added, D deleted, M modified
    #[arg(long, conflicts_with = "json")]
    name_status: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Only these files and folders
    #[arg(value_name = "PATH", last = true)]
    paths: Vec<PathBuf>,
}

/// Runs the command; answers 1 when there is a difference.
pub(crate) fn run(
    args: &DiffArgs,
    store: &Store,
    cwd: &Path,
    out: &mut dyn Write,
    coloured: bool,
) -> Result<u8, Error> {
    let from = catalogue::find(store, &args.from)?;
    let mut changes = match &args.to {
        Some(to) => compare::between(store, from, catalogue::find(store, to)?)?,
        None => progress::shown("comparing", |meter| compare::with_now(store, from, meter))?,
    };
    let chosen: Vec<PathBuf> = args.paths.iter().map(|path| store.name(&cwd.join(path))).collect();
    changes.retain(|change| chosen.is_empty() || chosen.iter().any(|path| is_within(&change.path, path)));
    let is_now = args.to.is_none();
    let patch = |change: &PathChange| Patch {
        path: path_text(&change.path),
        before: side(store, &change.path, &change.before, false),
        after: side(store, &change.path, &change.after, is_now),
    };
    let write = |out: &mut dyn Write| match args {
        DiffArgs { json: true, .. } => {
            let changes: Vec<Value> = changes.iter().map(|change| in_json(change, &patch(change))).collect();
            write_json(out, &json!({ "changes": changes }))
        }
        DiffArgs { name_status: true, .. } => changes
            .iter()
            .try_for_each(|change| writeln!(out, "{} {}", letter(change), shown(&path_text(&change.path)))),
        DiffArgs { stat: true, .. } => write_stats(out, coloured, &changes, patch),
        _ => changes.iter().try_for_each(|change| patch(change).write(out, coloured)),
    };
    // A reader that has gone is no error.
    let _ = pages::paged_to(out, |out| Ok(write(out)));
    Ok(u8::from(!changes.is_empty()))
}

/// Writes one line of numbers for each path, and their sum.
fn write_stats(
    out: &mut dyn Write,
    coloured: bool,
    changes: &[PathChange],
    patch: impl Fn(&PathChange) -> Patch,
) -> io::Result<()> {
    let width = changes.iter().map(|change| shown(&path_text(&change.path)).chars().count()).max();
    let mut sum = LineCounts::default();
    for change in changes {
        let patch = patch(change);
        patch.write_stat(out, coloured, width.unwrap_or_default())?;
        let lines = patch.lines().unwrap_or_default();
        sum.added += lines.added;
        sum.removed += lines.removed;
    }
    let plural = if changes.len() == 1 { "" } else { "s" };
    let (added, removed) = (sum.added, sum.removed);
    writeln!(out, " {} path{plural} changed, {added} lines added, {removed} lines removed", changes.len())
}

fn letter(change: &PathChange) -> char {
    match (&change.before, &change.after) {
        (Node::Absent, _) => 'A',
        (_, Node::Absent) => 'D',
        _ => 'M',
    }
}

fn in_json(change: &PathChange, patch: &Patch) -> Value {
    let node = |node: &Node| match node {
        Node::Absent => Value::Null,
        Node::File { sha256, size, mode } => {
            json!({"kind": "file", "size": size, "mode": format!("{mode:04o}"), "sha256": sha256})
        }
        Node::Directory { mode } => json!({"kind": "directory", "mode": format!("{mode:04o}")}),
        Node::Symlink { target } => json!({"kind": "symlink", "target": target.to_string_lossy()}),
        Node::Other => json!({"kind": "other"}),
    };
    let lines = patch.lines();
    json!({
        "path": path_text(&change.path),
        "status": letter(change).to_string(),
        "before": node(&change.before),
        "after": node(&change.after),
        "lines_added": lines.map(|lines| lines.added),
        "lines_removed": lines.map(|lines| lines.removed),
    })
}

/// What was kept of a path, or with `is_now` what is there.
fn side(store: &Store, path: &Path, node: &Node, is_now: bool) -> PathSide {
    match node {
        Node::Absent => PathSide::Absent,
        Node::Directory { mode } => PathSide::Folder(*mode),
        Node::Symlink { target } => PathSide::Link(target.as_os_str().as_bytes().to_vec()),
        Node::Other => PathSide::Unread("it can't be read".to_owned()),
        Node::File { mode, .. } if is_now => fs::read(store.path(path))
            .map_or_else(|error| PathSide::Unread(error.to_string()), |b| PathSide::File(b, *mode)),
        Node::File { sha256, mode, .. } => match store.objects().read(sha256) {
            Ok(bytes) => PathSide::File(bytes, *mode),
            Err(error) => PathSide::Unread(error.to_string()),
        },
    }
}
