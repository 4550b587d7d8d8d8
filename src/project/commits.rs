//! What git knows of commits, branches and stashes.

use std::collections::HashSet;

use super::git::Git;
use super::silence::{self, GitFault};

/// The most commits that a question names.
const MOST_COMMITS: &str = "--max-count=20";

impl Git {
    /// Whether `revision` names a commit here.
    pub fn names_commit(&self, revision: &str) -> Option<bool> {
        let name = format!("{revision}^{{commit}}");
        if revision.starts_with('-') {
            return Some(false);
        }
        let (code, _) = self.answer(&["rev-parse", "--verify", "--quiet", &name], None)?;
        Some(code == 0)
    }

    /// The commit that is checked out; `None` without git or before the first commit. A repository of which git can't say
    /// it is a fault.
    pub fn head(&self) -> Option<String> {
        let answer = self.answer(&["rev-parse", "--verify", "--quiet", "HEAD"], None);
        let is_here = || self.top().is_some();
        match answer? {
            (0, output) => {
                let name = String::from_utf8_lossy(&output).trim().to_owned();
                let is_name =
                    matches!(name.len(), 40 | 64) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
                if !is_name {
                    silence::note(GitFault::Garbled);
                }
                is_name.then_some(name)
            }
            // 1 says that there is no commit yet.
            (1, _) => None,
            (_, _) if is_here() => {
                silence::note(GitFault::Fails);
                None
            }
            _ => None,
        }
    }

    /// The names of all branches.
    pub fn branches(&self) -> Option<HashSet<String>> {
        let output = self.ask(&["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"])?;
        Some(String::from_utf8_lossy(&output).lines().map(str::to_owned).collect())
    }

    /// Commits that `revision` reaches and no remote does, newest first, as `hash subject`; at most 20.
    pub fn unpublished(&self, revision: &str) -> Option<Vec<String>> {
        self.commits(&[revision, "--not", "--remotes"])
    }

    /// Commits that only this branch reaches: no other branch, no remote, no tag, not where HEAD is.
    pub fn only_on_branch(&self, branch: &str) -> Option<Vec<String>> {
        let exclude = format!("--exclude={branch}");
        let full = format!("refs/heads/{branch}");
        self.commits(&[&full, "--not", "HEAD", "--remotes", "--tags", &exclude, "--branches"])
    }

    /// The branch that is checked out; `None` for a commit alone.
    pub fn current_branch(&self) -> Option<String> {
        let output = self.ask(&["symbolic-ref", "--short", "--quiet", "HEAD"])?;
        Some(String::from_utf8_lossy(&output).trim().to_owned())
    }

    /// Commits of where HEAD is that neither `to` nor another branch, a remote or a tag has.
    pub fn left_behind(&self, to: &str) -> Option<Vec<String>> {
        (!to.starts_with('-')).then_some(())?;
        let exclude = format!("--exclude={}", self.current_branch().unwrap_or_default());
        self.commits(&["HEAD", "--not", to, "--remotes", "--tags", &exclude, "--branches"])
    }

    /// Commits of `from` that `to` doesn't have.
    pub fn commits_between(&self, to: &str, from: &str) -> Option<Vec<String>> {
        self.commits(&[from, "--not", to])
    }

    /// How many stashes there are.
    pub fn stashes(&self) -> Option<usize> {
        let output = self.ask(&["stash", "list", "-z", "--format=%H"])?;
        Some(output.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).count())
    }

    fn commits(&self, revisions: &[&str]) -> Option<Vec<String>> {
        let mut arguments = vec!["log", "--format=%h %s", "-z", MOST_COMMITS];
        arguments.extend_from_slice(revisions);
        arguments.push("--");
        let output = self.ask(&arguments)?;
        let lines = output.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        Some(lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect())
    }
}
