//! What a git command would really give up: asked of the repository, because on a clean tree it loses nothing.

mod apart;
mod branches;
mod pushes;
mod working_tree;

use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{GitLoss, Place};
use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::losses::apart::{newest_stash_is_here, with_the_popped, worktrees};
use crate::lifecycle::call::shell_call::losses::branches::{
    branches, dropped, every_moved_branch, moved_branch, moved_onto, rewritten,
};
use crate::lifecycle::call::shell_call::losses::pushes::{deleted_branch, forced_push};
use crate::lifecycle::call::shell_call::losses::working_tree::{
    clean, discarded, files, is_head, is_saved, lost_by_reset, lost_in_worktree, names_nothing, paths_of,
    reset, unchecked,
};
use crate::lifecycle::call::shell_call::place::{Surroundings, real};
use crate::project::{Dirty, Git, Project};
use crate::shell::{Effect, EffectKind, Target};

pub(crate) use crate::lifecycle::call::shell_call::losses::working_tree::WorkingTreeLoss;

/// Whether an effect is one that a repository must be asked about.
pub(crate) fn asks(effect: &Effect) -> bool {
    matches!(effect.kind, EffectKind::DiscardGitWork | EffectKind::Publish | EffectKind::RewriteHistory)
        || effect.detail == "git worktree remove --force"
}

/// Whether two effects give up the same.
pub(crate) fn is_same(one: &Effect, other: &Effect) -> bool {
    one.detail == other.detail && one.targets == other.targets && one.directory == other.directory
}

/// Looks at what one effect gives up; `None` for nothing. What git does not answer is not known, and never nothing.
pub(crate) fn look(
    effect: &Effect,
    project: &Project,
    surroundings: &Surroundings,
    disk: &Disk,
) -> Option<WorkingTreeLoss> {
    let directory = real(effect.directory.as_deref().unwrap_or(project.root()));
    // Which repository it is about is only known when it runs.
    if effect.detail == "git move of a branch" && effect.directory.is_none() {
        return unchecked(false);
    }
    let git = Git::at(&directory);
    let top = git.top()?;
    // A scratch repository of the session's own.
    if surroundings.place(top) == Place::Temporary {
        return None;
    }
    if effect.kind == EffectKind::Publish && goes_to_scratch(effect, surroundings) {
        return None;
    }
    let look = given_up(&git, effect, project, disk);
    let look = look.map(|look| with_the_popped(look, effect, &git));
    let look = look.map(|look| without_what_is_held(look, effect, project));
    look.filter(|look| look.loss.unchecked || look.loss != GitLoss::default())
}

/// What the command gives up by its words, whatever the same text has done before.
fn given_up(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<WorkingTreeLoss> {
    match effect.detail.as_str() {
        "git reset --hard" | "git reset --merge" => reset(git, effect, project, disk),
        "git checkout --force" | "git switch --discard-changes" => {
            files(disk.changed(git), lost_by_reset, project)
        }
        "git checkout of paths" | "git restore" if names_nothing(git, effect) => unchecked(true),
        "git checkout of paths" | "git restore" => discarded(git, effect, project, disk),
        "git checkout of a branch or path" => branch_or_path(git, effect, project, disk),
        detail if detail.starts_with("git clean") => clean(git, effect, project, disk),
        "git stash drop" | "git stash clear" if effect.course.stashes > 0 => {
            stashed_here(git, effect, project, disk)
        }
        // What is in the working tree too is not lost with its stash.
        "git stash drop" if effect.course.applied && effect.targets.iter().all(is_newest_stash) => None,
        "git stash drop" if effect.targets.iter().all(is_newest_stash) && newest_stash_is_here(git) => None,
        "git stash drop" => stashes(git, Some(1)),
        "git stash clear" => stashes(git, None),
        "git submodule deinit --force" => effect
            .targets
            .iter()
            .filter_map(|target| of_repository(target.path.as_deref()?, project))
            .next()
            .map(|loss| WorkingTreeLoss { loss, files: Vec::new() }),
        "git reset --keep" => reset(git, effect, project, disk),
        "git commit --amend" if !effect.course.committed => rewritten(git, "HEAD~1"),
        "git reset of own commits" if effect.course.committed => None,
        "git rebase of own commits" | "git reset of own commits" => {
            rewritten(git, effect.targets.first().map_or("HEAD~1", |target| target.text.as_str()))
        }
        "git rebase that drops" => dropped(git, effect),
        "git rebase --onto" => moved_onto(git, effect),
        // What the text has committed there alone is still a change here.
        "git branch -D"
            if effect.targets.iter().any(|target| effect.course.only_on.as_ref() == Some(&target.text)) =>
        {
            files(disk.changed(git), lost_by_reset, project)
        }
        "git branch -D" => branches(git, effect),
        "git branch --force" | "git move of a branch" => moved_branch(git, effect),
        "git move of every branch" => every_moved_branch(git, effect),
        "git worktree remove --force" => worktrees(git, effect, project),
        "git push --force" | "git push --force-with-lease" | "git push of + beside a lease" => {
            forced_push(git, effect)
        }
        "git push --delete" => deleted_branch(git, effect),
        "git rebase --root" if git.names_commit("@{upstream}") != Some(true) => None,
        "git rebase --root" | "git config of a forced push" => unchecked(false),
        "git push --mirror" | "git push --prune" | "git filter-branch" | "git filter-repo"
        | "git reflog expire" => unchecked(false),
        "git update-ref -d" => unchecked(false),
        "git gc --prune" | "git prune" => unchecked(true),
        _ => None,
    }
}

/// `git checkout x`: the branch of this name, which loses nothing, or the path.
fn branch_or_path(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<WorkingTreeLoss> {
    let name = effect.targets.first().map_or("", |target| target.text.as_str());
    match git.names_commit(name) {
        Some(false) => discarded(git, effect, project, disk),
        Some(true) => None,
        None => unchecked(false),
    }
}

/// What is lost with files that are deleted by their names: changes that neither the index nor a commit brings back.
pub(crate) fn deleted(effect: &Effect, dirty: Vec<Dirty>, project: &Project) -> Option<GitLoss> {
    let look = files(Some(dirty), |dirty| lost_in_worktree(dirty) && !is_saved(effect, dirty), project)?;
    let look = without_what_is_held(look, effect, project);
    (!look.files.is_empty()).then_some(look.loss)
}

/// A stash of the same text goes: what the text has put on it is there now as changes.
fn stashed_here(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<WorkingTreeLoss> {
    let untracked = effect.course.untracked;
    let changed = |dirty: &Dirty| lost_by_reset(dirty) && !is_saved(effect, dirty);
    let stashed = |dirty: &Dirty| changed(dirty) || (untracked && dirty.is_untracked());
    let here = files(disk.changed(git), stashed, project)?;
    let most = (effect.detail == "git stash drop").then_some(1);
    match (here.files.is_empty(), effect.course.saved) {
        (true, true) => None,
        (true, false) => stashes(git, most),
        (false, _) => Some(here),
    }
}

/// Whether what is pushed goes into a repository in a temporary folder, which is named by its path.
fn goes_to_scratch(effect: &Effect, surroundings: &Surroundings) -> bool {
    let Some(remote) = effect.targets.first() else { return false };
    let by_address = remote.text.strip_prefix("file://").map(Path::new);
    let is_path = remote.text.starts_with(['/', '.']);
    let path = by_address.or_else(|| remote.path.as_deref().filter(|_| is_path));
    path.is_some_and(|path| surroundings.place(&real(path)) == Place::Temporary)
}

/// Without the files that a commit or a stash of the same text holds by then.
fn without_what_is_held(mut look: WorkingTreeLoss, effect: &Effect, project: &Project) -> WorkingTreeLoss {
    let course = &effect.course;
    // A commit that the command itself takes off the branch holds nothing.
    let goes_back = effect.detail.starts_with("git reset")
        && course.committed
        && !course.elsewhere
        && effect.targets.iter().any(|target| !is_head(&target.text));
    let is_its_branch = effect.detail == "git branch -D" && course.only_on.is_some();
    if effect.detail.starts_with("git stash") || goes_back || is_its_branch {
        return look;
    }
    let is_new = effect.detail.starts_with("git clean");
    let holds_all = if is_new { course.untracked } else { course.tracked };
    let paths: Vec<PathBuf> = course.paths.iter().map(|path| real(path)).collect();
    let is_held = |file: &PathBuf| holds_all || paths.iter().any(|path| file.starts_with(path));
    if course.unsure {
        look.loss.held_if_well = !look.files.is_empty() && look.files.iter().all(is_held);
        return look;
    }
    if holds_all || !paths.is_empty() {
        look.keep_only(|file| !is_held(file), project);
    }
    look
}

fn is_newest_stash(target: &Target) -> bool {
    matches!(target.text.as_str(), "" | "0" | "stash@{0}")
}

/// Whether git tracks a file and has it as it is.
pub(crate) fn is_as_committed(path: &Path) -> bool {
    let Some(parent) = path.parent().filter(|parent| parent.ancestors().any(|it| it.join(".git").exists()))
    else {
        return false;
    };
    let git = Git::at(parent);
    let paths = [path.to_path_buf()];
    git.tracked(&paths).is_some_and(|files| !files.is_empty())
        && git.status(&paths, false).is_some_and(|dirty| dirty.is_empty())
}

/// What a repository below the project holds alone: changes in no commit, and commits that nothing else has.
pub(crate) fn of_repository(path: &Path, project: &Project) -> Option<GitLoss> {
    let git = Git::at(&real(path));
    let look = files(git.status(&[], false), |_| true, project)?;
    let commits = git.unpublished("HEAD").unwrap_or_default();
    let loss = GitLoss { commits, ..look.loss };
    (loss.unchecked || loss != GitLoss::default()).then_some(loss)
}

/// Whether a `git clean` takes the guard's state along, which git ignores.
pub(crate) fn takes_the_guard_along(effect: &Effect, surroundings: &Surroundings, disk: &Disk) -> bool {
    let state = surroundings.root.join(".aiwg/ralph");
    let paths = paths_of(effect, disk).unwrap_or_default();
    matches!(effect.detail.as_str(), "git clean with ignored files" | "git clean of ignored files")
        && effect.recursive
        && state.is_dir()
        // Git passes over a repository that it is not forced into twice, and the state is one.
        && (effect.forced_twice || !state.join(".git").exists())
        && match effect.targets.is_empty() {
            true => effect.directory.as_deref().is_some_and(|directory| state.starts_with(real(directory))),
            false => paths.iter().any(|path| state.starts_with(path) || path.starts_with(&state)),
        }
}

fn stashes(git: &Git, most: Option<usize>) -> Option<WorkingTreeLoss> {
    let Some(count) = git.stashes() else { return unchecked(false) };
    let stashes = most.map_or(count, |most| count.min(most));
    Some(WorkingTreeLoss { loss: GitLoss { stashes, ..GitLoss::default() }, files: Vec::new() })
}
