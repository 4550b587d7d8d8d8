//! The bytes that are kept before something may destroy them, and their return.
//!
//! Invariant: what a manifest names is on disk before the manifest is, and nothing of the user's is overwritten or
//! removed by a restore before it was kept itself.
//!
//! [`keep`](keep::keep) runs before a risky call, [`settle`](settle::settle) after it, [`undo`] on demand,
//! [`catalogue`] finds what there is. [`net`] goes under calls whose effect nobody knows beforehand.

pub mod bound;
mod cache;
pub mod catalogue;
pub mod compare;
pub mod digest;
mod flush;
pub mod gc;
mod git_objects;
pub mod journal;
pub mod keep;
pub mod last_call;
pub mod lines;
pub mod manifest;
pub mod meter;
pub mod net;
pub mod node;
pub mod objects;
pub(crate) mod objects_lock;
mod opened;
pub mod plan;
pub mod retention;
mod rules;
mod scan;
pub mod settle;
mod spread;
pub mod store;
mod target;
pub mod tree;
pub mod undo;
pub mod verify;
pub mod walk;
pub mod watch;
pub(crate) mod way;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_tests;

use std::io;
use std::path::{Path, PathBuf};

use crate::checkpoint::objects::Digest;

/// Why something could not be kept or given back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system said no.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb: `read`, `write`.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A blob's bytes are not those that its name says.
    #[error(
        "object {0} is damaged: its content does not match its name; another copy has to come from elsewhere"
    )]
    DamagedObject(Digest),
    /// A blob is gone.
    #[error("object {0} is missing; it was removed from .aiwg/ralph/objects")]
    MissingObject(Digest),
    /// A manifest or journal is not what it should be.
    #[error("{} cannot be read: {why}; `gunzip -c` shows what is left of it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The checkpoint is of a newer version of Steadfast.
    #[error("{} was written by a newer Steadfast (format {found}); update to restore it", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// No checkpoint fits what was asked for.
    #[error("no checkpoint of {0}; `steadfast undo --list` shows what there is")]
    Unknown(String),
    /// The checkpoint has no such file.
    #[error("{} is no file that {checkpoint} kept", path.display())]
    NotKept {
        /// The checkpoint.
        checkpoint: String,
        /// The file.
        path: PathBuf,
    },
    /// There is a checkpoint, or none, but nothing has changed since.
    #[error("nothing to undo: no call has changed a file that was kept")]
    NothingToUndo,
    /// The newest call changed nothing, so what is asked for is not the one before.
    #[error(
        "the newest call ({last}) changed nothing that is kept; `steadfast undo --tool-call {older}` undoes the one \
         before it ({summary})"
    )]
    NothingByLast {
        /// The newest call.
        last: String,
        /// What the one before is called.
        older: String,
        /// What that did.
        summary: String,
    },
    /// An earlier restore was cut short.
    #[error("an earlier undo was cut short; `steadfast undo --continue` finishes it")]
    Unfinished,
    /// There is no restore to continue.
    #[error("no undo was cut short: there is nothing to continue")]
    NothingToContinue,
    /// Blobs are being collected.
    #[error("old checkpoints are being removed just now, so nothing could be kept")]
    Collecting,
    /// Another restore is running.
    #[error("another undo is running in this project; try again when it is done")]
    Busy,
}

impl Error {
    /// The error of `doing` something at `path`, for `map_err`.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { doing, path, source }
    }
}
