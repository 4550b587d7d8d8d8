//! Commits that would be on no branch any more: deleted and moved branches, and pushes that replace others.

use std::collections::BTreeSet;

use crate::detectors::commands::destructive_command::GitLoss;
use crate::lifecycle::call::shell_call::losses::working_tree::{WorkingTreeLoss, unchecked};
use crate::project::Git;
use crate::shell::Effect;

/// The most branches of one command that are looked into: each is a question to git.
pub(super) const MOST_BRANCHES: usize = 24;

pub(crate) fn branches(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let Some(known) = git.branches() else { return unchecked(false) };
    let named: BTreeSet<&str> = effect.targets.iter().map(|target| target.text.as_str()).collect();
    // Names that other commands give can be those of any branch.
    let is_any = named.iter().any(|name| name.contains('…')) && !effect.made_here;
    // A branch that isn't there can't be deleted, and what another name holds by then is not lost.
    let is_held = |name: &str| effect.course.named.iter().any(|held| held == name);
    let mut there: Vec<&str> = known
        .iter()
        .map(String::as_str)
        .filter(|name| is_any || (named.contains(name) && !is_held(name)))
        .collect();
    there.sort_unstable();
    if there.len() > MOST_BRANCHES {
        return unchecked(false);
    }
    let mut commits = Vec::new();
    let staying = staying(git, &there);
    for branch in &there {
        match git.only_on_branch(branch) {
            Some(found) if !found.is_empty() && stands_in(git, &format!("refs/heads/{branch}"), &staying) => {
            }
            Some(found) => commits.extend(found),
            None => return unchecked(false),
        }
    }
    Some(without(commits))
}

/// What stays where branches go, as revisions for git.
fn staying(git: &Git, going: &[&str]) -> Vec<String> {
    let excluded = going.iter().map(|branch| format!("--exclude={branch}"));
    let own = git.current_branch();
    let head = (!own.is_some_and(|own| going.contains(&own.as_str()))).then(|| "HEAD".to_owned());
    let others = ["--branches", "--remotes", "--tags"].map(str::to_owned);
    head.into_iter().chain(excluded).chain(others).collect()
}

/// Whether what a branch changes stands in commits of what stays, as after a squash merge.
pub(super) fn stands_in(git: &Git, tip: &str, staying: &[String]) -> bool {
    git.has_changes_of(tip, &staying.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A branch that is given another commit: what only it held.
pub(crate) fn moved_branch(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let mut names = effect.targets.iter().map(|target| target.text.as_str());
    let (branch, to) = (names.next()?, names.next().unwrap_or("HEAD"));
    if git.names_commit(&format!("refs/heads/{branch}")) != Some(true) {
        return None;
    }
    let own = git.current_branch();
    let only = match own.as_deref() == Some(branch) {
        true => git.left_behind(to)?,
        false => git.only_on_branch(branch)?,
    };
    let left = git.commits_between(to, &format!("refs/heads/{branch}"))?;
    // What the text has given another name before is nobody's loss.
    let is_named = effect.course.held && own.as_deref() == Some(branch);
    if is_named || effect.course.named.iter().any(|named| named == branch) {
        return None;
    }
    let mut look = without(only.into_iter().filter(|commit| left.contains(commit)).collect());
    if look.loss.commits.is_empty() && effect.detail != "git branch --force" {
        let unpublished = git.unpublished(&format!("refs/heads/{branch}"))?;
        look.loss.elsewhere = left.into_iter().filter(|commit| unpublished.contains(commit)).collect();
    }
    // Who forces a branch names it for that alone; what it held stands in its own log.
    look.loss.recoverable = effect.detail == "git branch --force";
    Some(look)
}

/// `git fetch origin '+refs/heads/*:refs/heads/*'`: every branch becomes what the remote has by its name.
pub(crate) fn every_moved_branch(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let remote = effect.targets.first().map_or("origin", |target| target.text.as_str());
    let known = git.branches()?;
    let mut commits = Vec::new();
    for branch in known.iter().take(MOST_BRANCHES) {
        let there = format!("refs/remotes/{remote}/{branch}");
        if git.names_commit(&there) == Some(true) {
            commits.extend(git.commits_between(&there, &format!("refs/heads/{branch}"))?);
        }
    }
    Some(without(commits))
}

/// Commits that nothing holds any more.
pub(super) fn without(commits: Vec<String>) -> WorkingTreeLoss {
    WorkingTreeLoss { loss: GitLoss { commits, ..GitLoss::default() }, files: Vec::new() }
}

/// A rebase whose list of commits is edited by a program that takes some out.
pub(crate) fn dropped(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let upstream = effect.targets.first().map_or("@{upstream}", |target| target.text.as_str());
    Some(or_elsewhere(git.left_behind(upstream)?, || git.commits_between(upstream, "HEAD")))
}

/// Commits that nothing else holds; where there are none, those that leave the branch and stand on others.
fn or_elsewhere(lost: Vec<String>, leaving: impl FnOnce() -> Option<Vec<String>>) -> WorkingTreeLoss {
    let elsewhere = if lost.is_empty() { leaving().unwrap_or_default() } else { Vec::new() };
    let mut look = without(lost);
    look.loss.elsewhere = elsewhere;
    look
}

/// Commits behind `base` that a remote has: made anew here, they are no longer those.
pub(crate) fn rewritten(git: &Git, base: &str) -> Option<WorkingTreeLoss> {
    (!base.starts_with('-')).then_some(())?;
    let own = git.unpublished("HEAD")?;
    // The first commit of all has none before it.
    let is_first = || git.names_commit(base) == Some(false);
    let all = git.commits_between(base, "HEAD");
    let all = all.or_else(|| {
        is_first()
            .then(|| git.commits_between("@{upstream}", "HEAD"))
            .flatten()
            .filter(|it| it.is_empty())
            .and_then(|_| Some(vec![git.head()?]))
    })?;
    let published: Vec<String> = all.into_iter().filter(|commit| !own.contains(commit)).collect();
    (!published.is_empty()).then_some(())?;
    Some(WorkingTreeLoss {
        loss: GitLoss { published, recoverable: true, ..GitLoss::default() },
        files: Vec::new(),
    })
}

/// `git rebase --onto A B`: what stands between them is on the branch no more.
pub(crate) fn moved_onto(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let mut names = effect.targets.iter().map(|target| target.text.as_str());
    let (onto, upstream) = (names.next()?, names.next()?);
    let between = git.commits_between(onto, upstream)?;
    let only = git.left_behind(onto)?;
    let lost = only.into_iter().filter(|commit| between.contains(commit)).collect();
    Some(or_elsewhere(lost, || Some(between)))
}
