//! Files that the words delete one by one, and whose changes no commit has: they are lost like those that `git restore`
//! takes back.

use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{GitLoss, Place, TargetFate};
use crate::lifecycle::call::shell_call::gather::chosen::is_leftover;
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::losses;
use crate::lifecycle::call::shell_call::names::{is_lock, is_output_name};
use crate::lifecycle::call::shell_call::place::real;
use crate::project::{Dirty, Project};
use crate::shell::{Effect, EffectKind};

impl<'p> CallInspection<'p> {
    /// Notes which of the files that are deleted by their names hold changes that are in no commit.
    pub(super) fn lose_uncommitted(&mut self, effects: &[Effect]) {
        let deleted: Vec<TouchedPath> =
            self.touched.iter().filter(|touched| is_deleted_by_name(touched, effects)).cloned().collect();
        let gone: Vec<&TouchedPath> = deleted.iter().filter(|it| !self.picture.knows(&it.path)).collect();
        if gone.is_empty() {
            return;
        }
        let paths: Vec<PathBuf> = gone.iter().map(|touched| touched.path.clone()).collect();
        let git = Project::at(&self.surroundings.root).git();
        // A stat says of most files that they are as git saw them, and git is asked about none of these.
        let suspects = git.may_differ(&paths).unwrap_or(paths);
        if suspects.is_empty() {
            return;
        }
        let dirty = git.status(&suspects, false).unwrap_or_default();
        for (index, effect) in effects.iter().enumerate() {
            let own = |dirty: &&Dirty| gone.iter().any(|it| it.effect == index && it.path == dirty.path);
            let own: Vec<Dirty> = dirty.iter().filter(own).cloned().collect();
            let loss = losses::deleted(effect, own, self.project);
            self.facts.losses.extend(loss.map(|loss| GitLoss { effect: index, ..loss }));
        }
    }
}

impl<'p> CallInspection<'p> {
    /// Marks the files that are deleted or written over by their names, that no commit has and no tool has left behind.
    pub(super) fn mark_what_is_only_here(&mut self, effects: &[Effect]) {
        let root = self.surroundings.root.clone();
        let is_own = |touched: &&TouchedPath| {
            let inside = touched.path.strip_prefix(&root).ok();
            let is_made = is_leftover(&touched.path) || is_lock(&touched.path) || is_report(&touched.path);
            let is_lost = is_deleted_by_name(touched, effects) || is_written_by_name(touched, effects);
            is_lost && !is_made && inside.is_some_and(|inside| !is_output_name(inside))
        };
        let is_kept = |touched: &&TouchedPath| {
            self.is_copied_before(touched)
                || effects.get(touched.effect).is_some_and(|effect| is_held(effect, &touched.path))
        };
        let lost: Vec<&TouchedPath> =
            self.touched.iter().filter(is_own).filter(|it| !is_kept(it)).take(MOST_MARKED).collect();
        if lost.is_empty() {
            return;
        }
        let paths: Vec<PathBuf> = lost.iter().map(|touched| touched.path.clone()).collect();
        let project = Project::at(&root);
        let mut unknown = unknown_to_git(&project, &paths);
        let replaced = lost.iter().filter(|touched| is_replaced_unread(touched, effects));
        let replaced: Vec<PathBuf> = replaced.map(|touched| touched.path.clone()).collect();
        unknown.extend(changed_since_the_commit(&project, &replaced));
        let only_here: Vec<(usize, String)> = lost
            .iter()
            .filter(|touched| unknown.contains(&touched.path))
            .map(|touched| (touched.effect, touched.name.clone()))
            .collect();
        for reach in &mut self.facts.reaches {
            reach.only_here |=
                only_here.iter().any(|(effect, name)| reach.effect == *effect && reach.name == *name);
        }
    }

    /// Whether an earlier command of the text copies the file, or has written it anew.
    fn is_copied_before(&self, touched: &TouchedPath) -> bool {
        let mut earlier =
            self.touched.iter().filter(|it| it.effect < touched.effect && it.path == touched.path);
        earlier.any(|it| it.only_source || it.role == TargetFate::Written { append: false })
    }
}

impl<'p> CallInspection<'p> {
    /// Whether a file of the project holds what no commit, no copy of the same text and no tool has.
    pub(super) fn holds_work(&self, touched: &TouchedPath, effect: &Effect) -> bool {
        let (root, path) = (&self.surroundings.root, touched.path.as_path());
        let inside = path.strip_prefix(root).ok();
        let is_made = is_leftover(path) || is_lock(path) || is_report(path);
        // What the text has copied, moved or written before is its own by then.
        let is_known = self.touched.iter().any(|it| it.effect < touched.effect && it.path == path);
        if is_made || is_known || is_held(effect, path) || inside.is_none_or(is_output_name) {
            return false;
        }
        let paths = [path.to_owned()];
        let project = Project::at(root);
        !(unknown_to_git(&project, &paths).is_empty()
            && changed_since_the_commit(&project, &paths).is_empty())
    }
}

/// Whether a commit, a stash or a copy of the same text holds a file by then.
fn is_held(effect: &Effect, path: &Path) -> bool {
    let course = &effect.course;
    let mut held = course.paths.iter().chain(&course.copied_paths);
    course.untracked || held.any(|it| path.starts_with(real(it)))
}

/// The paths that git neither tracks nor ignores, and those with settings that it ignores.
fn unknown_to_git(project: &Project, paths: &[PathBuf]) -> Vec<PathBuf> {
    let git = project.git();
    let Some(tracked) = git.tracked(paths) else { return Vec::new() };
    let unknown: Vec<PathBuf> = paths.iter().filter(|path| !tracked.contains(path)).cloned().collect();
    if unknown.is_empty() {
        return unknown;
    }
    let dirty = git.status(&unknown, false).unwrap_or_default();
    let is_untracked = |path: &PathBuf| dirty.iter().any(|it| it.is_untracked() && it.path == *path);
    unknown.into_iter().filter(|path| is_untracked(path) || holds_settings(path)).collect()
}

/// Those of the paths that git tracks, and that hold changes which are in no commit and not in the index either.
fn changed_since_the_commit(project: &Project, paths: &[PathBuf]) -> Vec<PathBuf> {
    if paths.is_empty() {
        return Vec::new();
    }
    let git = project.git();
    let suspects = git.may_differ(paths).unwrap_or_else(|| paths.to_vec());
    if suspects.is_empty() {
        return Vec::new();
    }
    let dirty = git.status(&suspects, false).unwrap_or_default();
    let is_changed = |path: &PathBuf| dirty.iter().any(|it| it.worktree == 'M' && it.path == *path);
    suspects.into_iter().filter(is_changed).collect()
}

/// Whether a file gets a text that nobody has read: one whose result is known is judged as an edit.
fn is_replaced_unread(touched: &TouchedPath, effects: &[Effect]) -> bool {
    // What git is asked about is one loss.
    let is_asked = |effect: &Effect| {
        effects.iter().any(|it| it.kind == EffectKind::DiscardGitWork && it.command == effect.command)
    };
    effects.get(touched.effect).is_some_and(|effect| {
        effect.kind == EffectKind::Overwrite
            && !is_asked(effect)
            && effect.content.is_none()
            && effect.edit.is_none()
            && is_written_by_name(touched, effects)
    })
}

/// The most files of one call that are marked.
const MOST_MARKED: usize = 64;

/// Names of what runs of tests and tools write.
fn is_report(path: &Path) -> bool {
    const PARTS: &[&str] = &[
        "junit", "coverage", "lcov", "report", "result", "nohup", "output", "debug", "trace", "profile",
        "dump",
    ];
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_lowercase());
    PARTS.iter().any(|part| name.contains(part))
}

/// `.env`: git ignores it, and no tool makes it again.
fn holds_settings(path: &Path) -> bool {
    const EXAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults", "test", "tmp"];
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    (name == ".env" || name.starts_with(".env.")) && !EXAMPLES.iter().any(|end| name.ends_with(end))
}

fn is_written_by_name(touched: &TouchedPath, effects: &[Effect]) -> bool {
    let Some(effect) = effects.get(touched.effect) else { return false };
    matches!(effect.kind, EffectKind::Overwrite | EffectKind::Truncate)
        && touched.role == (TargetFate::Written { append: false })
        && touched.place == Place::Project
        && !(touched.partial || touched.many || touched.below || touched.reckoned)
        && touched.to.is_none()
        && touched.path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn is_deleted_by_name(touched: &TouchedPath, effects: &[Effect]) -> bool {
    let Some(effect) = effects.get(touched.effect) else { return false };
    let deletes = match effect.kind {
        EffectKind::Delete => true,
        // Without force git takes no file that differs.
        EffectKind::GitRemove => effect.forced && effect.detail == "git rm",
        _ => false,
    };
    deletes
        && touched.role == TargetFate::Gone
        && touched.place == Place::Project
        && !(touched.partial || touched.many || touched.below || touched.reckoned)
        && touched.to.is_none()
        && !effect.comes_back
        && touched.path.is_file()
}
