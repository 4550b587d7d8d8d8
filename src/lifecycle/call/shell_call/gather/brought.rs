//! Files that a whole folder or an archive brings onto others, and what links below a folder lead to: the words of a
//! command name none of them.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::detectors::commands::destructive_command::{Place, Role};
use crate::lifecycle::call::shell_call::archive;
use crate::lifecycle::call::shell_call::gather::Look;
use crate::project::Project;
use crate::shell::Effect;

/// The most entries of a folder that are looked at.
const MOST_BROUGHT: usize = 2_000;
/// The most files of one effect that are named: what is behind each is asked of git.
const MOST_REPLACED: usize = 6;

/// The files and links below a folder, by count.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open, mut looked) = (Vec::new(), vec![folder.to_path_buf()], 0);
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(&here).into_iter().flatten().flatten() {
            looked += 1;
            if looked > MOST_BROUGHT {
                return found;
            }
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let skipped = is_folder && (entry.file_name() == ".git" || entry.file_name() == "node_modules");
            match is_folder {
                true if skipped => {}
                true => open.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found
}

fn is_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| path.metadata().ok().map(|found| found.len());
    length(one) == length(other) && matches!((fs::read(one), fs::read(other)), (Ok(a), Ok(b)) if a == b)
}

impl<'p> Look<'p> {
    /// Files below a folder that is copied, where they come onto others.
    pub(crate) fn bring(&mut self, index: usize, from: &Path, to: &Path) {
        if !from.is_dir() || !to.is_dir() || self.surroundings.place(to) == Place::Temporary {
            return;
        }
        let ends = below(from).into_iter().filter_map(|file| {
            let end = to.join(file.strip_prefix(from).ok()?);
            (end.is_file() && !is_same(&file, &end)).then_some(end)
        });
        let ends: Vec<PathBuf> = ends.take(MOST_REPLACED).collect();
        self.replace(index, ends);
    }

    /// Files of an archive, where they come onto others.
    pub(crate) fn unpack(&mut self, index: usize, effect: &Effect) {
        let [archive, folder] = effect.targets.as_slice() else { return };
        let (Some(archive), Some(folder)) = (&archive.path, &folder.path) else { return };
        let folder = self.disk.real(folder);
        if !folder.is_dir() || self.surroundings.place(&folder) == Place::Temporary {
            return;
        }
        let ends = archive::names(archive).into_iter().map(|name| folder.join(name));
        let ends: Vec<PathBuf> = ends.filter(|end| end.is_file()).collect();
        // What is as git has it comes back.
        let root = self.surroundings.root.clone();
        let changed = || self.disk.changed(&Project::at(&root).git()).unwrap_or_default();
        let changed = if ends.iter().any(|end| end.starts_with(&root)) { changed() } else { Vec::new() };
        let is_lost =
            |end: &PathBuf| !end.starts_with(&root) || changed.iter().any(|dirty| dirty.path == *end);
        let ends: Vec<PathBuf> = ends.into_iter().filter(is_lost).take(MOST_REPLACED).collect();
        self.replace(index, ends);
    }

    fn replace(&mut self, index: usize, ends: Vec<PathBuf>) {
        for end in ends {
            let touched = self.touched(index, &end, Role::Written { append: false }, false);
            self.touched.push(touched);
        }
    }

    /// `find -L … -delete`: what links below a folder lead to outside of the project.
    pub(crate) fn follow_links(&mut self, index: usize, effect: &Effect) {
        let is_plain = |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
        let folders = effect.targets.iter().filter_map(|target| target.path.as_ref());
        let folders = folders.map(|path| path.components().take_while(is_plain).collect::<PathBuf>());
        for folder in folders.filter(|folder| folder.is_dir()) {
            let links = below(&self.disk.real(&folder)).into_iter().filter(|file| file.is_symlink());
            let ends = links.filter_map(|link| link.canonicalize().ok());
            let is_out = |end: &PathBuf| {
                matches!(self.surroundings.place(end), Place::Outside | Place::System | Place::Root)
            };
            let ends: Vec<PathBuf> = ends.filter(is_out).take(MOST_REPLACED).collect();
            for end in ends {
                let touched = self.touched(index, &end, Role::Gone, false);
                self.touched.push(touched);
            }
        }
    }
}
