//! What a git command gives up of the working tree: changes that no commit holds, and files that git does not know.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::GitLoss;
use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::gather::targets::each_once;
use crate::lifecycle::call::shell_call::names::{is_lock, is_output_name};
use crate::lifecycle::call::shell_call::pattern::is_pattern;
use crate::lifecycle::call::shell_call::place::real;
use crate::project::{Dirty, Git, Project};
use crate::shell::{Course, Effect, Target};

/// A loss, and the files whose bytes can be kept before it happens.
#[derive(Debug, Default)]
pub(crate) struct WorkingTreeLoss {
    pub(crate) loss: GitLoss,
    pub(crate) files: Vec<PathBuf>,
}

pub(super) fn unchecked(recoverable: bool) -> Option<WorkingTreeLoss> {
    Some(WorkingTreeLoss {
        loss: GitLoss { unchecked: true, recoverable, ..GitLoss::default() },
        files: Vec::new(),
    })
}

/// The files among `status` that `is_lost` chooses; a status that could not be had is said so.
pub(super) fn files(
    status: Option<Vec<Dirty>>,
    is_lost: impl Fn(&Dirty) -> bool,
    project: &Project,
) -> Option<WorkingTreeLoss> {
    let Some(status) = status else { return unchecked(false) };
    let lost: Vec<PathBuf> =
        status.into_iter().filter(|dirty| is_lost(dirty)).map(|dirty| dirty.path).collect();
    let names = lost.iter().map(|path| name_of(project, path)).collect();
    Some(WorkingTreeLoss { loss: GitLoss { files: names, ..GitLoss::default() }, files: lost })
}

/// The name of a path whose links are resolved, seen from a project whose root may not be.
fn name_of(project: &Project, path: &Path) -> String {
    Project::at(&real(project.root())).name_of(path)
}

/// Changes that neither the index nor a commit brings back. A file that is only deleted comes back.
pub(super) fn lost_by_reset(dirty: &Dirty) -> bool {
    !dirty.is_untracked()
        && (matches!(dirty.worktree, 'M' | 'T' | 'A' | 'U') || matches!(dirty.index, 'M' | 'A' | 'T' | 'U'))
        && !is_lock(&dirty.path)
}

/// Changes that the index does not have.
pub(super) fn lost_in_worktree(dirty: &Dirty) -> bool {
    !dirty.is_untracked() && matches!(dirty.worktree, 'M' | 'T' | 'A' | 'U') && !is_lock(&dirty.path)
}

/// Whether a patch that the same text has written holds what is changed in a file: `git diff > changes.patch`.
pub(super) fn is_saved(effect: &Effect, dirty: &Dirty) -> bool {
    let course = &effect.course;
    let holds = || course.saved || course.saved_paths.iter().any(|path| dirty.path.starts_with(real(path)));
    dirty.index == ' ' && dirty.worktree == 'M' && holds() || is_copied(effect, dirty)
}

/// Whether the same text has copied a file to another place before.
fn is_copied(effect: &Effect, dirty: &Dirty) -> bool {
    effect.course.copied_paths.iter().any(|path| dirty.path.starts_with(real(path)))
}

pub(super) fn reset(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<WorkingTreeLoss> {
    let mut look = match effect.detail.as_str() {
        "git reset --keep" => WorkingTreeLoss::default(),
        _ => files(disk.changed(git), |dirty| lost_by_reset(dirty) && !is_saved(effect, dirty), project)?,
    };
    let to = effect
        .targets
        .first()
        .map(|target| target.text.as_str())
        .filter(|to| !is_head(to) && !to.contains('…'));
    // A commit of the same text is not there yet, and would be the first to go.
    let is_there = |course: &Course| !course.held && (!course.committed || course.elsewhere);
    let has_a_name = |course: &Course| {
        !course.named.is_empty() && git.current_branch().is_some_and(|own| course.named.contains(&own))
    };
    if let Some(to) = to.filter(|_| is_there(&effect.course) && !has_a_name(&effect.course)) {
        // What a fetch of the same text brings is as the remote's branch was seen last.
        let fetched = || to.starts_with("FETCH_HEAD").then(|| git.left_behind("@{upstream}")).flatten();
        look.loss.commits = git.left_behind(to).or_else(fetched).unwrap_or_default();
    }
    Some(look)
}

pub(super) fn discarded(
    git: &Git,
    effect: &Effect,
    project: &Project,
    disk: &Disk,
) -> Option<WorkingTreeLoss> {
    let Some(paths) = paths_of(effect, disk) else { return unchecked(false) };
    let is_pattern = |target: &Target| target.glob && !target.text.starts_with(':');
    let names_none = paths.is_empty() && effect.targets.iter().any(is_pattern);
    if names_none {
        return None;
    }
    let in_worktree = |dirty: &Dirty| lost_in_worktree(dirty) && !is_saved(effect, dirty);
    files(git.status(&paths, false), in_worktree, project)
}

pub(super) fn clean(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<WorkingTreeLoss> {
    let top = git.top().map(Path::to_path_buf)?;
    let Some(mut paths) = paths_of(effect, disk) else { return unchecked(false) };
    // A clean without paths begins where it runs.
    let here = effect.directory.as_deref().map(real).filter(|here| *here != top);
    if effect.targets.is_empty() {
        paths.extend(here);
    }
    let status = git.status(&paths, effect.detail.ends_with("ignored files"));
    let removed = |dirty: &Dirty| {
        let inside = dirty.path.strip_prefix(&top).unwrap_or(&dirty.path);
        let goes = if cleans_the_ignored(effect) { dirty.is_ignored() } else { dirty.is_untracked() };
        goes && !is_output_name(inside) && !inside.starts_with(".aiwg") && !is_copied(effect, dirty)
    };
    let mut look = files(status, removed, project)?;
    look.leave_the_spared(git, effect, project);
    if !effect.recursive {
        look.leave_new_folders(git, project);
    }
    Some(look)
}

/// Whether only what is ignored goes.
fn cleans_the_ignored(effect: &Effect) -> bool {
    effect.detail == "git clean of ignored files"
}

impl WorkingTreeLoss {
    /// `-e` adds to what is ignored; what `-e '!.env'` takes out of it stays where only the ignored goes.
    fn leave_the_spared(&mut self, git: &Git, effect: &Effect, project: &Project) {
        let patterns: Vec<String> = match cleans_the_ignored(effect) {
            true => effect.spared.iter().filter_map(|it| it.strip_prefix('!')).map(str::to_owned).collect(),
            false => effect.spared.clone(),
        };
        if patterns.is_empty() || self.files.is_empty() {
            return;
        }
        let spared = git.matching(&patterns, &self.files).unwrap_or_default();
        self.keep_only(|file| !spared.contains(file), project);
    }

    /// Without `-d` only files beside tracked ones go.
    fn leave_new_folders(&mut self, git: &Git, project: &Project) {
        let parents: Vec<PathBuf> =
            self.files.iter().filter_map(|file| Some(file.parent()?.to_path_buf())).collect();
        let tracked = if parents.is_empty() { Vec::new() } else { git.tracked(&parents).unwrap_or_default() };
        let is_known = |folder: &Path| tracked.iter().any(|file| file.starts_with(folder));
        self.keep_only(|file| file.parent().is_some_and(is_known), project);
    }

    /// Takes out the files that are not lost.
    pub(super) fn keep_only(&mut self, is_lost: impl Fn(&PathBuf) -> bool, project: &Project) {
        self.files.retain(is_lost);
        self.loss.files = self.files.iter().map(|path| name_of(project, path)).collect();
    }
}

/// The paths of an effect as the disk has them, each once; none means all. `None` when they can't be looked up.
pub(super) fn paths_of(effect: &Effect, disk: &Disk) -> Option<Vec<PathBuf>> {
    // What git's own patterns choose is looked for in the whole tree.
    let is_magic = |target: &Target| target.text.starts_with(':') && target.text.len() > 1;
    if effect.targets.iter().any(is_magic) {
        return Some(effect.targets.iter().filter_map(|target| below_the_top(target, effect)).collect());
    }
    let known = each_once(&effect.targets).filter_map(|target| Some((target.path.as_ref()?, target.glob)));
    let mut paths = BTreeSet::new();
    for (path, glob) in known {
        match glob {
            true => paths.extend(disk.expand(path)?.iter().map(|path| disk.real(path))),
            // `:/` is the whole tree.
            false if path.ends_with(":") => {}
            false => _ = paths.insert(disk.real(path)),
        }
    }
    Some(paths.into_iter().collect())
}

/// `:/path` and `:(top)path`: a path seen from the top of the repository.
fn below_the_top(target: &Target, effect: &Effect) -> Option<PathBuf> {
    let path = target.text.strip_prefix(":(top)").or_else(|| target.text.strip_prefix(":/"))?;
    let directory = real(effect.directory.as_deref()?);
    let top = Git::at(&directory).top()?.to_path_buf();
    (!path.is_empty() && !is_pattern(path)).then(|| top.join(path))
}

/// Whether the words name paths, and neither the disk nor git knows one of them: what they mean can't be looked up.
pub(super) fn names_nothing(git: &Git, effect: &Effect) -> bool {
    let known = |path: &PathBuf| path.symlink_metadata().is_ok() || path.ends_with(":");
    let paths: Vec<PathBuf> = effect.targets.iter().filter_map(|target| target.path.clone()).collect();
    let plain = effect.targets.iter().all(|target| !target.glob && !target.text.starts_with(":"));
    !paths.is_empty()
        && plain
        && !paths.iter().any(known)
        && git.tracked(&paths).is_some_and(|files| files.is_empty())
}

/// Whether a word names the newest commit, where the branch stands.
pub(super) fn is_head(text: &str) -> bool {
    matches!(text, "HEAD" | "@" | "HEAD~0" | "HEAD^0" | "@~0" | "@^0")
}
