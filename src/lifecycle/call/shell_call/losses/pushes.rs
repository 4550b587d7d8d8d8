//! Commits of others that a push replaces or takes away.

use std::collections::BTreeSet;

use crate::detectors::commands::destructive_command::GitLoss;
use crate::lifecycle::call::shell_call::losses::branches::{MOST_BRANCHES, stands_in, without};
use crate::lifecycle::call::shell_call::losses::working_tree::{WorkingTreeLoss, unchecked};
use crate::project::Git;
use crate::shell::Effect;

/// What a push writes to, as far as this repository knows.
struct PushedBranch {
    /// The branch of the remote; `None` for a push whose words name none and that nothing was set up for.
    branch: Option<String>,
    /// What this repository has seen of it last, as a revision.
    seen: Option<String>,
    /// The revision that is sent.
    local: String,
    /// Whether the branch is named by the words.
    is_named: bool,
    /// Whether the branch at hand goes onto a branch of its own name, on which nobody else builds by that name.
    is_own: bool,
}

impl PushedBranch {
    fn of(git: &Git, effect: &Effect) -> PushedBranch {
        let mut words = effect.targets.iter().map(|target| target.text.as_str());
        let remote = words.next().unwrap_or("origin");
        let here = effect.course.branch.clone().or_else(|| git.current_branch());
        let is_head = |text: &str| matches!(text, "HEAD" | "@");
        let Some(refspec) = words.next() else { return PushedBranch::without_words(git, effect, here) };
        let refspec = refspec.trim_start_matches('+');
        let (local, to) = refspec.split_once(':').unwrap_or((refspec, refspec));
        let to = to.strip_prefix("refs/heads/").unwrap_or(to);
        let branch = if is_head(to) { here.clone() } else { Some(to.to_owned()) };
        let seen = branch.as_ref().map(|branch| format!("refs/remotes/{remote}/{branch}"));
        let sends_own = is_head(local) || here.as_deref() == Some(local);
        let is_own = sends_own && here == branch && !branch.as_deref().is_none_or(is_built_on);
        PushedBranch { branch, seen, local: local.to_owned(), is_named: true, is_own }
    }

    /// A push without words means what it was set up for.
    fn without_words(git: &Git, effect: &Effect, here: Option<String>) -> PushedBranch {
        let upstream = format!("{}@{{upstream}}", effect.course.branch.as_deref().unwrap_or_default());
        let seen = (git.names_commit(&upstream) == Some(true)).then_some(upstream);
        let local = effect.course.branch.clone().unwrap_or_else(|| "HEAD".to_owned());
        let is_own = !here.as_deref().is_none_or(is_built_on);
        PushedBranch { branch: here, seen, local, is_named: false, is_own }
    }

    fn is_shared(&self) -> bool {
        self.branch.as_deref().is_none_or(is_built_on)
    }

    /// Whether the words name such a branch, and the text has not taken in before what that one holds: a lease there is
    /// worth a word.
    fn is_told_of(&self, effect: &Effect) -> bool {
        let names_shared = self.is_named && self.branch.as_deref().is_some_and(is_built_on);
        names_shared && !effect.course.caught_up
    }

    /// Whether the branch here has stood where the remote's was seen last: what is replaced is its own, made anew.
    fn has_been_there(&self, git: &Git) -> bool {
        let log = || {
            let branch = format!("refs/heads/{}", self.branch.as_deref()?);
            let tip = git.ask(&["rev-parse", "--verify", "--quiet", self.seen.as_deref()?])?;
            let stood = git.ask(&["log", "--walk-reflogs", "--format=%H", &branch, "--"])?;
            let tip = String::from_utf8_lossy(&tip).trim().to_owned();
            Some(!tip.is_empty() && String::from_utf8_lossy(&stood).lines().any(|line| line == tip))
        };
        log() == Some(true)
    }
}

pub(crate) fn forced_push(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let voided = effect.detail.ends_with("beside a lease");
    let leased = !voided && effect.detail.ends_with("lease");
    let pushed = PushedBranch::of(git, effect);
    // A lease that the text has just renewed asks nobody any more.
    if (leased || voided) && effect.course.fetched && pushed.is_shared() {
        return unchecked(false);
    }
    let seen = pushed.seen.as_deref();
    match seen.and_then(|seen| git.commits_between(&pushed.local, seen)) {
        Some(commits) if commits.is_empty() => as_it_was_seen(git, effect, &pushed, (leased, voided)),
        Some(commits) => {
            let is_own = || pushed.is_own && pushed.has_been_there(git);
            let recoverable = leased || voided || is_own();
            Some(WorkingTreeLoss {
                loss: GitLoss { commits, recoverable, ..GitLoss::default() },
                files: Vec::new(),
            })
        }
        // A lease that nothing is known about is refused by git itself, unless it was taken a moment ago.
        None if leased && (effect.course.rewritten || pushed.is_told_of(effect)) => unchecked(true),
        None if leased => None,
        // A branch of one's own that this repository has never seen there is at most one's own.
        None => unchecked(voided || pushed.is_own),
    }
}

/// A push by force that replaces nothing of what was seen of the remote last.
fn as_it_was_seen(
    git: &Git,
    effect: &Effect,
    pushed: &PushedBranch,
    (leased, voided): (bool, bool),
) -> Option<WorkingTreeLoss> {
    // Whether the remote has all that is pushed.
    let has_all = || {
        let ahead = pushed.seen.as_deref().and_then(|seen| git.commits_between(seen, &pushed.local));
        ahead.is_some_and(|commits| commits.is_empty())
    };
    // What both have now is made anew before the push.
    if effect.course.rewritten && has_all() {
        return if leased && !pushed.is_shared() { None } else { unchecked(leased || pushed.is_own) };
    }
    if leased {
        return if pushed.is_told_of(effect) { unchecked(true) } else { None };
    }
    // The last look at the remote fits, but others may have pushed since: onto a branch that many build on surely.
    unchecked(voided || !(pushed.is_named && pushed.is_shared()))
}

/// Whether a branch is by its name one that others build on: a release that is finished goes, `release/2.x` stays.
fn is_shared(branch: &str) -> bool {
    const SHARED: &[&str] = &["main", "master", "develop", "trunk", "production", "staging", "release"];
    SHARED.contains(&branch)
        || [".x", "-stable", "-lts"].iter().any(|end| branch.ends_with(end))
        || branch.starts_with("stable/")
}

/// Whether others surely build on what a branch of this name holds now: a shared one, or the line of one release.
fn is_built_on(branch: &str) -> bool {
    const LINES: &[&str] = &["release/", "releases/", "release-", "rel/", "hotfix/"];
    const PLACES: &[&str] = &["prod", "live", "dev", "development", "next", "qa", "uat", "preprod"];
    let is_version = |rest: &str| {
        let rest = rest.trim_start_matches(['v', 'V']);
        rest.starts_with(|letter: char| letter.is_ascii_digit())
    };
    is_shared(branch)
        || PLACES.contains(&branch)
        || LINES.iter().any(|line| branch.strip_prefix(line).is_some_and(is_version))
}

pub(crate) fn deleted_branch(git: &Git, effect: &Effect) -> Option<WorkingTreeLoss> {
    let mut words = effect.targets.iter().map(|target| target.text.as_str());
    let remote = words.next().unwrap_or("origin");
    let named: BTreeSet<&str> = words.map(|word| word.trim_start_matches(':')).collect();
    if named.len() > MOST_BRANCHES {
        return unchecked(true);
    }
    // What the text itself has pushed, and nobody before it.
    let is_new = |branch: &&str| git.names_commit(&format!("refs/remotes/{remote}/{branch}")) == Some(false);
    if effect.made_here && named.iter().all(|branch| is_new(branch) && !is_built_on(branch)) {
        return None;
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
