//! What was there at the last look, of all that is not the same at this one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkpoint::cache::{ChildRecord, GitName, TreeCache};
use crate::checkpoint::git_objects;
use crate::checkpoint::node::{Entry, Node, Skipped};
use crate::checkpoint::scan::TreeScan;
use crate::checkpoint::store::Store;
use crate::state::atomic::Durability;

/// The most files, and bytes, that are fetched from git's objects; the names of others are told.
const MOST: usize = 4_000;
const MOST_BYTES: u64 = 128 << 20;
/// The most of git's objects, and their bytes, that are kept besides being held.
const MOST_DESTROYED: usize = 500;
const MOST_DESTROYED_BYTES: u64 = 16 << 20;
/// What git gives a folder of objects.
const FOLDER_MODE: u32 = 0o755;
const UNKEPT: &str = "it was too large, or there was no time to keep it before the call";

/// What was there.
#[derive(Debug, Default)]
pub(super) struct NetBaseline {
    pub entries: Vec<Entry>,
    /// What was there and is not known.
    pub unkept: Vec<Skipped>,
}

impl NetBaseline {
    pub(super) fn of(store: &Store, cache: &TreeCache, scan: &TreeScan) -> NetBaseline {
        let mut before = NetBaseline::default();
        let mut at_git: Vec<(PathBuf, GitName, ChildRecord)> = Vec::new();
        let mode = cache.mode().filter(|mode| *mode != scan.mode);
        let hidden = scan.hidden();
        before.entries.extend(mode.map(|mode| Entry::new(PathBuf::new(), Node::Directory { mode })));
        for name in &scan.changed {
            match cache.record(name) {
                Some(record) if record.is_hidden() => {}
                Some(ChildRecord { node: Node::Other, .. }) => before.leave(name, UNKEPT.to_owned()),
                Some(ChildRecord { git: Some(git), node, stamp, .. }) => {
                    let record =
                        ChildRecord { name: Default::default(), node, stamp, at_rest: false, git: None };
                    at_git.push((name.clone(), git, record));
                }
                Some(record) => before.entries.push(Entry::new(name.clone(), record.node)),
                // A folder of which nobody knows what is in it is not taken away.
                None if hidden.contains(name.as_path()) && store.path(name).is_dir() => {}
                None if is_known_absent(cache, name) => {
                    before.entries.push(Entry::new(name.clone(), Node::Absent));
                }
                None => {}
            }
        }
        before.fetch(store, at_git);
        before
    }

    /// Takes in objects that were destroyed in a repository, with the folders that they were in. All that are held come
    /// back as soon as one does, so a few are enough to say so.
    pub(super) fn take_destroyed(&mut self, store: &Store, destroyed: &[(PathBuf, PathBuf)]) {
        let mut bytes = 0;
        let mut folders = BTreeSet::new();
        for (number, (name, second)) in destroyed.iter().enumerate() {
            let Ok(file) = fs::symlink_metadata(second) else { continue };
            bytes += file.len();
            if number > 0 && (number >= MOST_DESTROYED || bytes > MOST_DESTROYED_BYTES) {
                break;
            }
            let Ok((sha256, size)) = store.objects().keep_file(second, Durability::Process) else { continue };
            self.entries.push(Entry::new(name.clone(), Node::File { sha256, size, mode: Node::mode(&file) }));
            folders.extend(name.parent().filter(|folder| !store.path(folder).exists()).map(Path::to_owned));
        }
        let mode = FOLDER_MODE;
        self.entries.extend(folders.into_iter().map(|folder| Entry::new(folder, Node::Directory { mode })));
    }

    fn leave(&mut self, name: &Path, reason: String) {
        self.unkept.push(Skipped { path: name.to_owned(), reason });
    }

    /// Keeps what only git's objects have.
    fn fetch(&mut self, store: &Store, at_git: Vec<(PathBuf, GitName, ChildRecord)>) {
        let mut bytes = 0;
        let mut wanted = Vec::new();
        for (number, (name, git, record)) in at_git.into_iter().enumerate() {
            let Node::File { size, mode, .. } = record.node else { continue };
            bytes += size;
            if number >= MOST || bytes > MOST_BYTES {
                let text = crate::checkpoint::objects::to_hex(&git);
                self.leave(&name, format!("too much changed at once; git has it as {text}"));
            } else {
                wanted.push((name, git, size, mode));
            }
        }
        let names: Vec<GitName> = wanted.iter().map(|(_, git, ..)| *git).collect();
        let contents = if names.is_empty() { BTreeMap::new() } else { git_objects::contents(store, &names) };
        for (name, git, size, mode) in wanted {
            let bytes = contents.get(&git).and_then(|bytes| as_on_disk(bytes, size));
            let kept = bytes.and_then(|bytes| store.objects().keep(&bytes, Durability::Process).ok());
            match kept {
                Some((sha256, size)) => {
                    self.entries.push(Entry::new(name, Node::File { sha256, size, mode }));
                }
                None => self.leave(&name, "git had it, and has it no more".to_owned()),
            }
        }
    }
}

/// Whether the last look would have seen something at `name`: it looked into the folder, or knew of no such folder, or
/// of a file or a link in the place of one.
pub(super) fn is_known_absent(cache: &TreeCache, name: &Path) -> bool {
    let full = name;
    let mut name = name;
    while let Some(above) = name.parent() {
        if cache.folder(above).is_some() {
            return cache.record(name).is_none_or(|record| {
                name != full && matches!(record.node, Node::File { .. } | Node::Symlink { .. })
            });
        }
        name = above;
    }
    false
}

/// The bytes of a file of `size` bytes for which git has `object`: with other line ends where git changed them.
fn as_on_disk(object: &[u8], size: u64) -> Option<Vec<u8>> {
    if object.len() as u64 == size {
        return Some(object.to_vec());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).ok()?);
    for byte in object {
        if *byte == b'\n' {
            bytes.push(b'\r');
        }
        bytes.push(*byte);
    }
    (bytes.len() as u64 == size).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_as_they_were_or_nothing_is_said() {
        assert_eq!(as_on_disk(b"a\nb\n", 4).as_deref(), Some(&b"a\nb\n"[..]));
        assert_eq!(as_on_disk(b"a\nb\n", 6).as_deref(), Some(&b"a\r\nb\r\n"[..]));
        assert_eq!(as_on_disk(b"a\nb\n", 5), None);
    }
}
