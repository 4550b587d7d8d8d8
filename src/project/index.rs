//! What is in git's index, read without git: no process, and no answer that depends on how busy the machine is.
//!
//! Invariant: an index with anything that isn't understood here gives nothing, and then git itself is asked.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::git::Git;
use super::paths::{bytes_path, path_bytes};
use crate::state::own_file;

/// The longest index that is read, in bytes: half a million files.
const LONGEST_INDEX: u64 = 64 * 1024 * 1024;
/// Before the first entry: signature, version, number of entries.
const HEAD: usize = 12;
/// What an entry begins with: times, device, inode, mode, owner, size, the object's id, and at last the flags.
const FIXED: usize = 62;
/// Where the mode stands in it.
const MODE: usize = 24;
/// A flag: two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;
/// The bits that hold a name's length; a longer name has all of them.
const LENGTH: u16 = 0x0fff;
/// What follows the entries: the extensions, and 20 bytes of hash.
const HASH: usize = 20;

impl Git {
    /// The tracked files at and under `paths`, as the index names them; `None` where it can't be read here.
    pub(super) fn indexed(&self, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let top = self.top()?;
        let here = [self.directory.clone()];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let mut wanted = paths
            .iter()
            .map(|path| path.strip_prefix(top).map(path_bytes).ok())
            .collect::<Option<Vec<Vec<u8>>>>()?;
        wanted.sort();
        let names = names(&self.index_bytes()?, &mut |name| is_wanted(&wanted, name))?;
        Some(names.into_iter().map(|name| top.join(bytes_path(&name))).collect())
    }

    /// The files that git was told not to look at, relative to the directory; `None` where the index can't be read here.
    pub(super) fn indexed_unseen(&self) -> Option<Vec<PathBuf>> {
        let top = self.top()?;
        let below = path_bytes(self.directory.strip_prefix(top).ok()?);
        let mut unseen = Vec::new();
        entries(&self.index_bytes()?, &mut |entry| {
            let inside = entry.name.strip_prefix(below.as_slice());
            let inside = inside.map(|name| name.strip_prefix(b"/").unwrap_or(name));
            if let Some(name) = inside.filter(|_| entry.is_unseen()) {
                unseen.push(bytes_path(name));
            }
        })?;
        Some(unseen)
    }

    /// The tracked files among `paths` whose stat is not the one that git saw last: only these can differ from the index.
    /// `None` where it can't be read here.
    pub fn may_differ(&self, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let top = self.top()?;
        let named = |path: &PathBuf| Some((path_bytes(path.strip_prefix(top).ok()?), path.clone()));
        let wanted: HashMap<Vec<u8>, PathBuf> = paths.iter().filter_map(named).collect();
        let mut found = Vec::new();
        entries(&self.index_bytes()?, &mut |entry| {
            let Some(path) = wanted.get(entry.name) else { return };
            let is_as_seen = path.symlink_metadata().is_ok_and(|now| {
                let time = now.mtime().wrapping_mul(1_000_000_000).wrapping_add(now.mtime_nsec());
                u64::from(entry.size) == now.size() && entry.mtime_ns == time
            });
            if !is_as_seen {
                found.push(path.clone());
            }
        })?;
        Some(found)
    }

    fn index_bytes(&self) -> Option<Vec<u8>> {
        let file = match &self.index {
            Some(index) => index.clone(),
            None => self.git_directory()?.join("index"),
        };
        own_file::read_within(&file, LONGEST_INDEX).ok()
    }
}

/// Whether a name is one of `wanted`, or below one; these are in order.
fn is_wanted(wanted: &[Vec<u8>], name: &[u8]) -> bool {
    let has = |part: &[u8]| wanted.binary_search_by(|known| known.as_slice().cmp(part)).is_ok();
    let folders = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    has(b"") || has(name) || folders.filter_map(|(at, _)| name.get(..at)).any(has)
}

/// A file as git's index has it.
#[derive(Debug, Clone, Copy)]
pub struct IndexEntry<'a> {
    /// Its name from the top of the working tree.
    pub name: &'a [u8],
    /// What a stat said when git looked last: times in nanoseconds since 1970, number and size as far as they fit.
    pub mtime_ns: i64,
    /// As `mtime_ns`, of content or permissions.
    pub ctime_ns: i64,
    /// The file's number.
    pub inode: u32,
    /// Bytes.
    pub size: u32,
    /// Its kind and permissions.
    pub mode: u32,
    /// The name of its content.
    pub id: [u8; 20],
    /// What git keeps of it besides: its stage, and whether it looks at the file at all.
    pub flags: u16,
    /// More of that, in newer indexes.
    pub more_flags: u16,
}

impl IndexEntry<'_> {
    /// Whether git looks at the file, and it is in no conflict.
    pub fn is_plain(&self) -> bool {
        const STAGE_OR_ASSUMED: u16 = 0xb000;
        self.flags & STAGE_OR_ASSUMED == 0 && self.more_flags == 0 && self.mode >> 12 == 0o10
    }

    /// Whether git was told not to look at the file (`assume-unchanged`, `skip-worktree`).
    fn is_unseen(&self) -> bool {
        const ASSUMED: u16 = 0x8000;
        const SKIPPED: u16 = 0x4000;
        self.flags & ASSUMED != 0 || self.more_flags & SKIPPED != 0
    }
}

/// The names of an index that are wanted, each once.
fn names(index: &[u8], wanted: &mut dyn FnMut(&[u8]) -> bool) -> Option<Vec<Vec<u8>>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    entries(index, &mut |entry| {
        if wanted(entry.name) && found.last().is_none_or(|last| last != entry.name) {
            found.push(entry.name.to_vec());
        }
    })?;
    Some(found)
}

/// What git says is in `index`, in place of the one at `own` of the same repository.
pub fn told(own: &Path, index: &Path) -> Option<Vec<u8>> {
    let git = Git { index: Some(index.to_owned()), ..Git::at(own.parent()?) };
    git.ask(&["--git-dir=.", "--work-tree=.", "ls-files", "--stage", "-v", "-z"])
}

/// Reads all entries of an index; `None` when anything in it isn't understood.
pub fn entries(index: &[u8], each: &mut dyn FnMut(&IndexEntry<'_>)) -> Option<()> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_be_bytes(index.get(at..at + 2)?.try_into().ok()?));
    let time = |at: usize| Some(i64::from(number(at)?) * 1_000_000_000 + i64::from(number(at + 4)?));
    let (version, count) = (number(4)?, number(8)?);
    if !index.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    let mut name: Vec<u8> = Vec::new();
    let mut at = HEAD;
    for _ in 0..count {
        let flags = short(at + FIXED - 2)?;
        let is_extended = flags & EXTENDED != 0;
        // A folder stands in the index of a sparse checkout; only git can say what is in it.
        let mode = number(at + MODE)?;
        if !matches!(mode >> 12, 0o10 | 0o12 | 0o16) || (is_extended && version == 2) {
            return None;
        }
        let mut start = at + FIXED + if is_extended { 2 } else { 0 };
        if version == 4 {
            let (dropped, used) = varint(index.get(start..)?)?;
            start += used;
            name.truncate(name.len().checked_sub(dropped)?);
        } else {
            name.clear();
        }
        let length = index.get(start..)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(index.get(start..start + length)?);
        // Another kind of hash has longer ids, and then nothing is where it is looked for.
        let said = usize::from(flags & LENGTH);
        if name.is_empty() || (said != name.len() && said != usize::from(LENGTH)) {
            return None;
        }
        each(&IndexEntry {
            name: &name,
            ctime_ns: time(at)?,
            mtime_ns: time(at + 8)?,
            inode: number(at + 20)?,
            size: number(at + 36)?,
            mode,
            id: index.get(at + 40..at + 60)?.try_into().ok()?,
            flags: flags & !LENGTH & !EXTENDED,
            more_flags: if is_extended { short(at + FIXED)? } else { 0 },
        });
        at = match version {
            4 => start + length + 1,
            // Padded with at least one zero to a multiple of eight.
            _ => at + ((start - at + length) / 8 + 1) * 8,
        };
    }
    holds_all(index.get(at..)?).then_some(())
}

/// Whether what follows the entries says that there are no others in another file.
fn holds_all(mut rest: &[u8]) -> bool {
    while rest.len() > HASH {
        let Some((head, more)) = rest.split_at_checked(8) else { return false };
        let [name @ .., _, _, _, _] = head else { return false };
        let Some(length) = head.get(4..).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
        else {
            return false;
        };
        // `link` is a split index; extensions in small letters must be understood.
        if name.first().is_none_or(|first| !first.is_ascii_uppercase()) {
            return false;
        }
        let Some(next) = usize::try_from(length).ok().and_then(|length| more.get(length..)) else {
            return false;
        };
        rest = next;
    }
    rest.len() == HASH
}

/// A number as version 4 writes it, and how many bytes it takes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (at, byte) in bytes.iter().take(9).enumerate() {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    fn git(root: &Path, arguments: &[&str]) {
        let status = Command::new("git").current_dir(root).args(arguments).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    fn repository(options: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        git(&root, &[&["init", "-q", "-b", "main"][..], options].concat());
        for name in ["a.txt", "src/b.txt", "src/deep/ö x.txt", "src-old/c.txt", "srcs", &"long/".repeat(40)]
        {
            let file = root.join(name).join("f");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, name).unwrap();
        }
        git(&root, &["add", "-A"]);
        (directory, root)
    }

    fn as_git_says(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
        let asked = Git::at(root);
        let output = asked.ask_paths(&["ls-files", "-z"], paths).unwrap();
        crate::project::paths::split_paths(&output, root)
    }

    #[test]
    fn the_index_is_read_as_git_reads_it_in_each_version() {
        let (_directory, root) = repository(&[]);
        for version in ["2", "3", "4"] {
            git(&root, &["update-index", "--index-version", version]);
            git(&root, &["update-index", "--force-remove", "srcs/f"]);
            git(&root, &["add", "-N", "srcs/f"]);
            for paths in [
                vec![],
                vec![root.clone()],
                vec![root.join("src")],
                vec![root.join("src/deep"), root.join("a.txt"), root.join("none")],
                vec![root.join("a.txt/f")],
                vec![root.join("sr")],
            ] {
                let expected = as_git_says(&root, &paths);
                assert_eq!(Git::at(&root).indexed(&paths), Some(expected), "{version} {paths:?}");
            }
        }
        assert_eq!(Git::at(&root.join("src")).indexed(&[]).map(|files| files.len()), Some(2));
        assert_eq!(Git::at(&root).indexed(&[PathBuf::from("/elsewhere")]), None);
    }

    #[test]
    fn what_is_not_understood_is_left_to_git() {
        let (_directory, root) = repository(&["--object-format=sha256"]);
        assert_eq!(Git::at(&root).indexed(&[]), None);
        let (_directory, root) = repository(&[]);
        git(&root, &["update-index", "--split-index"]);
        assert_eq!(Git::at(&root).indexed(&[]), None);
        assert_eq!(Git::at(&root).tracked(&[]).map(|files| files.len()), Some(6), "git says it");
    }

    #[test]
    fn a_damaged_index_gives_nothing() {
        let (_directory, root) = repository(&[]);
        let bytes = fs::read(root.join(".git/index")).unwrap();
        for end in 0..bytes.len() {
            assert_eq!(names(&bytes[..end], &mut |_| true), None, "{end}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let _ = names(&damaged, &mut |_| true);
        }
    }
}
