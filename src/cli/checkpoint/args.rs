//! The arguments of `steadfast checkpoint`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::diff::DiffArgs;
use crate::checkpoint::tree;
use crate::cli::undo::UndoArgs;

/// Look at what is kept, and tidy it
///
/// Exit code: 0 done, 1 something is damaged, differs or was refused, 2 nothing could be done.
#[derive(Debug, Subcommand)]
pub enum CheckpointCommand {
    /// List the checkpoints, newest first
    List(ListArgs),
    /// Show what is in a checkpoint
    Show(CheckpointShowArgs),
    /// Show what is different now, or in another checkpoint
    Diff(DiffArgs),
    /// Bring a checkpoint's files back; the same as `steadfast undo --to`
    Restore(RestoreArgs),
    /// Read every kept byte and say what is damaged
    Verify(CheckpointVerifyArgs),
    /// Keep the whole tree now, for ever, under a tag of your own
    Tag(TagArgs),
    /// Remove what is too old, and what nothing needs
    Gc(GcArgs),
}

/// Arguments of `steadfast checkpoint list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only those of this loop
    pub(super) loop_id: Option<String>,
    /// Only those of the whole tree
    #[arg(long)]
    pub(super) trees: bool,
    #[command(flatten)]
    pub(super) limit: crate::cli::pages::LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `steadfast checkpoint show`.
#[derive(Debug, Args)]
pub struct CheckpointShowArgs {
    /// Its name, alone or as LOOP/NAME
    pub(super) checkpoint: String,
    /// Print the content of this file as it was kept
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    pub(super) file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `steadfast checkpoint restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Its name, alone or as LOOP/NAME
    pub(super) checkpoint: String,
    /// Show what would come back and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Replace newer work too; it is kept first
    #[arg(long)]
    pub(super) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Only these files and folders
    pub(super) paths: Vec<PathBuf>,
}

/// Arguments of `steadfast checkpoint verify`.
#[derive(Debug, Args)]
pub struct CheckpointVerifyArgs {
    /// Only this one
    pub(super) checkpoint: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `steadfast checkpoint tag`.
#[derive(Debug, Args)]
pub struct TagArgs {
    /// What to call it
    pub(super) tag: String,
    /// The loop that it belongs to; without one, it stands for itself
    #[arg(long = "loop", value_name = "LOOP", default_value = tree::MANUAL)]
    pub(super) loop_id: String,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `steadfast checkpoint gc`.
#[derive(Debug, Args)]
pub struct GcArgs {
    /// Say what would go and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl RestoreArgs {
    /// The same as an undo.
    pub(super) fn as_undo(&self) -> UndoArgs {
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
