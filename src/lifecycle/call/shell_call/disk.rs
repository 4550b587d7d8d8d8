//! The disk as one call sees it: links resolved and patterns expanded, each folder looked at once.
//!
//! A text can name the same folder thousands of times; what is asked of the disk grows with the folders it names, and
//! how much is listed and compared in all is bounded by count. A bound that is met is said, never hidden.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::lifecycle::call::shell_call::listing::MOST_ENTRIES;
use crate::lifecycle::call::shell_call::pattern::{GlobPattern, is_pattern};
use crate::lifecycle::call::shell_call::place::real;
use crate::project::{Dirty, Git};

/// The most names that the patterns of one call are compared with.
const MOST_COMPARED: usize = 40_000;

/// An entry of a folder: its name, and whether it is a folder that patterns go down into.
type Entries = Rc<[(String, PathBuf, bool)]>;

/// What was looked at so far.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    real_folders: RefCell<HashMap<PathBuf, PathBuf>>,
    expanded: RefCell<HashMap<PathBuf, Rc<[PathBuf]>>>,
    listed: RefCell<HashMap<PathBuf, Entries>>,
    changed: RefCell<HashMap<PathBuf, Option<Vec<Dirty>>>>,
    looked: Cell<usize>,
    compared: Cell<usize>,
}

impl Disk {
    /// A path with its links resolved as far as it exists.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let end = self.real_parent(path);
        let leads_on =
            path.file_name().is_some() && end.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if leads_on { real(path) } else { end }
    }

    /// A path with the links of its folder resolved: what a deletion acts on is the link itself.
    pub(crate) fn real_parent(&self, path: &Path) -> PathBuf {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return real(path) };
        if let Some(found) = self.real_folders.borrow().get(parent) {
            return found.join(name);
        }
        let found = real(parent);
        let end = found.join(name);
        self.real_folders.borrow_mut().insert(parent.to_path_buf(), found);
        end
    }

    /// What a pattern names on the disk; `None` when there is more to look at than may be.
    pub(crate) fn expand(&self, pattern: &Path) -> Option<Rc<[PathBuf]>> {
        if let Some(found) = self.expanded.borrow().get(pattern) {
            return Some(Rc::clone(found));
        }
        let found: Rc<[PathBuf]> = self.look_up(pattern)?.into();
        self.expanded.borrow_mut().insert(pattern.to_path_buf(), Rc::clone(&found));
        Some(found)
    }

    /// What is changed in the whole of git's working tree.
    pub(crate) fn changed(&self, git: &Git) -> Option<Vec<Dirty>> {
        let top = git.top()?.to_path_buf();
        self.changed.borrow_mut().entry(top).or_insert_with(|| git.status(&[], false)).clone()
    }

    fn look_up(&self, pattern: &Path) -> Option<Vec<PathBuf>> {
        let mut found = vec![PathBuf::new()];
        for component in pattern.components() {
            let name = component.as_os_str().to_string_lossy();
            let is_pattern = matches!(component, Component::Normal(_)) && is_pattern(&name);
            let mut next = Vec::new();
            let letters = GlobPattern::new(&name);
            for folder in found {
                match is_pattern {
                    false => next.push(folder.join(component)),
                    true if name == "**" => self.folders_below(folder, &mut next)?,
                    true => self.matching(&folder, &letters, &mut next)?,
                }
            }
            found = next;
        }
        found.retain(|path| path.symlink_metadata().is_ok());
        Some(found)
    }

    fn matching(&self, folder: &Path, pattern: &GlobPattern, found: &mut Vec<PathBuf>) -> Option<()> {
        let entries = self.entries(folder)?;
        self.compared.set(self.compared.get() + entries.len());
        if self.compared.get() > MOST_COMPARED {
            return None;
        }
        let hidden = pattern.begins_with_dot();
        let fits = |name: &str| (hidden || !name.starts_with('.')) && pattern.matches(name);
        found.extend(entries.iter().filter(|(name, ..)| fits(name)).map(|(_, path, _)| path.clone()));
        Some(())
    }

    /// A folder and all folders below it, but for what tools make.
    fn folders_below(&self, folder: PathBuf, folders: &mut Vec<PathBuf>) -> Option<()> {
        let mut index = folders.len();
        folders.push(folder);
        while let Some(folder) = folders.get(index).cloned() {
            index += 1;
            let entries = self.entries(&folder)?;
            self.compared.set(self.compared.get() + entries.len());
            if self.compared.get() > MOST_COMPARED {
                return None;
            }
            folders.extend(entries.iter().filter(|(.., below)| *below).map(|(_, path, _)| path.clone()));
        }
        Some(())
    }

    /// The entries of a folder, in the order of their names.
    fn entries(&self, folder: &Path) -> Option<Entries> {
        if let Some(found) = self.listed.borrow().get(folder) {
            return Some(Rc::clone(found));
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            self.looked.set(self.looked.get() + 1);
            if self.looked.get() > MOST_ENTRIES {
                return None;
            }
            let name = entry.file_name();
            let skipped = name == ".git" || name == "node_modules";
            let below = !skipped && entry.file_type().is_ok_and(|kind| kind.is_dir());
            entries.push((name.to_string_lossy().into_owned(), folder.join(&name), below));
        }
        entries.sort();
        let entries: Entries = entries.into();
        self.listed.borrow_mut().insert(folder.to_path_buf(), Rc::clone(&entries));
        Some(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_expand_on_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for name in ["a.ts", "b.ts", "src/c.ts", "src/deep/d.ts", ".hidden.ts", "x.rs"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        let disk = Disk::default();
        let expand = |pattern: &str| disk.expand(&root.join(pattern)).unwrap().to_vec();
        assert_eq!(expand("*.ts"), [root.join("a.ts"), root.join("b.ts")]);
        assert_eq!(expand("src/**/*.ts"), [root.join("src/c.ts"), root.join("src/deep/d.ts")]);
        assert!(expand("*.py").is_empty());
    }

    #[test]
    fn a_folder_is_listed_once_and_comparing_has_an_end() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        (0..100).for_each(|number| fs::write(root.join(format!("f{number}")), "").unwrap());
        let disk = Disk::default();
        let fitting = |round: usize| disk.expand(&root.join(format!("*{round}*")));
        assert!((0..300).all(|round| fitting(round).is_some()));
        assert_eq!(disk.looked.get(), 100);
        assert!((300..10_000).any(|round| fitting(round).is_none()), "too much is said");
        assert!(fitting(7).is_some(), "what is known stays known");
    }

    #[test]
    fn links_are_resolved_as_the_disk_resolves_them() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/deep")).unwrap();
        fs::write(root.join("real/file"), "").unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        std::os::unix::fs::symlink("real/file", root.join("to-file")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("dangling")).unwrap();
        let disk = Disk::default();
        for name in [
            "link",
            "link/file",
            "link/deep",
            "link/new/deep",
            "to-file",
            "dangling",
            "dangling/x",
            "none",
            "",
            "real/..",
        ] {
            let path = root.join(name);
            assert_eq!(disk.real(&path), real(&path), "{name}");
        }
        assert_eq!(disk.real_parent(&root.join("link")), root.join("link"));
        assert_eq!(disk.real_parent(&root.join("link/file")), root.join("real/file"));
        assert_eq!(disk.real(Path::new("/")), Path::new("/"));
    }
}
