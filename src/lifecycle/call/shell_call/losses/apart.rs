//! Work that lies apart from the working tree: in other working trees, and on stashes that were taken back.

use std::path::{Path, PathBuf};

use crate::lifecycle::call::shell_call::losses::working_tree::{WorkingTreeLoss, files};
use crate::lifecycle::call::shell_call::place::real;
use crate::project::{Git, Project};
use crate::shell::{Effect, Target};

/// The most other working trees that are looked into.
const MOST_TREES: usize = 8;

/// What working trees hold that would go with them: the one that is named, or any where the name is not known.
pub(crate) fn worktrees(git: &Git, effect: &Effect, project: &Project) -> Option<WorkingTreeLoss> {
    let named = effect.targets.first()?.path.clone();
    let trees = match named {
        Some(tree) => vec![tree],
        None => linked_trees(git)?,
    };
    // One that the same text makes is not there yet.
    let there = trees.into_iter().filter(|tree| tree.exists()).take(MOST_TREES);
    let looks = there.filter_map(|tree| files(Git::at(&real(&tree)).status(&[], false), |_| true, project));
    looks.reduce(|mut all, one| {
        all.files.extend(one.files);
        all.loss.files.extend(one.loss.files);
        all.loss.unchecked |= one.loss.unchecked;
        all
    })
}

/// Whether the working tree has all that the newest stash holds, file by file.
pub(crate) fn newest_stash_is_here(git: &Git) -> bool {
    const MOST_FILES: usize = 64;
    let names = |arguments: &[&str]| -> Option<Vec<String>> {
        let found = String::from_utf8(git.ask(arguments)?).ok()?;
        Some(found.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    };
    let is_here = || {
        let top = git.top()?;
        let tracked = names(&["diff", "--name-only", "-z", "stash@{0}^1", "stash@{0}"])?;
        let differing = names(&["diff", "--name-only", "-z", "stash@{0}"])?;
        let untracked = names(&["ls-tree", "-r", "-z", "stash@{0}^3"]).unwrap_or_default();
        (tracked.len() + untracked.len() <= MOST_FILES).then_some(())?;
        Some(tracked.iter().all(|name| !differing.contains(name)) && are_there(git, top, &untracked)?)
    };
    is_here() == Some(true)
}

/// Whether files are on the disk as a tree lists them, in one question: `100644 blob 3b18e5\tname`.
fn are_there(git: &Git, top: &Path, listed: &[String]) -> Option<bool> {
    if listed.is_empty() {
        return Some(true);
    }
    let (mut ids, mut arguments) = (Vec::new(), vec!["hash-object".to_owned(), "--".to_owned()]);
    for entry in listed {
        let (about, name) = entry.split_once('\t')?;
        ids.push(about.rsplit(' ').next()?);
        arguments.push(top.join(name).to_str()?.to_owned());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let now = git.ask(&arguments)?;
    Some(String::from_utf8_lossy(&now).lines().eq(ids))
}

/// The working trees of a repository besides its own.
fn linked_trees(git: &Git) -> Option<Vec<PathBuf>> {
    let list = git.ask(&["worktree", "list", "--porcelain"])?;
    let list = String::from_utf8_lossy(&list).into_owned();
    Some(list.lines().filter_map(|line| line.strip_prefix("worktree ")).skip(1).map(PathBuf::from).collect())
}

/// What a stash held that the text has taken back is in the working tree alone, and goes with it.
pub(crate) fn with_the_popped(mut look: WorkingTreeLoss, effect: &Effect, git: &Git) -> WorkingTreeLoss {
    let whole = matches!(
        effect.detail.as_str(),
        "git reset --hard" | "git checkout --force" | "git switch --discard-changes"
    );
    let some = matches!(effect.detail.as_str(), "git checkout of paths" | "git restore");
    if !effect.course.popped || !(whole || some) {
        return look;
    }
    let Some(top) = git.top().map(Path::to_path_buf) else { return look };
    let names = git.ask(&["stash", "show", "--name-only", "-z", "stash@{0}"]).unwrap_or_default();
    let names = String::from_utf8_lossy(&names).into_owned();
    let mut held = names.split('\0').filter(|name| !name.is_empty()).map(|name| top.join(name));
    let goes = |path: PathBuf| {
        let below = |target: &Target| {
            target.glob || target.path.as_deref().is_none_or(|target| path.starts_with(real(target)))
        };
        whole || effect.targets.iter().any(below)
    };
    look.loss.stashes += usize::from(held.any(goes));
    look
}
