//! Commits that would be on no branch any more: deleted and moved branches, and pushes that replace others.

use std::collections::BTreeSet;

use crate::detectors::commands::destructive_command::GitLoss;
use crate::lifecycle::call::shell_call::losses::working_tree::{WorkingTreeLoss, unchecked};
use crate::project::Git;
use crate::shell::Effect;

/// The most branches of one command that are looked into: each is a question to git.
const MOST_BRANCHES: usize = 24;

pub(crate) fn branches(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let Some(known) = git.branches() else { return unchecked(false) };
    let named: BTreeSet<&str> = effect.targets.iter().map(|target| target.text.as_str()).collect();
    // Names that other commands give can be those of any branch.
    let is_any = named.iter().any(|name| name.contains('…'));
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
fn stands_in(git: &Git, tip: &str, staying: &[String]) -> bool {
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
    let mut look = without(only.into_iter().filter(|commit| left.contains(commit)).collect());
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
fn without(commits: Vec<String>) -> WorkingTreeLoss {
    WorkingTreeLoss { loss: GitLoss { commits, ..GitLoss::default() }, files: Vec::new() }
}

/// A rebase whose list of commits is edited by a program that takes some out.
pub(crate) fn dropped(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let upstream = effect.targets.first().map_or("@{upstream}", |target| target.text.as_str());
    Some(without(git.left_behind(upstream)?))
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
    Some(without(only.into_iter().filter(|commit| between.contains(commit)).collect()))
}

/// The remote's branch that a push writes to, and the local revision that it sends.
fn pushed(git: &Git, effect: &Effect) -> Option<(String, String)> {
    let mut words = effect.targets.iter().map(|target| target.text.as_str());
    let remote = words.next().unwrap_or("origin");
    match words.next() {
        Some(refspec) => {
            let refspec = refspec.trim_start_matches('+');
            let (local, branch) = refspec.split_once(':').unwrap_or((refspec, refspec));
            Some((format!("refs/remotes/{remote}/{branch}"), local.to_owned()))
        }
        None => {
            let upstream = "@{upstream}".to_owned();
            git.names_commit(&upstream)?.then(|| (upstream, "HEAD".to_owned()))
        }
    }
}

pub(crate) fn forced_push(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let voided = effect.detail.ends_with("beside a lease");
    let leased = !voided && effect.detail.ends_with("lease");
    let pushed = pushed(git, effect);
    let replaced = pushed.as_ref().and_then(|(remote, local)| git.commits_between(local, remote));
    // Whether the remote has all that is pushed.
    let has_all = || {
        let ahead = pushed.as_ref().and_then(|(remote, local)| git.commits_between(remote, local));
        ahead.is_some_and(|commits| commits.is_empty())
    };
    match replaced {
        // What both have now is made anew before the push.
        Some(commits) if commits.is_empty() && effect.course.rewritten && has_all() => {
            let shared = || git.current_branch().is_none_or(|branch| is_shared(&branch));
            if leased && !shared() { None } else { unchecked(leased) }
        }
        Some(commits) if commits.is_empty() && leased => None,
        // The last look at the remote fits, but others may have pushed since: onto a branch that many build on surely.
        Some(commits) if commits.is_empty() => {
            // A bare push means what it was set up for.
            let named = pushed.as_ref().and_then(|(remote, _)| remote.splitn(4, '/').nth(3));
            unchecked(voided || !named.is_some_and(is_shared))
        }
        Some(commits) => Some(WorkingTreeLoss {
            loss: GitLoss { commits, recoverable: leased || voided, ..GitLoss::default() },
            files: Vec::new(),
        }),
        // A lease that nothing is known about is refused by git itself, unless it was taken a moment ago.
        None if leased && effect.course.rewritten => unchecked(true),
        None if leased => None,
        None => unchecked(voided),
    }
}

/// Whether a branch is by its name one that others build on: a release that is finished goes, `release/2.x` stays.
fn is_shared(branch: &str) -> bool {
    const SHARED: &[&str] = &["main", "master", "develop", "trunk", "production", "staging", "release"];
    SHARED.contains(&branch)
        || [".x", "-stable", "-lts"].iter().any(|end| branch.ends_with(end))
        || branch.starts_with("stable/")
}

pub(crate) fn deleted_branch(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let mut words = effect.targets.iter().map(|target| target.text.as_str());
    let remote = words.next().unwrap_or("origin");
    let named: BTreeSet<&str> = words.map(|word| word.trim_start_matches(':')).collect();
    if named.len() > MOST_BRANCHES {
        return unchecked(true);
    }
    if named.iter().any(|branch| is_shared(branch)) {
        return unchecked(false);
    }
    let mut commits = Vec::new();
    let going: Vec<String> = named.iter().map(|branch| format!("--exclude={remote}/{branch}")).collect();
    let staying = [&["HEAD".to_owned()], going.as_slice(), &["--remotes".to_owned()]].concat();
    for branch in named {
        let tip = format!("refs/remotes/{remote}/{branch}");
        // A branch that this repository has never seen may hold anything.
        let Some(found) = git.commits_between("HEAD", &tip) else { return unchecked(false) };
        if !found.is_empty() && !stands_in(git, &tip, &staying) {
            commits.extend(found);
        }
    }
    // What is on it may be here too, and others may have built on it since.
    if commits.is_empty() { unchecked(true) } else { Some(without(commits)) }
}
