//! A repository in the tree: which files have their content in it, so that the name that git has for it is enough.
//!
//! Invariant: a name is given only where git itself would take the file for unchanged without reading it, and where the
//! file has the same bytes as git's object.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::checkpoint::cache::{ChildRecord, GitName};
use crate::checkpoint::node::Node;
use crate::project::Git;
use crate::project::index::{self, IndexEntry};
use crate::state::own_file;

/// The longest index that is read, in bytes: half a million files.
const LONGEST_INDEX: u64 = 64 << 20;
/// Attributes by which a file's bytes are made from git's, and are others.
const CONVERTING: [&str; 3] = ["filter=", "ident", "working-tree-encoding="];
const ATTRIBUTES: &str = ".gitattributes";

/// A working tree and the repository's own folder.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    top: PathBuf,
    git: PathBuf,
    table: OnceLock<Option<Table>>,
    /// The names of the tracked files, in order, where only git can read the index.
    asked: OnceLock<Vec<Vec<u8>>>,
}

/// The tracked files, in the order of their names.
#[derive(Debug, Default)]
struct Table {
    names: Vec<u8>,
    rows: Vec<IndexRow>,
    /// When git last wrote it: what was changed later may have changed again at the same time.
    written_ns: i64,
    /// Whether git's objects have the bytes of the files.
    is_plain: bool,
}

#[derive(Debug)]
struct IndexRow {
    name: (usize, usize),
    mtime_ns: i64,
    ctime_ns: i64,
    inode: u32,
    size: u32,
    is_plain: bool,
    id: GitName,
}

/// The folders of the repository around `project` that are not below it.
pub(crate) fn folders_elsewhere(project: &Path) -> Vec<PathBuf> {
    let Some(repository) = Repository::around(project) else { return Vec::new() };
    let common = own_file::read_text(&repository.git.join("commondir")).ok();
    let common = common.map(|common| repository.git.join(common.trim()));
    let mut folders: Vec<PathBuf> = common
        .into_iter()
        .chain([repository.git])
        .filter_map(|folder| fs::canonicalize(folder).ok())
        .collect();
    // A file that leads anywhere makes nothing git's own.
    folders.retain(|folder| !folder.starts_with(project) && is_repositorys(folder));
    // The own folder of a working tree is mostly in that which all of them share.
    if let [common, own] = folders.as_slice()
        && own.starts_with(common)
    {
        folders.truncate(1);
    }
    folders
}

impl Repository {
    /// The repository at or above `folder`.
    pub(crate) fn around(folder: &Path) -> Option<Repository> {
        let top = folder.ancestors().find(|above| fs::symlink_metadata(above.join(".git")).is_ok())?;
        let mark = top.join(".git");
        let git = if mark.is_dir() {
            mark
        } else {
            let text = own_file::read_text(&mark).ok()?;
            top.join(text.strip_prefix("gitdir:")?.trim())
        };
        Some(Repository { top: top.to_owned(), git, ..Repository::default() })
    }

    /// What git has the content of the file at `path` as, which is on the disk as `record` says.
    pub(crate) fn git_name(&self, path: &Path, record: &ChildRecord) -> Option<GitName> {
        let table = self.table().filter(|table| table.is_plain)?;
        let row = table.row(path.strip_prefix(&self.top).ok()?.as_os_str().as_bytes())?;
        let Node::File { size, .. } = record.node else { return None };
        let stamp = &record.stamp;
        let is_untouched = row.is_plain
            && u64::from(row.size) == size
            && row.mtime_ns == stamp.mtime_ns
            && row.ctime_ns == stamp.ctime_ns
            && u64::from(row.inode) == stamp.inode & u64::from(u32::MAX)
            && row.mtime_ns < table.written_ns;
        is_untouched.then_some(row.id)
    }

    /// Whether git tracks the file at `path`, or one below it.
    pub(crate) fn tracks(&self, path: &Path) -> bool {
        let Ok(name) = path.strip_prefix(&self.top) else { return false };
        let name = name.as_os_str().as_bytes();
        match self.table() {
            Some(table) => {
                let from = table.rows.partition_point(|row| table.name(row) < name);
                is_first_or_above(name, table.rows.iter().skip(from).map(|row| table.name(row)))
            }
            None => {
                let from = self.asked().partition_point(|known| known.as_slice() < name);
                is_first_or_above(name, self.asked().iter().skip(from).map(Vec::as_slice))
            }
        }
    }

    /// What git says is in an index that is in two files, or of a form that isn't understood here.
    fn asked(&self) -> &[Vec<u8>] {
        self.asked.get_or_init(|| {
            let files = Git::at(&self.top).tracked(&[]).unwrap_or_default();
            let names = files.iter().filter_map(|file| file.strip_prefix(&self.top).ok());
            let mut names: Vec<Vec<u8>> = names.map(|name| name.as_os_str().as_bytes().to_vec()).collect();
            names.sort_unstable();
            names
        })
    }

    fn table(&self) -> Option<&Table> {
        self.table.get_or_init(|| self.read()).as_ref()
    }

    fn read(&self) -> Option<Table> {
        let file = self.git.join("index");
        let written = fs::metadata(&file).ok()?;
        let bytes = own_file::read_within(&file, LONGEST_INDEX).ok()?;
        let mut table = Table {
            written_ns: written.mtime() * 1_000_000_000 + written.mtime_nsec(),
            is_plain: !is_converting(&self.git.join("info/attributes")),
            ..Table::default()
        };
        let mut attributes = Vec::new();
        index::entries(&bytes, &mut |entry| table.add(entry, &mut attributes))?;
        let top = |name: &Vec<u8>| self.top.join(Path::new(std::ffi::OsStr::from_bytes(name)));
        table.is_plain &= !attributes.iter().any(|name| is_converting(&top(name)));
        Some(table)
    }
}

impl Table {
    fn add(&mut self, entry: &IndexEntry<'_>, attributes: &mut Vec<Vec<u8>>) {
        if entry.name.ends_with(ATTRIBUTES.as_bytes()) {
            attributes.push(entry.name.to_vec());
        }
        let name = (self.names.len(), entry.name.len());
        self.names.extend_from_slice(entry.name);
        self.rows.push(IndexRow {
            name,
            mtime_ns: entry.mtime_ns,
            ctime_ns: entry.ctime_ns,
            inode: entry.inode,
            size: entry.size,
            is_plain: entry.is_plain(),
            id: entry.id,
        });
    }

    fn name(&self, row: &IndexRow) -> &[u8] {
        let (start, length) = row.name;
        self.names.get(start..start + length).unwrap_or_default()
    }

    fn row(&self, name: &[u8]) -> Option<&IndexRow> {
        let at = self.rows.binary_search_by(|row| self.name(row).cmp(name)).ok()?;
        self.rows.get(at)
    }
}

/// Whether `name`, or one below it, is among names in order that begin with the first which is not before it.
fn is_first_or_above<'a>(name: &[u8], rest: impl Iterator<Item = &'a [u8]>) -> bool {
    // Between a file and what is in a folder of the same name come others that begin with it.
    let mut begins = rest.take_while(|other| other.starts_with(name));
    begins.any(|other| matches!(other.get(name.len()), None | Some(b'/')))
}

/// Whether a folder is that of a repository, or the own one of a working tree.
fn is_repositorys(folder: &Path) -> bool {
    let is_common = folder.join("objects").is_dir() && folder.join("refs").is_dir();
    is_common || (folder.join("HEAD").is_file() && folder.join("commondir").is_file())
}

/// Whether a file of attributes has bytes made from others. One that can't be read may say so.
fn is_converting(attributes: &Path) -> bool {
    match own_file::read(attributes) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            text.split_whitespace().any(|word| CONVERTING.iter().any(|it| word.starts_with(it)))
        }
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_repository_is_none_of_gits_own() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        let (project, other) = (place.join("project"), place.join("other"));
        for folder in [&project, &other.join("own"), &other.join("objects")] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(project.join(".git"), "gitdir: ../other/own\n").unwrap();
        assert_eq!(folders_elsewhere(&project), [] as [PathBuf; 0], "some folder");
        fs::write(other.join("own/HEAD"), "ref: refs/heads/own\n").unwrap();
        fs::write(other.join("own/commondir"), "..\n").unwrap();
        assert_eq!(folders_elsewhere(&project), [other.join("own")], "what it names is none");
        fs::create_dir_all(other.join("refs")).unwrap();
        assert_eq!(folders_elsewhere(&project), std::slice::from_ref(&other), "a working tree's repository");
        fs::write(project.join(".git"), "gitdir: ..\n").unwrap();
        assert_eq!(folders_elsewhere(&project), [] as [PathBuf; 0], "the folder that the project is in");
    }
}
