//! The folders in which package managers install, and their files.

use std::fs;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::lifecycle::criterion::dependencies::PASSING;
use crate::proof::installed::is_folder;

/// The folders of installed packages in a project, wherever they are.
fn folders(root: &Path) -> Vec<PathBuf> {
    let walk = ignore::WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| {
            let name = entry.file_name().to_str().unwrap_or_default();
            !matches!(name, ".git" | ".aiwg") && !is_folder(entry.path())
        })
        .build();
    let directories = walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()));
    let inside = directories.flat_map(|entry| fs::read_dir(entry.path()).into_iter().flatten().flatten());
    let mut found: Vec<PathBuf> =
        inside.map(|entry| entry.path()).filter(|path| path.is_dir() && is_folder(path)).collect();
    found.sort();
    found
}

/// Goes through the installed files until `take` has enough.
pub(crate) fn each_file(root: &Path, take: &mut dyn FnMut(String, &Path, &Metadata) -> bool) {
    for folder in folders(root) {
        let walk = ignore::WalkBuilder::new(&folder)
            .standard_filters(false)
            .filter_entry(|entry| {
                let name = entry.file_name().to_str().unwrap_or_default();
                !PASSING.contains(&name) && !name.ends_with(".pyc")
            })
            .build();
        for entry in walk.flatten() {
            let Ok(metadata) = fs::symlink_metadata(entry.path()) else { continue };
            let Ok(name) = entry.path().strip_prefix(root) else { continue };
            if !metadata.is_dir() && !take(name.to_string_lossy().into_owned(), entry.path(), &metadata) {
                return;
            }
        }
    }
}

/// The most files that are noted.
pub(crate) const MOST_FILES: usize = 400_000;
