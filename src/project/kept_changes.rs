//! Whether commits that go stand in others that stay: as one of a squash merge, or picked one by one.

use std::collections::HashSet;

use super::git::Git;

/// The most commits of what stays whose trees are compared.
const TREES: &str = "--max-count=1000";
/// The most commits of what stays whose changes are compared.
const COMPARED: &str = "--max-count=100";
/// A branch that changes more files is compared by its tree alone.
const MOST_FILES: usize = 100;
/// How changes are printed, whatever the repository's settings say.
const PRINTED: &[&str] =
    &["log", "-p", "--full-diff", "--no-ext-diff", "--no-textconv", "--no-color", "--pretty=medium"];

impl Git {
    /// Whether what `tip` changes stands in commits of `staying` (revisions, as `git log` takes them): one of them has its
    /// files, or the same changes as all of it, or there is one for each of its commits.
    pub fn has_changes_of(&self, tip: &str, staying: &[&str]) -> bool {
        self.has_tree_of(tip, staying) || self.has_patches_of(tip, staying) == Some(true)
    }

    fn has_tree_of(&self, tip: &str, staying: &[&str]) -> bool {
        let tree = self.ask(&["rev-parse", "--verify", "--quiet", &format!("{tip}^{{tree}}")]);
        let trees = self.ask(&[&["log", "--format=%T", TREES], staying, &["--not", tip, "--"]].concat());
        let (Some(tree), Some(trees)) = (tree, trees) else { return false };
        !tree.is_empty() && trees.split(|byte| *byte == b'\n').any(|one| one == tree.trim_ascii())
    }

    fn has_patches_of(&self, tip: &str, staying: &[&str]) -> Option<bool> {
        let base = self.ask(&["merge-base", "HEAD", tip])?;
        let base = String::from_utf8_lossy(&base).trim().to_owned();
        let changed = self.ask(&["diff", "--name-only", "-z", &base, tip, "--"])?;
        let files: Vec<String> = changed
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(|name| format!(":(top,literal){}", String::from_utf8_lossy(name)))
            .collect();
        if files.len() > MOST_FILES {
            return None;
        }
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let range = [staying, &["--not", tip, "--"], &files].concat();
        let there = self.ask(&[PRINTED, &["--no-merges", COMPARED], &range].concat())?;
        let there = self.patch_ids(&there)?;
        let whole = self.ask(&["diff", "--no-ext-diff", "--no-textconv", "--no-color", &base, tip, "--"])?;
        let whole = self.patch_ids(&whole)?;
        if whole.iter().any(|id| there.contains(id)) {
            return Some(true);
        }
        let own = self.ask(&[PRINTED, &[COMPARED, tip, "--not"], staying, &["--"]].concat())?;
        let count = own.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"commit ")).count();
        let own = self.patch_ids(&own)?;
        // A commit of which no changes are printed, as of a merge, may hold something of its own.
        Some(!own.is_empty() && own.len() == count && own.iter().all(|id| there.contains(id)))
    }

    /// What git calls the changes of each commit of a log, wherever they stand in the files.
    fn patch_ids(&self, log: &[u8]) -> Option<HashSet<String>> {
        let (code, output) = self.answer(&["patch-id", "--stable"], Some(log))?;
        let text = String::from_utf8_lossy(&output).into_owned();
        (code == 0)
            .then(|| text.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect())
    }
}
