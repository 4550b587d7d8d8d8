//! Temporary folders: what lies there goes again by itself.

use std::path::{Path, PathBuf};

/// The folders in which everybody keeps what goes again.
pub(super) fn folders() -> Vec<PathBuf> {
    let mut temporary: Vec<PathBuf> = [
        "/tmp",
        "/var/tmp",
        "/private/tmp",
        "/private/var/tmp",
        "/var/folders",
        "/private/var/folders",
        "/dev/shm",
    ]
    .map(PathBuf::from)
    .to_vec();
    let own = std::env::temp_dir();
    temporary.extend(own.canonicalize());
    temporary.push(own);
    temporary
}

/// Whether a path is one of the temporary folders itself.
pub(crate) fn is_one(path: &Path) -> bool {
    folders().iter().any(|folder| folder == path)
}
