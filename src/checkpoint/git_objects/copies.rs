//! Copies of held objects: a program that empties files where they stand empties all their names, so a second name alone
//! keeps nothing from it. Small objects are copied as well: `git-objects/{repository}/copies`.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::held::{RepositoryObjects, is_loose, link, object_folders};
use crate::checkpoint::store::is_absence;
use crate::state::folders;

/// Larger files, in bytes, have a second name alone.
const SMALL: u64 = 8 * 1024 * 1024;
/// No file of packed objects, or index of one, is as small as this, in bytes.
const LEAST_PACK: u64 = 32;
/// What a copy is called while it is written.
const UNFINISHED: &str = "unfinished";

impl RepositoryObjects {
    /// Copies an object that is held, if it is small.
    pub(super) fn copy(&self, folder: &OsStr, name: &OsStr) -> io::Result<()> {
        let held = self.root.join("objects").join(folder).join(name);
        if fs::symlink_metadata(&held)?.len() > SMALL {
            return Ok(());
        }
        let copies = self.root.join("copies");
        folders::make(&copies.join(folder))?;
        place_copy(&held, &copies.join(folder).join(name), &copies)
    }

    /// Mends what is held from the copies, where something has written into its files. Answers whether something had.
    pub(super) fn heal(&self) -> io::Result<bool> {
        let (objects, copies) = (self.root.join("objects"), self.root.join("copies"));
        let mut was_damaged = false;
        for folder in object_folders(&copies)? {
            for child in fs::read_dir(copies.join(&folder))?.flatten() {
                let held = objects.join(&folder).join(child.file_name());
                if !is_same(&held, &child.path())? {
                    place_copy(&child.path(), &held, &copies)?;
                    was_damaged = true;
                }
            }
        }
        Ok(was_damaged)
    }

    /// Gives the repository's own name of an object the file that is held, where it has none or a damaged one.
    pub(super) fn give_back(&self, folder: &OsStr, name: &OsStr) -> io::Result<()> {
        let held = self.root.join("objects").join(folder).join(name);
        let own = self.origin.join(folder).join(name);
        let length = |path: &Path| fs::symlink_metadata(path).map(|file| file.len()).ok();
        let is_damaged = length(&own).is_some_and(|size| {
            // One of packed objects may have been packed anew under its name.
            let is_cut = is_loose(name.as_bytes()) || size < LEAST_PACK;
            is_cut && length(&held) != Some(size)
        });
        if is_damaged {
            fs::remove_file(&own)?;
        }
        link(&held, &own).map(|_| ())
    }

    /// Forgets the copies of what is not held any more.
    pub(super) fn forget_copies(&self) -> io::Result<()> {
        let copies = self.root.join("copies");
        for folder in object_folders(&copies)? {
            for child in fs::read_dir(copies.join(&folder))?.flatten() {
                if !self.root.join("objects").join(&folder).join(child.file_name()).exists() {
                    fs::remove_file(child.path())?;
                }
            }
        }
        Ok(())
    }

    /// How many bytes the copies have.
    pub(super) fn size_of_copies(&self) -> u64 {
        let copies = self.root.join("copies");
        let folders = object_folders(&copies).unwrap_or_default().into_iter();
        let files = folders.filter_map(|folder| fs::read_dir(copies.join(folder)).ok()).flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
    }
}

/// Whether a held file says what its copy says. Git gives files that it meets again a new time.
fn is_same(held: &Path, copy: &Path) -> io::Result<bool> {
    let own = match fs::symlink_metadata(held) {
        Err(error) if is_absence(&error) => return Ok(true),
        own => own?,
    };
    let kept = fs::symlink_metadata(copy)?;
    if own.len() != kept.len() {
        return Ok(false);
    }
    Ok(own.modified()? <= kept.modified()? || fs::read(held)? == fs::read(copy)?)
}

/// Writes a copy of `from` under the name `to`, whole or not at all.
fn place_copy(from: &Path, to: &Path, copies: &Path) -> io::Result<()> {
    let unfinished = copies.join(UNFINISHED);
    match fs::remove_file(&unfinished) {
        Err(error) if !is_absence(&error) => return Err(error),
        _ => {}
    }
    match fs::copy(from, &unfinished) {
        // One that went meanwhile is found to be lost.
        Err(error) if is_absence(&error) => return Ok(()),
        copied => copied?,
    };
    fs::rename(&unfinished, to)
}
