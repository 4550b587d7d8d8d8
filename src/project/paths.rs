//! Paths as git prints them and as git is asked about them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The most paths that a question names: git compares each of its files with each of them.
const MOST_PATHS: usize = 200;

/// Paths that git is asked about by name; where they are many, all are asked about and the answer is searched.
pub(super) fn few(paths: &[PathBuf]) -> &[PathBuf] {
    if paths.len() > MOST_PATHS { &[] } else { paths }
}

/// Whether a path is one of `paths` or below one.
pub(super) fn within(paths: &[PathBuf]) -> impl Fn(&Path) -> bool + use<'_> {
    let paths: HashSet<&Path> = paths.iter().map(PathBuf::as_path).collect();
    move |path| path.ancestors().any(|folder| paths.contains(folder))
}

pub(super) fn split_paths(output: &[u8], base: &Path) -> Vec<PathBuf> {
    output
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| base.join(bytes_path(name)))
        .collect()
}

#[cfg(unix)]
pub(super) fn bytes_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn bytes_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(unix)]
pub(super) fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
pub(super) fn path_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}
