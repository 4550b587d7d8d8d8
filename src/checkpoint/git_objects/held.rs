//! One repository's objects: taken hold of, given back, and what the repository lost of them.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{AT_REST, NO_BRANCH, ORIGIN};
use crate::checkpoint::node::Stamp;
use crate::checkpoint::store::is_absence;
use crate::state::folders;

/// One repository's objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RepositoryObjects {
    pub(super) root: PathBuf,
    /// The repository's own folder of objects.
    pub(super) origin: PathBuf,
}

/// What taking hold of a folder found.
#[derive(Debug, Default)]
pub(super) struct TakenIn {
    /// How many files were looked at.
    pub(super) files: usize,
    /// How many of them were copied.
    pub(super) copied: usize,
    pub(super) has_new_pack: bool,
    /// What lost its name in the repository since the last look, from the folder of objects on.
    pub(super) lost: Vec<PathBuf>,
}

impl RepositoryObjects {
    /// Makes a repository that git takes for one; what is not held yet is looked up where it comes from.
    pub(super) fn begin(&self) -> io::Result<()> {
        folders::make(&self.root.join("refs"))?;
        folders::make(&self.root.join("objects/info"))?;
        fs::write(self.root.join("HEAD"), NO_BRANCH)?;
        let origin = self.origin.as_os_str().as_bytes();
        fs::write(self.root.join("objects/info/alternates"), [origin, b"\n"].concat())?;
        fs::write(self.root.join(ORIGIN), origin)
    }

    /// Takes hold of what is in a folder. `may_copy` says whether a further file may be copied too, after so many.
    pub(super) fn take_in(&self, folder: &OsStr, may_copy: &dyn Fn(usize) -> bool) -> io::Result<TakenIn> {
        let (from, to) = (self.origin.join(folder), self.root.join("objects").join(folder));
        let modified = fs::metadata(&from)?.modified()?;
        let known = fs::metadata(&to).and_then(|to| to.modified()).ok();
        let mut taken = TakenIn::default();
        if known == Some(modified) {
            return Ok(taken);
        }
        folders::make(&to)?;
        let mut there = HashSet::new();
        for child in fs::read_dir(&from)?.flatten() {
            let name = child.file_name();
            if is_object(name.as_bytes()) {
                let is_new = link(&child.path(), &to.join(&name))?;
                if is_new && is_empty(&to.join(&name)) && !is_mark(name.as_bytes()) {
                    fs::remove_file(to.join(&name))?;
                    continue;
                }
                taken.has_new_pack |= is_new && name.as_bytes().ends_with(b".pack");
                if is_new && may_copy(taken.copied) {
                    self.copy(folder, &name)?;
                    taken.copied += 1;
                }
                taken.files += 1;
                there.insert(name);
            }
        }
        if known.is_some() {
            taken.lost = self.lost(folder, &there, known)?;
        }
        if !taken.lost.is_empty() {
            // Once is enough to say so.
            touch(&to, SystemTime::now())?;
        } else if modified.elapsed().is_ok_and(|age| age >= AT_REST) {
            touch(&to, modified)?;
        }
        Ok(taken)
    }

    /// What was in folders that are gone.
    pub(super) fn lost_folders(&self, there: &[OsString]) -> io::Result<Vec<PathBuf>> {
        let there: HashSet<&OsString> = there.iter().collect();
        let mut gone = object_folders(&self.root.join("objects"))?;
        gone.retain(|folder| !there.contains(folder));
        let mut lost = Vec::new();
        for folder in gone {
            let to = self.root.join("objects").join(&folder);
            let own = self.lost(&folder, &HashSet::new(), fs::metadata(&to)?.modified().ok())?;
            if !own.is_empty() {
                touch(&to, SystemTime::now())?;
            }
            lost.extend(own);
        }
        Ok(lost)
    }

    /// What is held of a folder, not there, and has lost its name there since the last look.
    fn lost(
        &self,
        folder: &OsStr,
        there: &HashSet<OsString>,
        since: Option<SystemTime>,
    ) -> io::Result<Vec<PathBuf>> {
        let mut lost = Vec::new();
        for child in fs::read_dir(self.root.join("objects").join(folder))?.flatten() {
            let name = child.file_name();
            if there.contains(&name) {
                continue;
            }
            // The last change of a file's record was that of its names.
            let changed = u64::try_from(Stamp::of(&child.metadata()?).ctime_ns).unwrap_or_default();
            let changed = SystemTime::UNIX_EPOCH + Duration::from_nanos(changed);
            if since.is_none_or(|since| changed > since) {
                lost.push(Path::new(folder).join(name));
            }
        }
        Ok(lost)
    }

    pub(super) fn give_folder_back(&self, folder: &OsStr, gone: bool) -> io::Result<()> {
        let (from, to) = (self.root.join("objects").join(folder), self.origin.join(folder));
        for child in fs::read_dir(&from)?.flatten() {
            let name = child.file_name();
            if is_object(name.as_bytes()) && (gone || to.join(&name).exists()) {
                folders::make(&to)?;
                self.give_back(folder, &name)?;
            }
        }
        Ok(())
    }

    pub(super) fn files(&self) -> io::Result<Vec<(PathBuf, fs::Metadata)>> {
        let mut files = Vec::new();
        for folder in object_folders(&self.root.join("objects"))? {
            let children = fs::read_dir(self.root.join("objects").join(folder))?.flatten();
            files.extend(children.filter_map(|child| Some((child.path(), child.metadata().ok()?))));
        }
        Ok(files)
    }
}

/// What is in a folder; nothing in one that is not there.
pub(super) fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Err(error) if is_absence(&error) => Ok(Vec::new()),
        found => Ok(found?.flatten().map(|child| child.path()).collect()),
    }
}

/// The folders with objects in a repository's folder of them, by their own names.
pub(super) fn object_folders(objects: &Path) -> io::Result<Vec<OsString>> {
    let is_meant = |name: &OsString| {
        let is_lot = name.len() == 2 && name.as_bytes().iter().all(u8::is_ascii_hexdigit);
        is_lot || name == "pack"
    };
    let found = children(objects)?;
    Ok(found.iter().filter_map(|path| Some(path.file_name()?.to_owned())).filter(is_meant).collect())
}

/// Whether a file holds one object.
pub(super) fn is_loose(name: &[u8]) -> bool {
    name.len() >= 38 && name.iter().all(u8::is_ascii_hexdigit)
}

/// Whether a file beside a pack says something by being there.
fn is_mark(name: &[u8]) -> bool {
    name.ends_with(b".promisor")
}

/// Whether a file is there, and nothing is in it: no object is so small.
pub(super) fn is_empty(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
}

/// Whether a file holds objects, and is not on its way or made anew from others.
fn is_object(name: &[u8]) -> bool {
    is_loose(name) || [&b".pack"[..], b".idx", b".rev", b".promisor"].iter().any(|end| name.ends_with(end))
}

/// Gives a file a second name; answers whether it had none. One that went meanwhile, or has it already, is no failure.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists || is_absence(&error) => Ok(false),
        other => other.map(|()| true),
    }
}

/// Gives a folder a time of its last change.
fn touch(folder: &Path, time: SystemTime) -> io::Result<()> {
    File::open(folder)?.set_times(FileTimes::new().set_modified(time))
}
