//! The aliases that git has in a repository and for its user: what they stand for is what runs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::project::Project;

/// The longest file of settings that is read, in bytes.
const LONGEST_FILE: u64 = 256 * 1024;
/// Subcommands that are git's own and no alias can take: those of nearly every call.
const OWN: &[&str] = &[
    "add",
    "am",
    "apply",
    "bisect",
    "blame",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "describe",
    "diff",
    "fetch",
    "gc",
    "grep",
    "init",
    "log",
    "ls-files",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-parse",
    "revert",
    "rm",
    "show",
    "stash",
    "status",
    "submodule",
    "switch",
    "tag",
    "worktree",
];

/// The aliases that a text may use; none where it calls git by its own subcommands alone.
pub(crate) fn of(text: &str, cwd: &Path, project: &Project, home: &Path) -> Vec<(String, String)> {
    let mut words = text.split_whitespace();
    let mut may_use = false;
    while let Some(word) = words.next() {
        if word.ends_with("git") {
            may_use |= words.clone().next().is_some_and(|next| !OWN.contains(&next));
        }
    }
    if !may_use {
        return Vec::new();
    }
    let own = [cwd, project.root()].map(|folder| folder.join(".git/config"));
    let files = [home.join(".gitconfig"), home.join(".config/git/config")].into_iter().chain(own);
    files.flat_map(read).collect()
}

fn read(file: PathBuf) -> Vec<(String, String)> {
    let fits = fs::metadata(&file).is_ok_and(|found| found.is_file() && found.len() <= LONGEST_FILE);
    let text = fits.then(|| fs::read_to_string(file).ok()).flatten().unwrap_or_default();
    aliases(&text)
}

/// The aliases of a file of git's settings.
fn aliases(text: &str) -> Vec<(String, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[alias]");
        } else if let Some((name, value)) =
            line.split_once('=').filter(|_| inside && !line.starts_with(['#', ';']))
        {
            let value = value.trim();
            let bare = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
            found.push((name.trim().to_owned(), bare.replace("\\\"", "\"").replace("\\\\", "\\")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_read_from_git_s_settings() {
        let text = "[core]\n\tx = y\n[alias]\n\tst = status -sb\n\tnuke = \"!git clean -fdx \\\"$@\\\"\"\n# z = y\n[user]\n\tname = a\n";
        let expected = [("st", "status -sb"), ("nuke", "!git clean -fdx \"$@\"")];
        assert_eq!(aliases(text), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
