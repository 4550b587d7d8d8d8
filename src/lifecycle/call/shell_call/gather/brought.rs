//! Files that a whole folder or an archive brings onto others, and what links below a folder lead to: the words of a
//! command name none of them.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{Place, TargetFate};
use crate::lifecycle::call::shell_call::archive;
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::pattern::above_patterns;
use crate::project::Project;
use crate::shell::Effect;

/// The most entries of a folder that are looked at.
const MOST_BROUGHT: usize = 2_000;
/// The most files of one effect that are named: what is behind each is asked of git.
const MOST_REPLACED: usize = 6;

/// A file that another one takes the place of.
const REPLACED: TargetFate = TargetFate::Written { append: false };

/// The files and links below a folder, by count.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open, mut looked) = (Vec::new(), vec![folder.to_path_buf()], 0);
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(&here).into_iter().flatten().flatten() {
            looked += 1;
            if looked > MOST_BROUGHT {
                return found;
            }
            let name = entry.file_name();
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true if name == ".git" || name == "node_modules" => {}
                true => open.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found
}

/// Whether two files hold the same bytes.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| path.metadata().ok().filter(Metadata::is_file).map(|found| found.len());
    let length_of_one = length(one);
    length_of_one.is_some()
        && length_of_one == length(other)
        && matches!((fs::read(one), fs::read(other)), (Ok(a), Ok(b)) if a == b)
}

impl<'p> CallInspection<'p> {
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
        self.touch_ends(index, ends, REPLACED);
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
        let root = &self.surroundings.root;
        let changed = match ends.iter().any(|end| end.starts_with(root)) {
            true => self.disk.changed(&Project::at(root).git()).unwrap_or_default(),
            false => Vec::new(),
        };
        let is_lost =
            |end: &PathBuf| !end.starts_with(root) || changed.iter().any(|dirty| dirty.path == *end);
        self.unpacked.extend(ends.iter().filter(|end| !is_lost(end)).cloned());
        let ends: Vec<PathBuf> = ends.into_iter().filter(is_lost).take(MOST_REPLACED).collect();
        self.touch_ends(index, ends, REPLACED);
    }

    fn touch_ends(&mut self, index: usize, ends: Vec<PathBuf>, role: TargetFate) {
        let touched: Vec<TouchedPath> =
            ends.iter().map(|end| self.touched(index, end, role, false)).collect();
        self.touched.extend(touched);
    }

    /// `find -L … -delete`: what links below a folder lead to outside of the project.
    pub(crate) fn follow_links(&mut self, index: usize, effect: &Effect) {
        let paths = effect.targets.iter().filter_map(|target| target.path.as_deref());
        for folder in paths.map(above_patterns).filter(|folder| folder.is_dir()) {
            let links = below(&self.disk.real(&folder)).into_iter().filter(|file| file.is_symlink());
            let ends = links.filter_map(|link| link.canonicalize().ok());
            let is_out = |end: &PathBuf| {
                matches!(self.surroundings.place(end), Place::Outside | Place::System | Place::Root)
            };
            let ends: Vec<PathBuf> = ends.filter(is_out).take(MOST_REPLACED).collect();
            self.touch_ends(index, ends, TargetFate::Gone);
        }
    }
}
