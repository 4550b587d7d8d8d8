//! What git says about a call: the files that it tracks, and what its commands would give up.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{GitLoss, Place, TargetFate, TargetReach};
use crate::languages;
use crate::lifecycle::call::shell_call::gather::listings::is_source;
use crate::lifecycle::call::shell_call::gather::targets::beyond;
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::names::is_output_name;
use crate::lifecycle::call::shell_call::{losses, revisions};
use crate::project::Project;
use crate::shell::{Effect, EffectKind};

/// From this many deleted files on it is asked whether they are most of the project.
const MANY: usize = 3;

/// Fewer tracked files than this are single files, and no folder.
const FEWEST_EMPTIED: usize = 2;

/// So many files that are left blank are named.
const MOST_BLANK: usize = 3;

/// How many git commands of one call are looked into.
const MOST_LOOKS: usize = 12;

/// The files that git tracks among those that the call touches.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    /// `None` when git can't say.
    files: Option<Vec<PathBuf>>,
}

/// Endings of texts that people write.
const TEXTS: &[&str] = &["md", "rst", "adoc", "json", "yml", "yaml", "toml", "html", "css", "txt"];

impl Tracked {
    /// Of all `files`, which are sorted here so that those of a folder stand together.
    fn of(files: Option<Vec<PathBuf>>) -> Tracked {
        Tracked {
            files: files.map(|mut files| {
                files.sort();
                files
            }),
        }
    }

    pub(crate) fn under(&self, path: &Path) -> Option<&[PathBuf]> {
        let files = self.files.as_ref()?;
        let start = files.partition_point(|file| file.as_path() < path);
        let rest = files.get(start..)?;
        rest.get(..rest.partition_point(|file| file.starts_with(path)))
    }

    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.under(path).is_some_and(|files| !files.is_empty())
    }
}

/// Top folders in which several of the lost files lie.
fn folders_of_several(root: &Path, lost: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut folders = BTreeSet::new();
    let mut once = BTreeSet::new();
    for path in lost {
        let inside = path.strip_prefix(root).ok();
        let Some(inside) = inside.filter(|inside| inside.components().count() > 1) else { continue };
        let Some(top) = inside.components().next() else { continue };
        let top = root.join(top);
        if !once.insert(top.clone()) && !is_output_name(inside) && top.is_dir() {
            folders.insert(top);
        }
    }
    folders
}

/// Without what tools make again: that has the name of output, and git does not track it.
fn without_output(root: &Path, files: Vec<PathBuf>) -> Vec<PathBuf> {
    let has_the_name = |file: &PathBuf| file.strip_prefix(root).is_ok_and(is_output_name);
    let named: Vec<PathBuf> = files.iter().filter(|file| has_the_name(file)).cloned().collect();
    if named.is_empty() {
        return files;
    }
    let tracked = Project::at(root).git().tracked(&named).unwrap_or_default();
    files.into_iter().filter(|file| !has_the_name(file) || tracked.contains(file)).collect()
}

/// Whether a file is gone or empty after an effect.
fn is_emptied(touched: &TouchedPath, effects: &[Effect]) -> bool {
    let effect = effects.get(touched.effect);
    match touched.role {
        TargetFate::Gone => !touched.partial && !effect.is_some_and(|effect| effect.comes_back),
        TargetFate::Written { append: false } => effect.is_some_and(|effect| {
            effect.kind == EffectKind::Truncate || effect.content.as_deref() == Some("")
        }),
        _ => false,
    }
}

impl<'p> CallInspection<'p> {
    /// Files that are written and have the name of output: one that git tracks is none, whatever its folder is called.
    fn replaced_output(&self) -> Vec<PathBuf> {
        let is_replaced = |touched: &&TouchedPath| {
            matches!(touched.role, TargetFate::Written { .. })
                && touched.place == Place::Project
                && touched.path.strip_prefix(&self.surroundings.root).is_ok_and(is_output_name)
                && touched.path.is_file()
        };
        self.touched.iter().filter(is_replaced).map(|touched| touched.path.clone()).collect()
    }

    /// One question about the tracked files of everything that may be gone.
    pub(crate) fn ask_git(&mut self, effects: &[Effect]) {
        let gone: Vec<&TouchedPath> = self
            .touched
            .iter()
            .filter(|touched| {
                touched.role == TargetFate::Gone && matches!(touched.place, Place::Project | Place::Root)
            })
            .collect();
        let inside = |touched: &TouchedPath| {
            touched.path.strip_prefix(&self.surroundings.root).is_ok_and(is_output_name)
        };
        let replaced = self.replaced_output();
        let folders = self.folders_of_many(effects);
        // A few single files need no question.
        let few = gone.len() < MANY && !gone.iter().any(|touched| touched.path.is_dir() || inside(touched));
        if few && replaced.is_empty() && folders.is_empty() {
            return;
        }
        let paths: Vec<PathBuf> = gone
            .iter()
            .map(|touched| if touched.place == Place::Root { &self.surroundings.root } else { &touched.path })
            .cloned()
            .chain(replaced)
            .chain(folders)
            .collect();
        if paths.is_empty() {
            return;
        }
        let git = Project::at(&self.surroundings.root).git();
        self.tracked = Tracked::of(git.tracked(&paths));
        self.facts.tracked_total = git.tracked_count();
    }

    /// The top folders of what the words name as one of many, where it is gone or empty afterwards.
    fn folders_of_many(&self, effects: &[Effect]) -> BTreeSet<PathBuf> {
        let root = &self.surroundings.root;
        let many = self.touched.iter().filter(|touched| {
            touched.many && touched.place == Place::Project && is_emptied(touched, effects)
        });
        let top = |touched: &TouchedPath| {
            Some(root.join(touched.path.strip_prefix(root).ok()?.components().next()?))
        };
        many.filter_map(top).filter(|folder| folder.is_dir()).collect()
    }

    /// Counts the source folders of which every tracked file is gone or empty, file by file.
    pub(crate) fn count_emptied(&mut self, effects: &[Effect]) {
        let root = self.surroundings.root.clone();
        let blank: Vec<PathBuf> =
            self.picture.blank().into_iter().filter(|path| path.starts_with(&root)).collect();
        // One text that is emptied is meant by its name.
        let is_text =
            |path: &&PathBuf| path.extension().is_some_and(|it| TEXTS.iter().any(|text| it == *text));
        let texts = blank.iter().filter(is_text).count();
        let is_own = |path: &PathBuf| is_source(path) || (texts > 1 && is_text(&path));
        let blank: Vec<PathBuf> = blank.into_iter().filter(is_own).collect();
        let blank = without_output(&root, blank);
        let emptied = self.touched.iter().filter(|touched| is_emptied(touched, effects));
        let lost: Vec<PathBuf> = emptied.map(|touched| touched.path.clone()).chain(blank.clone()).collect();
        let mut folders = self.folders_of_many(effects);
        let git = Project::at(&root).git();
        for folder in folders_of_several(&root, &lost) {
            if folders.contains(&folder) {
                continue;
            }
            // What is named file by file was not asked for with its folder.
            let files = git.tracked(std::slice::from_ref(&folder)).unwrap_or_default();
            self.emptied_folder(&folder, &files, &lost);
            folders.insert(folder);
        }
        for folder in self.folders_of_many(effects) {
            let files = self.tracked.under(&folder).unwrap_or_default().to_vec();
            self.emptied_folder(&folder, &files, &lost);
        }
        let is_counted =
            |path: &PathBuf| self.facts.emptied.iter().any(|(name, _)| path.starts_with(root.join(name)));
        let single = blank.iter().filter(|path| !is_counted(path)).map(|path| self.project_name(path));
        // A test that is left blank is judged as one.
        let single: Vec<String> =
            single.filter(|name| !languages::is_test_path(name)).take(MOST_BLANK).collect();
        self.facts.emptied.extend(single.into_iter().map(|name| (name, 1)));
    }

    /// Notes a folder of which every tracked file is lost.
    fn emptied_folder(&mut self, folder: &Path, files: &[PathBuf], lost: &[PathBuf]) {
        // What holds nothing (`__init__.py`, `.gitkeep`) can stay.
        let holds = |file: &&PathBuf| file.metadata().map_or(true, |found| found.len() > 0);
        let files: Vec<&PathBuf> = files.iter().filter(holds).collect();
        let all = files.iter().all(|file| lost.iter().any(|path| file.starts_with(path)));
        if all && files.len() >= FEWEST_EMPTIED {
            self.facts.emptied.push((self.project_name(folder), files.len()));
        }
    }

    pub(super) fn project_name(&self, path: &Path) -> String {
        Project::at(&self.surroundings.root).name_of(path)
    }

    /// Files that git brings from a revision or from its index: their new text.
    fn taken_from_git(&mut self, effect: &Effect) {
        for (path, text) in revisions::taken(effect, &self.disk) {
            if !path.starts_with(&self.surroundings.root) {
                continue;
            }
            if let Ok(metadata) = path.symlink_metadata() {
                self.kept.add(&path, metadata.len());
            }
            self.picture.write(&path, text.as_deref(), false);
        }
    }

    /// A patch that is applied to another place than the project.
    fn patch_elsewhere(&mut self, index: usize, effect: &Effect) {
        let Some(directory) = effect.directory.as_deref().filter(|directory| directory.is_dir()) else {
            return;
        };
        let directory = self.disk.real(directory);
        let place = self.surroundings.place(&directory);
        if matches!(place, Place::Outside | Place::System) {
            let name = self.project_name(&directory);
            let written = TargetReach {
                place,
                too_much: false,
                partial: false,
                directory: true,
                ..beyond(index, TargetFate::Written { append: false }, &name)
            };
            self.facts.reaches.push(written);
        }
    }

    /// What an effect gives up in git; uncommitted changes are kept as bytes too.
    pub(crate) fn lose(&mut self, index: usize, effect: &Effect) {
        if effect.kind == EffectKind::ApplyPatch {
            self.patch_elsewhere(index, effect);
            return self.patch(effect);
        }
        if !losses::asks(effect) {
            return;
        }
        let earlier = self.asked.iter().any(|other| losses::is_same(other, effect));
        if earlier {
            return;
        }
        if self.asked.len() >= MOST_LOOKS {
            let loss = GitLoss { effect: index, unchecked: true, ..GitLoss::default() };
            return self.facts.losses.push(loss);
        }
        self.asked.push(effect.clone());
        if losses::takes_the_guard_along(effect, &self.surroundings, &self.disk) {
            let state = TargetReach {
                place: Place::GuardState,
                too_much: false,
                partial: false,
                ..beyond(index, TargetFate::Gone, ".aiwg/ralph")
            };
            self.facts.reaches.push(state);
        }
        self.taken_from_git(effect);
        let Some(mut found) = losses::look(effect, self.project, &self.surroundings, &self.disk) else {
            return;
        };
        found.loss.effect = index;
        for file in found.files.iter().filter(|file| file.starts_with(&self.surroundings.root)) {
            if let Ok(metadata) = file.symlink_metadata() {
                self.kept.add(file, metadata.len());
            }
        }
        self.facts.losses.push(found.loss);
    }
}
