//! What can be wrong with a state file, and where its copy lies.

use std::io;
use std::path::{Path, PathBuf};

/// What can be wrong with a state file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is none.
    #[error("{path} does not exist", path = path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Neither the file nor its backup is a state, and no log tells of it.
    #[error("{path} can't be read as a loop state ({reason}), nor can {copy}, and {log} tells nothing of it; mend or remove it by hand", path = path.display(), copy = backup(path).display(), log = log.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The parser's words.
        reason: String,
        /// The loop's log.
        log: PathBuf,
    },
    /// The file is from a newer version.
    #[error("{path} has version {version}, this is for 2.x: it is read but not written; update Steadfast", path = path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: String,
    },
    /// The disk said no.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The last good copy of the state at `path`.
pub(super) fn backup(path: &Path) -> PathBuf {
    path.with_extension("json.bak")
}
