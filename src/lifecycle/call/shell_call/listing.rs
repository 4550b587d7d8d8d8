//! The files below a path, bounded by number and bytes; a bound that is met is said, never hidden.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::lifecycle::call::shell_call::names::is_output_name;

/// The most files of one call that are listed.
pub(crate) const MOST_FILES: usize = 5_000;

/// The most bytes of one call that are kept.
pub(crate) const MOST_BYTES: u64 = 200 * 1024 * 1024;

/// The most directory entries that a pattern looks at.
pub(crate) const MOST_ENTRIES: usize = 20_000;

/// The files of one call that are kept, counted against the bounds.
#[derive(Debug, Default)]
pub(crate) struct KeptFiles {
    /// The files, each once.
    pub(crate) files: Vec<PathBuf>,
    known: HashSet<PathBuf>,
    bytes: u64,
    looked: usize,
}

/// What is in a target.
#[derive(Debug, Default)]
pub(crate) struct TargetListing {
    /// Files and links, in the order of their names.
    pub(crate) files: Vec<PathBuf>,
    /// Whether a bound was met.
    pub(crate) too_much: bool,
}

impl KeptFiles {
    /// Lists what is at and under `path`, but for folders that tools make again unless `is_tracked` says otherwise.
    pub(crate) fn list(&mut self, path: &Path, is_tracked: impl Fn(&Path) -> bool) -> TargetListing {
        let mut listing = TargetListing::default();
        let mut open = vec![path.to_path_buf()];
        while let Some(here) = open.pop() {
            let Ok(metadata) = here.symlink_metadata() else { continue };
            self.looked += 1;
            if self.looked > MOST_ENTRIES {
                listing.too_much = true;
                break;
            }
            if !metadata.is_dir() {
                listing.too_much |= !self.add(&here, metadata.len());
                listing.files.push(here);
                if listing.too_much {
                    break;
                }
                continue;
            }
            let mut entries: Vec<PathBuf> =
                fs::read_dir(&here).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            entries.retain(|entry| {
                let name = Path::new(entry.file_name().unwrap_or_default());
                !is_output_name(name) || is_tracked(entry)
            });
            entries.sort_by(|one, other| other.cmp(one));
            open.extend(entries);
        }
        listing
    }

    /// Adds one file, once; `false` when that is more than can be kept.
    pub(crate) fn add(&mut self, path: &Path, bytes: u64) -> bool {
        if self.known.contains(path) {
            return true;
        }
        if self.files.len() >= MOST_FILES || self.bytes + bytes > MOST_BYTES {
            return false;
        }
        self.bytes += bytes;
        self.files.push(path.to_path_buf());
        self.known.insert(path.to_path_buf());
        true
    }
}
