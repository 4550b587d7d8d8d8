//! Work in git that a command gives up: changes that are in no commit, commits that nothing else holds, stashes.

use super::finding::{finding, first_of};
use super::reach::GitLoss;
use crate::detectors::pattern::{Pattern, PatternProof};
use crate::model::finding::{Finding, Severity, counted};
use crate::shell::{Effect, EffectKind};

/// The most names that a text lists.
const MOST_NAMES: usize = 8;

/// What gives the whole working tree up, and is named in what is said of it.
const WHOLE_TREE: &str = "git reset --hard";

/// What is said of files that would be given up.
const UNCOMMITTED: &str = " with changes that are in no commit: ";

/// Work that is in no commit.
pub(super) static GIT_WORK: Pattern = Pattern {
    id: "SF-012",
    name: "Uncommitted Work Discarded",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "Changes that are in no commit, a stash, or commits of a branch would be discarded.",
    why: "Git brings back only what was committed.",
    instead: "Changed and new files are safe in a commit or on a stash (`git stash -u`), a stash as a branch (`git stash branch kept`), commits on a branch that stays.",
    proof: PatternProof::Commands {
        catches: &["git checkout -- .", "git reset --hard", "git stash drop"],
        spares: &["git status", "git stash", "git checkout -b next"],
    },
};

/// Commits that others or the log hold.
pub(super) static HISTORY: Pattern = Pattern {
    id: "SF-013",
    name: "History Rewritten",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "Published or reachable commits would be replaced or given up.",
    why: "Others have built on the commits that would be gone.",
    instead: "A new commit on top, or a new branch, keeps what others and the log already have.",
    proof: PatternProof::Commands {
        catches: &["git filter-branch --all", "git reflog expire --expire=now --all", "git gc --prune=now"],
        spares: &["git push", "git commit --amend --no-edit", "git gc"],
    },
};

/// What an effect gives up in git.
pub(super) fn git_loss(effect: &Effect, loss: &GitLoss) -> Option<Finding> {
    let pattern = match effect.kind {
        EffectKind::Publish | EffectKind::RewriteHistory => &HISTORY,
        _ => &GIT_WORK,
    };
    let mut losses = Vec::new();
    if !loss.files.is_empty() {
        let count = counted(loss.files.len(), "file");
        let unless = if loss.held_if_well { ", unless the commit before it ends well" } else { "" };
        losses.push(format!("{count}{UNCOMMITTED}{}{unless}", listed(&loss.files)));
    }
    if !loss.commits.is_empty() {
        let count = counted(loss.commits.len(), "commit");
        losses.push(format!("{count} that nothing else holds: {}", listed(&loss.commits)));
    }
    if !loss.published.is_empty() {
        let count = counted(loss.published.len(), "commit");
        losses.push(format!("{count} as others have it: {}", listed(&loss.published)));
    }
    if !loss.elsewhere.is_empty() {
        let count = counted(loss.elsewhere.len(), "commit");
        losses.push(format!("{count} on this branch, which another one has: {}", listed(&loss.elsewhere)));
    }
    if loss.stashes > 0 {
        losses.push(if loss.stashes == 1 {
            "1 stash".to_owned()
        } else {
            format!("{} stashes", loss.stashes)
        });
    }
    let only_files = loss.commits.is_empty() && loss.stashes == 0;
    let stands_elsewhere = !loss.elsewhere.is_empty() && only_files && loss.files.is_empty();
    let is_mild = (loss.recoverable && loss.files.is_empty())
        || (loss.held_if_well && only_files)
        || (stands_elsewhere && loss.published.is_empty());
    let severity = if is_mild { Severity::Medium } else { Severity::High };
    let what = match (losses.is_empty(), loss.unchecked, effect.kind) {
        (true, false, _) => return None,
        (true, true, EffectKind::Publish) => "commits that were published could be replaced".to_owned(),
        (true, true, EffectKind::RewriteHistory) => "commits could become unreachable".to_owned(),
        (true, true, _) => "what would be lost could not be found out".to_owned(),
        (false, _, _) if effect.detail == WHOLE_TREE => {
            format!("`{WHOLE_TREE}` would give up {}", losses.join("; "))
        }
        (false, _, _) => format!("the command would give up {}", losses.join("; ")),
    };
    let path = loss.files.first().cloned().unwrap_or_default();
    Some(finding(pattern, severity, path, what, if loss.unchecked { 0.6 } else { 0.9 }))
}

/// Whether a finding is about files alone that are in no commit: no commits and no stashes go with them, and not all that a
/// session may have worked on for hours.
pub fn gives_up_only_files(finding: &Finding) -> bool {
    let what = &finding.what;
    let is_whole = what.strip_prefix('`').is_some_and(|rest| rest.starts_with(WHOLE_TREE));
    finding.pattern_id == GIT_WORK.id && what.contains(UNCOMMITTED) && !what.contains("; ") && !is_whole
}

fn listed(names: &[String]) -> String {
    first_of(names, MOST_NAMES)
}
