//! Files that patterns choose: who wrote the command has seen none of their names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{Place, TargetFate};
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::names::is_output_name;
use crate::project::Project;
use crate::shell::{Effect, EffectKind};

/// The most files that are asked about.
const MOST_CHOSEN: usize = 200;

/// From so many files on that are named one by one it is told that one text comes to stand in all of them.
const FEWEST_BY_NAME: usize = 3;

/// Endings of what editors, tools and merges leave behind, besides those that are output.
const LEFTOVERS: &[&str] = &["temp", "swo", "out", "lock", "map", "gz", "old"];

pub(super) fn is_leftover(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    LEFTOVERS.contains(&ending) || name.ends_with('~') || name.starts_with(".#")
}

impl<'p> CallInspection<'p> {
    /// Counts the files of the project that patterns choose and that are gone, or get the same text, afterwards.
    pub(crate) fn count_chosen(&mut self, effects: &[Effect]) {
        if self.unpacked.is_empty() && !self.touched.iter().any(|touched| touched.many) {
            return;
        }
        let root = &self.surroundings.root;
        let is_lost = |touched: &&TouchedPath| {
            let effect = effects.get(touched.effect);
            let is_written = effect.is_some_and(|effect| {
                effect.kind == EffectKind::Truncate
                    || (effect.kind == EffectKind::Overwrite && effect.content.is_some())
            });
            let goes = match touched.role {
                TargetFate::Gone => {
                    effect.is_some_and(|it| it.kind == EffectKind::Delete) && touched.to.is_none()
                }
                TargetFate::Written { append } => is_written && !append,
                TargetFate::Mode => false,
            };
            goes && touched.place == Place::Project && touched.path.is_file()
        };
        let lost: Vec<&TouchedPath> = self.touched.iter().filter(is_lost).take(MOST_CHOSEN).collect();
        if self.unpacked.is_empty() && !lost.iter().any(|touched| touched.many) {
            return;
        }
        let is_own = |path: &&PathBuf| {
            path.strip_prefix(root).is_ok_and(|inside| !is_output_name(inside)) && !is_leftover(path)
        };
        let paths = lost.iter().map(|touched| &touched.path).chain(&self.unpacked);
        let paths: BTreeSet<&PathBuf> = paths.filter(is_own).collect();
        let paths: Vec<PathBuf> = paths.into_iter().cloned().collect();
        if paths.is_empty() {
            return;
        }
        let git = Project::at(root).git();
        let tracked = git.tracked(&paths).unwrap_or_default();
        let dirty = git.status(&paths, false).unwrap_or_default();
        let untracked = dirty.iter().filter(|dirty| dirty.is_untracked()).map(|dirty| &dirty.path);
        let by_pattern = |path: &&PathBuf| lost.iter().any(|touched| touched.many && touched.path == **path);
        let untracked: Vec<&PathBuf> = untracked.filter(by_pattern).collect();
        let name = |path: &PathBuf| self.project_name(path);
        let names = untracked.iter().map(|path| name(path)).chain(tracked.iter().map(name)).collect();
        self.facts.chosen = (names, tracked.len());
    }

    /// Notes the tracked files that differ and would have one text: two that a pattern chooses, or several by name.
    pub(crate) fn count_made_one(&mut self) {
        let root = &self.surroundings.root;
        let is_own = |path: &PathBuf| {
            path.strip_prefix(root).is_ok_and(|inside| !is_output_name(inside)) && !is_leftover(path)
        };
        let by_pattern = |path: &PathBuf| self.touched.iter().any(|it| it.many && it.path == *path);
        let groups =
            self.picture.made_one().into_iter().map(|group| -> Vec<PathBuf> {
                group.into_iter().filter(is_own).take(MOST_CHOSEN).collect()
            });
        let is_loss = |group: &Vec<PathBuf>| {
            group.len() >= FEWEST_BY_NAME || (group.len() > 1 && group.iter().any(by_pattern))
        };
        let Some(group) = groups.filter(is_loss).max_by_key(Vec::len) else { return };
        let tracked = Project::at(root).git().tracked(&group).unwrap_or_default();
        if tracked.len() > 1 {
            self.facts.made_one = tracked.iter().map(|path| self.project_name(path)).collect();
        }
    }
}
