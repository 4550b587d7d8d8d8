//! Getting many writes onto the disk at the price of few.
//!
//! Invariant: when [`all`] has answered, what was written at the paths before survives a power cut. One flush per
//! file costs milliseconds each; from some dozens on, one flush of the whole file system costs less.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Up to here each file is flushed for itself.
pub(crate) const FEW: usize = 32;

/// Flushes files and folders. What is not there any more has nothing to flush.
pub(crate) fn all<'p>(paths: impl Iterator<Item = &'p Path>) -> io::Result<()> {
    let paths: Vec<&Path> = paths.collect();
    if paths.len() <= FEW {
        return paths.into_iter().try_for_each(one);
    }
    let mut systems: BTreeMap<u64, Vec<&Path>> = BTreeMap::new();
    for path in paths {
        if let Ok(metadata) = fs::symlink_metadata(path) {
            systems.entry(metadata.dev()).or_default().push(path);
        }
    }
    systems.into_values().try_for_each(|paths| together(&paths))
}

fn one(path: &Path) -> io::Result<()> {
    match File::open(path) {
        Ok(file) => match file.sync_all() {
            // Some file systems cannot flush a folder.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            done => done,
        },
        // Gone, or of permissions that keep its owner out: the folder's flush covers the name.
        Err(_) => Ok(()),
    }
}

/// Flushes files and folders that are on one file system.
#[cfg(target_os = "linux")]
pub(crate) fn together(paths: &[&Path]) -> io::Result<()> {
    let opened = paths.iter().find_map(|path| File::open(path).ok());
    match opened {
        Some(file) => Ok(rustix::fs::syncfs(file)?),
        None => Ok(()),
    }
}

/// Flushes files and folders that are on one file system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn together(paths: &[&Path]) -> io::Result<()> {
    paths.iter().try_for_each(|path| one(path))
}
