//! What a git command would really give up: asked of the repository, because on a clean tree it loses nothing.

mod apart;
mod branches;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{GitLoss, Place};
use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::gather::targets::each_once;
use crate::lifecycle::call::shell_call::losses::apart::{with_the_popped, worktrees};
use crate::lifecycle::call::shell_call::losses::branches::{
    branches, deleted_branch, dropped, forced_push, moved_branch, moved_onto, rewritten,
};
use crate::lifecycle::call::shell_call::names::is_output_name;
use crate::lifecycle::call::shell_call::pattern::is_pattern;
use crate::lifecycle::call::shell_call::place::{Surroundings, real};
use crate::project::{Dirty, Git, Project};
use crate::shell::{Course, Effect, EffectKind, Target};

/// A loss, and the files whose bytes can be kept before it happens.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) loss: GitLoss,
    pub(crate) files: Vec<PathBuf>,
}

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
) -> Option<Look> {
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
    let look = match effect.detail.as_str() {
        "git reset --hard" | "git reset --merge" => reset(&git, effect, project, disk),
        "git checkout --force" | "git switch --discard-changes" => {
            files(disk.changed(&git), lost_by_reset, project)
        }
        "git checkout of paths" | "git restore" if names_nothing(&git, effect) => unchecked(true),
        "git checkout of paths" | "git restore" => discarded(&git, effect, project, disk),
        "git checkout of a branch or path" => {
            let name = effect.targets.first().map_or("", |target| target.text.as_str());
            match git.names_commit(name) {
                Some(false) => discarded(&git, effect, project, disk),
                Some(true) => None,
                None => unchecked(false),
            }
        }
        detail if detail.starts_with("git clean") => clean(&git, effect, project, disk),
        // What the text has put on a stash is there now as changes.
        "git stash drop" | "git stash clear" if effect.course.stashes > 0 => {
            let untracked = effect.course.untracked;
            let changed = |dirty: &Dirty| lost_by_reset(dirty) && !is_saved(effect, dirty);
            let stashed = |dirty: &Dirty| changed(dirty) || (untracked && dirty.is_untracked());
            let here = files(disk.changed(&git), stashed, project)?;
            let most = (effect.detail == "git stash drop").then_some(1);
            match (here.files.is_empty(), effect.course.saved) {
                (true, true) => None,
                (true, false) => stashes(&git, most),
                (false, _) => Some(here),
            }
        }
        // What is in the working tree too is not lost with its stash.
        "git stash drop" if effect.course.applied && effect.targets.iter().all(is_newest_stash) => None,
        "git stash drop" => stashes(&git, Some(1)),
        "git stash clear" => stashes(&git, None),
        "git submodule deinit --force" => effect
            .targets
            .iter()
            .filter_map(|target| of_repository(target.path.as_deref()?, project))
            .next()
            .map(|loss| Look { loss, files: Vec::new() }),
        "git reset --keep" => reset(&git, effect, project, disk),
        "git commit --amend" if !effect.course.committed => rewritten(&git, "HEAD~1"),
        "git rebase of own commits" => {
            rewritten(&git, effect.targets.first().map_or("HEAD~1", |target| target.text.as_str()))
        }
        "git rebase that drops" => dropped(&git, effect),
        "git rebase --onto" => moved_onto(&git, effect),
        // What the text has committed there alone is still a change here.
        "git branch -D"
            if effect.targets.iter().any(|target| effect.course.only_on.as_ref() == Some(&target.text)) =>
        {
            files(disk.changed(&git), lost_by_reset, project)
        }
        "git branch -D" => branches(&git, effect),
        "git branch --force" | "git move of a branch" => moved_branch(&git, effect),
        "git worktree remove --force" => worktrees(&git, effect, project),
        "git push --force" | "git push --force-with-lease" | "git push of + beside a lease" => {
            forced_push(&git, effect)
        }
        "git push --delete" => deleted_branch(&git, effect),
        "git rebase --root" if git.names_commit("@{upstream}") != Some(true) => None,
        "git rebase --root" | "git config of a forced push" => unchecked(false),
        "git push --mirror" | "git push --prune" | "git filter-branch" | "git filter-repo"
        | "git reflog expire" => unchecked(false),
        "git update-ref -d" => unchecked(false),
        "git gc --prune" | "git prune" => unchecked(true),
        _ => None,
    };
    let look = look.map(|look| with_the_popped(look, effect, &git));
    let look = look.map(|look| without_what_is_held(look, effect, project));
    look.filter(|look| look.loss.unchecked || look.loss != GitLoss::default())
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
fn without_what_is_held(mut look: Look, effect: &Effect, project: &Project) -> Look {
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
    look.files.retain(|file| !is_held(file));
    if holds_all || !paths.is_empty() {
        look.loss.files = look.files.iter().map(|path| name_of(project, path)).collect();
    }
    look
}

/// Whether a word names the newest commit, where the branch stands.
fn is_head(text: &str) -> bool {
    matches!(text, "HEAD" | "@" | "HEAD~0" | "HEAD^0" | "@~0" | "@^0")
}

fn is_newest_stash(target: &Target) -> bool {
    matches!(target.text.as_str(), "" | "0" | "stash@{0}")
}

fn unchecked(recoverable: bool) -> Option<Look> {
    Some(Look { loss: GitLoss { unchecked: true, recoverable, ..GitLoss::default() }, files: Vec::new() })
}

/// The files among `status` that `is_lost` chooses; a status that could not be had is said so.
fn files(status: Option<Vec<Dirty>>, is_lost: impl Fn(&Dirty) -> bool, project: &Project) -> Option<Look> {
    let Some(status) = status else { return unchecked(false) };
    let lost: Vec<PathBuf> =
        status.into_iter().filter(|dirty| is_lost(dirty)).map(|dirty| dirty.path).collect();
    let names = lost.iter().map(|path| name_of(project, path)).collect();
    Some(Look { loss: GitLoss { files: names, ..GitLoss::default() }, files: lost })
}

/// The name of a path whose links are resolved, seen from a project whose root may not be.
fn name_of(project: &Project, path: &Path) -> String {
    Project::at(&real(project.root())).name_of(path)
}

/// Changes that neither the index nor a commit brings back. A file that is only deleted comes back.
fn lost_by_reset(dirty: &Dirty) -> bool {
    !dirty.is_untracked()
        && (matches!(dirty.worktree, 'M' | 'T' | 'A' | 'U') || matches!(dirty.index, 'M' | 'A' | 'T' | 'U'))
}

/// Whether a patch that the same text has written holds what is changed in a file: `git diff > changes.patch`.
fn is_saved(effect: &Effect, dirty: &Dirty) -> bool {
    let course = &effect.course;
    let holds = || course.saved || course.saved_paths.iter().any(|path| dirty.path.starts_with(real(path)));
    dirty.index == ' ' && dirty.worktree == 'M' && holds() || is_copied(effect, dirty)
}

/// Whether the same text has copied a file to another place before.
fn is_copied(effect: &Effect, dirty: &Dirty) -> bool {
    effect.course.copied_paths.iter().any(|path| dirty.path.starts_with(real(path)))
}

fn reset(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<Look> {
    let mut look = match effect.detail.as_str() {
        "git reset --keep" => Look::default(),
        _ => files(disk.changed(git), |dirty| lost_by_reset(dirty) && !is_saved(effect, dirty), project)?,
    };
    let to = effect
        .targets
        .first()
        .map(|target| target.text.as_str())
        .filter(|to| !is_head(to) && !to.contains('…'));
    // A commit of the same text is not there yet, and would be the first to go.
    let is_there = |course: &Course| !course.held && (!course.committed || course.elsewhere);
    if let Some(to) = to.filter(|_| is_there(&effect.course)) {
        look.loss.commits = git.left_behind(to).unwrap_or_default();
    }
    Some(look)
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

/// The paths of an effect as the disk has them, each once; none means all. `None` when they can't be looked up.
fn paths_of(effect: &Effect, disk: &Disk) -> Option<Vec<PathBuf>> {
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
fn names_nothing(git: &Git, effect: &Effect) -> bool {
    let known = |path: &PathBuf| path.symlink_metadata().is_ok() || path.ends_with(":");
    let paths: Vec<PathBuf> = effect.targets.iter().filter_map(|target| target.path.clone()).collect();
    let plain = effect.targets.iter().all(|target| !target.glob && !target.text.starts_with(":"));
    !paths.is_empty()
        && plain
        && !paths.iter().any(known)
        && git.tracked(&paths).is_some_and(|files| files.is_empty())
}

fn discarded(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<Look> {
    let Some(paths) = paths_of(effect, disk) else { return unchecked(false) };
    let is_pattern = |target: &Target| target.glob && !target.text.starts_with(':');
    let names_none = paths.is_empty() && effect.targets.iter().any(is_pattern);
    if names_none {
        return None;
    }
    let in_worktree =
        |dirty: &Dirty| !dirty.is_untracked() && matches!(dirty.worktree, 'M' | 'T' | 'A' | 'U');
    let in_worktree = |dirty: &Dirty| in_worktree(dirty) && !is_saved(effect, dirty);
    files(git.status(&paths, false), in_worktree, project)
}

fn clean(git: &Git, effect: &Effect, project: &Project, disk: &Disk) -> Option<Look> {
    let ignored = effect.detail.ends_with("ignored files");
    let only_ignored = effect.detail == "git clean of ignored files";
    let top = git.top().map(Path::to_path_buf)?;
    let Some(mut paths) = paths_of(effect, disk) else { return unchecked(false) };
    // A clean without paths begins where it runs.
    let here = effect.directory.as_deref().map(real).filter(|here| *here != top);
    if effect.targets.is_empty() {
        paths.extend(here);
    }
    let status = git.status(&paths, ignored);
    let removed = |dirty: &Dirty| {
        let inside = dirty.path.strip_prefix(&top).unwrap_or(&dirty.path);
        let goes = if only_ignored { dirty.is_ignored() } else { dirty.is_untracked() };
        goes && !is_output_name(inside) && !inside.starts_with(".aiwg") && !is_copied(effect, dirty)
    };
    let mut look = files(status, removed, project)?;
    // `-e` adds to what is ignored; what `-e '!.env'` takes out of it stays where only the ignored goes.
    let patterns: Vec<String> = match only_ignored {
        true => effect.spared.iter().filter_map(|it| it.strip_prefix('!')).map(str::to_owned).collect(),
        false => effect.spared.clone(),
    };
    if !patterns.is_empty() && !look.files.is_empty() {
        let spared = git.matching(&patterns, &look.files).unwrap_or_default();
        look.files.retain(|file| !spared.contains(file));
        look.loss.files = look.files.iter().map(|path| name_of(project, path)).collect();
    }
    if !effect.recursive {
        // Without -d only files beside tracked ones go.
        let parents: Vec<PathBuf> =
            look.files.iter().filter_map(|file| Some(file.parent()?.to_path_buf())).collect();
        let tracked = if parents.is_empty() { Vec::new() } else { git.tracked(&parents).unwrap_or_default() };
        look.files
            .retain(|file| file.parent().is_some_and(|parent| tracked.iter().any(|t| t.starts_with(parent))));
        look.loss.files = look.files.iter().map(|path| name_of(project, path)).collect();
    }
    Some(look)
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

fn stashes(git: &Git, most: Option<usize>) -> Option<Look> {
    let Some(count) = git.stashes() else { return unchecked(false) };
    let stashes = most.map_or(count, |most| count.min(most));
    Some(Look { loss: GitLoss { stashes, ..GitLoss::default() }, files: Vec::new() })
}
