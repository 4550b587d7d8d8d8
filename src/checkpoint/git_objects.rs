//! Git's objects, held by second names for their files, so that nothing which a repository had is gone when the
//! repository forgets it: `git-objects/{repository}/objects`.
//!
//! Git never changes an object's file, it only removes it; `git clone` on one disk shares them in the same way. So a
//! second name costs no room until git gives the object up; small ones are copied too, see `copies`. Nothing is written
//! into the repository: no reference that `git log --all` would show or a push would take along. The folder is a
//! repository without branches, of which git itself reads objects.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::checkpoint::cache::GitName;
use crate::checkpoint::objects::{Digest, to_hex};
use crate::checkpoint::store::Store;
use crate::project::Project;
use crate::state::folders;
use crate::state::own_file;

mod copies;
mod held;
mod needless;

use held::{RepositoryObjects, object_folders};
use needless::is_derived;

/// A folder that changed later than this before it was read may change again with the same time stamp.
const AT_REST: Duration = Duration::from_millis(50);
/// So many files are taken hold of whatever time it takes.
const LITTLE: usize = 2_000;
/// So many files are copied whatever time it takes.
const FEW: usize = 500;
/// So many objects are asked of git at a time.
const LOT: usize = 256;
const ORIGIN: &str = "origin";
const NO_BRANCH: &str = "ref: refs/heads/none\n";

fn folder(store: &Store) -> PathBuf {
    store.layout().root().join("git-objects")
}

/// What holding a repository's objects found.
#[derive(Debug, Default)]
pub(crate) struct Holding {
    /// Whether all of them are held.
    pub is_whole: bool,
    /// What was destroyed since the last look, by its name in the project and its second one. What git packs anew is
    /// not.
    pub destroyed: Vec<(PathBuf, PathBuf)>,
}

/// Holds the objects in the folder `name` of a repository. Time may end first, and a file system may have no second
/// names, or none for this file.
pub(crate) fn hold(store: &Store, name: &Path, until: Instant) -> io::Result<Holding> {
    let origin = store.path(name);
    let id: String = Digest::of(origin.as_os_str().as_bytes()).to_string().chars().take(16).collect();
    let held = RepositoryObjects { root: folder(store).join(id), origin };
    if !held.root.join(ORIGIN).exists() {
        held.begin()?;
    }
    let there = object_folders(&held.origin)?;
    let mut lost = held.lost_folders(&there)?;
    let (mut taken, mut copied, mut is_packed_anew) = (0, 0, false);
    for folder in there {
        // What is held of an ordinary repository must not depend on how busy the machine is.
        if taken > LITTLE && Instant::now() >= until {
            return Ok(Holding::default());
        }
        let may_copy = |more: usize| copied + more < FEW || Instant::now() < until;
        let own = held.take_in(&folder, &may_copy)?;
        (taken, copied) = (taken + own.files, copied + own.copied);
        is_packed_anew |= own.has_new_pack;
        lost.extend(own.lost);
    }
    if is_packed_anew {
        lost.clear();
    }
    let second = held.root.join("objects");
    let destroyed = lost.iter().map(|own| (name.join(own), second.join(own))).collect();
    Ok(Holding { is_whole: true, destroyed })
}

/// Has `git clean`, which takes what git ignores along with `-x`, pass over the guard's folder: it leaves a folder that
/// is a repository of its own, and this makes it look like one.
pub(crate) fn keep_from_cleaning(store: &Store) -> io::Result<()> {
    let mark = store.layout().root().join(".git");
    if mark.join("HEAD").exists() {
        return Ok(());
    }
    folders::make(&mark.join("refs"))?;
    folders::make(&mark.join("objects"))?;
    fs::write(mark.join("HEAD"), NO_BRANCH)
}

/// The contents of the objects that are held under these names.
pub(crate) fn contents(store: &Store, names: &[GitName]) -> BTreeMap<GitName, Vec<u8>> {
    let mut found = BTreeMap::new();
    // What can't be mended is not found.
    let _ = heal(store);
    for held in all(store) {
        let missing: Vec<&GitName> = names.iter().filter(|name| !found.contains_key(*name)).collect();
        for lot in missing.chunks(LOT) {
            let texts: BTreeMap<String, GitName> = lot.iter().map(|name| (to_hex(*name), **name)).collect();
            let git = Project::at(&held.root).git();
            let contents = git.contents_of_own(texts.keys().map(String::as_str)).unwrap_or_default();
            let known = contents.into_iter().filter_map(|(text, bytes)| Some((*texts.get(&text)?, bytes)));
            found.extend(known);
        }
    }
    found
}

/// Mends held objects from their copies, where something has written into their files. Answers whether something had.
pub(crate) fn heal(store: &Store) -> io::Result<bool> {
    let mut was_damaged = false;
    for held in all(store) {
        was_damaged |= held.heal()?;
    }
    Ok(was_damaged)
}

/// Gives repositories the objects back into which something has written, and with `gone` those too that they no longer
/// have: where `is_there` says so, by the name of their folder of objects.
pub(crate) fn give_back(store: &Store, gone: bool, is_there: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    for held in all(store).into_iter().filter(|held| is_there(&store.name(&held.origin))) {
        for folder in object_folders(&held.root.join("objects"))? {
            held.give_folder_back(&folder, gone)?;
        }
        needless::take_out_damaged(&held.origin)?;
    }
    Ok(())
}

/// Where the repositories have their objects that are held, by name.
pub(crate) fn folders(store: &Store) -> Vec<PathBuf> {
    all(store).iter().map(|held| store.name(&held.origin)).collect()
}

/// Takes the objects out of the folder `name` of a repository that goes: they are held, and come back with it. What is
/// not held stays.
pub(crate) fn take_out(store: &Store, name: &Path) -> io::Result<()> {
    let origin = store.path(name);
    let Some(held) = all(store).into_iter().find(|held| held.origin == origin) else { return Ok(()) };
    for folder in object_folders(&origin)? {
        for child in fs::read_dir(origin.join(&folder))?.flatten() {
            let (path, own) = (child.path(), child.file_name());
            let second = held.root.join("objects").join(&folder).join(&own);
            // An object's name is the hash of its content: of one name and length are the same, also as copies.
            let length = |path: &Path| fs::symlink_metadata(path).map(|file| file.len()).ok();
            let is_held = length(&second).is_some_and(|second| length(&path) == Some(second));
            if is_held || is_derived(&own) {
                fs::remove_file(&path)?;
            }
        }
        // One that is not empty says so when the repository is to go.
        let _ = fs::remove_dir(origin.join(&folder));
    }
    for name in ["packs", "commit-graph"] {
        let _ = fs::remove_file(origin.join("info").join(name));
    }
    let _ = fs::remove_dir(origin.join("info"));
    let _ = fs::remove_dir(&origin);
    Ok(())
}

/// How many bytes are there for this alone: copies, and what its repository has given up.
pub(crate) fn size(store: &Store) -> u64 {
    let of = |held: RepositoryObjects| {
        let given_up = held.files().unwrap_or_default().into_iter().filter(|(_, file)| file.nlink() == 1);
        given_up.map(|(_, file)| file.len()).sum::<u64>() + held.size_of_copies()
    };
    all(store).into_iter().map(of).sum()
}

/// Forgets what repositories gave up longer ago than `age`. Answers how many bytes.
pub(crate) fn forget(store: &Store, age: Duration) -> u64 {
    let mut bytes = 0;
    for held in all(store) {
        for (path, file) in held.files().unwrap_or_default() {
            // The last name but this one went when the file's record changed last.
            let changed = Duration::new(file.ctime().try_into().unwrap_or_default(), 0);
            let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().saturating_sub(changed);
            if file.nlink() == 1 && since >= age && fs::remove_file(&path).is_ok() {
                bytes += file.len();
            }
        }
        // What is not forgotten now is forgotten later.
        let _ = held.forget_copies();
        if !held.origin.exists() && held.files().is_ok_and(|files| files.is_empty()) {
            // What can't be removed is empty.
            let _ = fs::remove_dir_all(&held.root);
        }
    }
    bytes
}

fn all(store: &Store) -> Vec<RepositoryObjects> {
    let Ok(children) = fs::read_dir(folder(store)) else { return Vec::new() };
    let held = children.flatten().filter_map(|child| {
        let root = child.path();
        let origin = own_file::read(&root.join(ORIGIN)).ok()?;
        Some(RepositoryObjects { root, origin: PathBuf::from(std::ffi::OsString::from_vec(origin)) })
    });
    held.collect()
}
