//! Where a target of a command is, and what it names on the disk.
//!
//! What is in a folder is looked at by `listing`, within bounds.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::detectors::commands::destructive_command::Place;
use crate::hosts::hook_files;
pub(crate) use crate::lifecycle::call::shell_call::listing::MOST_FILES;
use crate::lifecycle::call::shell_call::names::{is_guard_program, is_system_of_a_drive, names_repository};
use crate::lifecycle::call::shell_call::temporary;
use crate::lifecycle::call::shell_call::true_case::true_case;
use crate::state::witness;

/// System folders that are the system with all that is in them.
const SYSTEM_TREES: &[&str] =
    &["etc", "usr", "bin", "sbin", "lib", "lib64", "boot", "sys", "proc", "System", "Library"];
/// Folders that are the system themselves; what is in them belongs to somebody.
const SYSTEM_FOLDERS: &[&str] =
    &["var", "opt", "home", "Users", "root", "Applications", "srv", "mnt", "media", "run", "dev"];
/// Folders below a home that hold caches.
const HOME_CACHES: &[&str] =
    &[".cache", ".npm", "Library/Caches", ".cargo/registry", ".gradle/caches", ".m2/repository"];

/// What the judgement of places needs to know.
pub(crate) struct Surroundings {
    /// The project's root with symbolic links resolved.
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    temporary: Vec<PathBuf>,
    /// Where the guard keeps what it knows outside of projects.
    witnesses: Option<PathBuf>,
    /// The guard's own files, looked at once.
    own_files: OnceCell<HashSet<(u64, u64)>>,
}

impl Surroundings {
    pub(crate) fn new(root: &Path, home: &Path) -> Self {
        Surroundings {
            root: real(root),
            home: real(home),
            temporary: temporary::folders(),
            witnesses: witnesses(),
            own_files: OnceCell::new(),
        }
    }

    /// Whether a path is one of the temporary folders itself.
    pub(crate) fn is_temporary_folder(&self, path: &Path) -> bool {
        self.temporary.iter().any(|folder| folder == path)
    }

    /// Where a path is whose links are resolved.
    pub(crate) fn place(&self, path: &Path) -> Place {
        let path = &true_case(path.to_path_buf());
        let is_own = |file| self.own_files.get_or_init(|| own_files(&self.root)).contains(&file);
        if of_several_names(path).is_some_and(is_own) {
            return Place::GuardState;
        }
        if self.witnesses.as_ref().is_some_and(|place| path.starts_with(place)) {
            return Place::GuardState;
        }
        if is_guard_program(path) {
            return Place::GuardProgram;
        }
        if path == Path::new("/proc/sysrq-trigger") {
            return Place::Device;
        }
        if self.is_system(path) || is_system_of_a_drive(path) {
            return Place::System;
        }
        if self.root.starts_with(path) {
            return Place::Root;
        }
        if path.starts_with("/dev") && !path.starts_with("/dev/shm") {
            return Place::Device;
        }
        if let Ok(inside) = path.strip_prefix(&self.root) {
            return self.inside(inside);
        }
        let below_home = path.strip_prefix(&self.home).ok();
        // A home may be temporary too: what calls the hook counts there all the same.
        if below_home.is_some_and(hook_files::is_hook_file) {
            return Place::HostSettings;
        }
        if self.temporary.iter().any(|folder| path.starts_with(folder) && path != folder) {
            return Place::Temporary;
        }
        match below_home {
            Some(below) if HOME_CACHES.iter().any(|cache| below.starts_with(cache)) => Place::Output,
            _ if names_repository(path) => Place::Repository,
            _ => Place::Outside,
        }
    }

    /// Whether a folder outside of the project holds the guard's program or what it keeps outside of projects.
    pub(crate) fn holds_guard(&self, folder: &Path) -> bool {
        const BELOW: &[&str] = &["", "bin", ".local/bin"];
        self.witnesses.as_ref().is_some_and(|place| place.starts_with(folder))
            || BELOW.iter().any(|below| folder.join(below).join("steadfast-hook").is_file())
    }

    fn inside(&self, inside: &Path) -> Place {
        // The session's own state comes to stand there before its first call runs, whether it is there now or not.
        if inside.starts_with(".aiwg/ralph") || inside == Path::new(".aiwg") {
            return Place::GuardState;
        }
        if hook_files::is_hook_file(inside)
            || hook_files::hook_files_in(inside).any(|file| self.root.join(file).exists())
        {
            return Place::HostSettings;
        }
        match names_repository(inside) {
            // A stale lock is removed so that git works again.
            true if inside.extension() == Some(OsStr::new("lock")) => Place::Output,
            true => Place::Repository,
            false => Place::Project,
        }
    }

    fn is_system(&self, path: &Path) -> bool {
        let mut names = path.components().filter_map(|component| match component {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        let (first, more) = (names.next(), names.next().is_some());
        match first {
            None => path.is_absolute(),
            Some(_) if path == self.home => true,
            // The project may be below such a folder (`/usr/src/app`): its own files are not the system.
            Some(_) if path.starts_with(&self.root) => false,
            Some(first) => {
                let named = |list: &[&str]| list.iter().any(|name| first == OsStr::new(name));
                (named(SYSTEM_TREES)
                    && path.is_absolute()
                    && !self.temporary.iter().any(|t| path.starts_with(t)))
                    || (named(SYSTEM_FOLDERS) && !more)
            }
        }
    }
}

/// The guard's own folder in the user's state directory.
fn witnesses() -> Option<PathBuf> {
    witness::known_place()?.parent().map(real)
}

/// Whether a path is in the guard's own folder in the user's state directory.
pub(in crate::lifecycle) fn is_witness(path: &Path) -> bool {
    witnesses().is_some_and(|place| path.starts_with(place))
}

/// Whether a file is one of the guard's own by a second name on the disk.
pub(in crate::lifecycle) fn is_state_by_another_name(root: &Path, path: &Path) -> bool {
    of_several_names(path).is_some_and(|file| own_files(root).contains(&file))
}

/// The device and inode of a file that has more than one name; only such a one costs a look at the guard's own.
fn of_several_names(path: &Path) -> Option<(u64, u64)> {
    let file = path.symlink_metadata().ok().filter(|found| found.is_file() && found.nlink() > 1)?;
    Some((file.dev(), file.ino()))
}

/// The guard's own files below a project, each as its device and inode.
fn own_files(root: &Path) -> HashSet<(u64, u64)> {
    let state = root.join(".aiwg/ralph");
    let folders =
        |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_loops = folders(&state.join("loops")).flat_map(|one| folders(&one).collect::<Vec<_>>());
    let all = folders(&state).chain(of_loops).take(MOST_FILES);
    all.filter_map(|own| own.symlink_metadata().ok()).map(|own| (own.dev(), own.ino())).collect()
}

/// A path with its links resolved as far as it exists.
pub(in crate::lifecycle) fn real(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    let mut here = path;
    loop {
        if let Ok(found) = here.canonicalize() {
            return missing.iter().rev().fold(found, |path: PathBuf, name: &&OsStr| path.join(name));
        }
        match (here.parent(), here.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name);
                here = parent;
            }
            _ => return path.to_path_buf(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifecycle::call::shell_call::disk::Disk;
    use std::fs;

    #[test]
    fn places_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap().join("project");
        fs::create_dir_all(root.join(".aiwg/ralph")).unwrap();
        let surroundings = Surroundings::new(&root, Path::new("/home/ada"));
        for (path, expected) in [
            (root.join("src/a.ts"), Place::Project),
            (root.clone(), Place::Root),
            (root.parent().unwrap().to_path_buf(), Place::Root),
            (root.join(".git/config"), Place::Repository),
            (root.join(".git/index.lock"), Place::Output),
            (root.join(".aiwg/ralph/registry.json"), Place::GuardState),
            (root.join(".aiwg/ralph/registry.json.bak"), Place::GuardState),
            (root.join(".aiwg"), Place::GuardState),
            (root.join(".claude/settings.local.json"), Place::HostSettings),
            (root.join(".codex/hooks.json"), Place::HostSettings),
            (root.join(".github/hooks/other.json"), Place::Project),
            (root.join("../other"), Place::Temporary),
            (PathBuf::from("/tmp/x"), Place::Temporary),
            (PathBuf::from("/"), Place::System),
            (PathBuf::from("/etc/hosts"), Place::System),
            (PathBuf::from("/home/ada"), Place::System),
            (PathBuf::from("/home/ada/work"), Place::Outside),
            (PathBuf::from("/home/ada/.cache/x"), Place::Output),
            (PathBuf::from("/home/ada/.claude/settings.json"), Place::HostSettings),
            (PathBuf::from("/dev/sda"), Place::Device),
            (PathBuf::from("/srv/data"), Place::Outside),
        ] {
            let path =
                Disk::default().real_parent(&crate::shell::resolve(Path::new("/"), &path.to_string_lossy()));
            assert_eq!(surroundings.place(&path), expected, "{path:?}");
        }
    }
}
