//! What git would ignore, read from the files that say so.
//!
//! Invariant: the rule of the nearest folder decides, as with git, and a file of rules that cannot be read ignores
//! nothing. No git is asked, so the answer is the same without one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::state::own_file;

/// The name of a file of rules.
pub(crate) const FILE: &str = ".gitignore";

/// The largest file of rules that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// The rules that hold in one folder.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules(Option<Arc<IgnoreLevel>>);

#[derive(Debug)]
struct IgnoreLevel {
    own: Gitignore,
    above: Rules,
}

impl Rules {
    /// The rules that come from outside of `project`: the user's, the repository's own, and those of the folders
    /// above, as far as the repository goes.
    pub(crate) fn around(project: &Path) -> Rules {
        let mut rules = Rules::default().with(Gitignore::global().0);
        let above = project.ancestors().find_map(|folder| {
            let git = folder.join(".git");
            fs::symlink_metadata(&git).is_ok().then_some((folder, git))
        });
        let Some((top, git)) = above else { return rules };
        if let Some(exclude) = git_directory(&git).map(|git| git.join("info").join("exclude")) {
            rules = rules.with(read(top, &exclude));
        }
        let between = project.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
        let between: Vec<&Path> = between.collect();
        between.into_iter().rev().fold(rules, |rules, folder| rules.enter(folder))
    }

    /// The rules in `folder`, which has a [`FILE`].
    pub(crate) fn enter(self, folder: &Path) -> Rules {
        self.with(read(folder, &folder.join(FILE)))
    }

    /// Whether the absolute `path` is ignored; a folder above it that is, is the caller's business.
    pub(crate) fn ignore(&self, path: &Path, is_folder: bool) -> bool {
        let mut rules = self;
        while let Some(level) = &rules.0 {
            match level.own.matched(path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => rules = &level.above,
            }
        }
        false
    }

    fn with(self, own: Gitignore) -> Rules {
        if own.is_empty() { self } else { Rules(Some(Arc::new(IgnoreLevel { own, above: self }))) }
    }
}

fn read(folder: &Path, file: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    // A pipe in the file's place is not waited for, and no file of rules is this large. A rule that makes no sense is left
    // out, the others hold.
    let is_sound = |file: fs::File| file.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST);
    if own_file::open(file).is_ok_and(is_sound) {
        let _ = builder.add(file);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Git's directory that work trees share: in a work tree or a submodule `.git` is a file that says where it is.
fn git_directory(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let text = own_file::read_text(git).ok()?;
    let own = git.parent()?.join(text.strip_prefix("gitdir:")?.trim());
    let common = own_file::read_text(&own.join("commondir")).ok();
    Some(common.map_or_else(|| own.clone(), |common| own.join(common.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rule_decides() {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap();
        let write = |path: &str, text: &str| {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(".git/info/exclude", "excluded\n");
        write(".gitignore", "*.log\n/only-here\nfolder/\n");
        write("project/.gitignore", "!keep.log\n");
        let project = top.join("project");
        let rules = Rules::around(&project).enter(&project);
        let cases = [
            ("a.log", false, true),
            ("deep/b.log", false, true),
            ("keep.log", false, false),
            ("deep/keep.log", false, false),
            ("only-here", false, false),
            ("folder", true, true),
            ("folder", false, false),
            ("excluded", false, true),
            ("source.rs", false, false),
        ];
        for (path, is_folder, expected) in cases {
            assert_eq!(rules.ignore(&project.join(path), is_folder), expected, "{path}");
        }
    }

    #[test]
    fn a_file_that_is_too_large_for_rules_ignores_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap();
        fs::create_dir_all(top.join(".git/info")).unwrap();
        let exclude = top.join(".git/info/exclude");
        for (length, ignored) in [(7, true), (LARGEST + 1, false), (200 << 20, false)] {
            fs::write(&exclude, "secret\n").unwrap();
            fs::OpenOptions::new().write(true).open(&exclude).unwrap().set_len(length).unwrap();
            assert_eq!(Rules::around(&top).ignore(&top.join("secret"), false), ignored, "{length}");
        }
    }

    #[test]
    fn a_work_tree_has_its_repositorys_rules() {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap();
        for folder in ["main/.git/info", "main/.git/worktrees/w", "w"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        fs::write(top.join("main/.git/info/exclude"), "secret\n").unwrap();
        fs::write(top.join("main/.git/worktrees/w/commondir"), "../..\n").unwrap();
        let git = format!("gitdir: {}\n", top.join("main/.git/worktrees/w").display());
        fs::write(top.join("w/.git"), git).unwrap();
        assert!(Rules::around(&top.join("w")).ignore(&top.join("w/secret"), false));
    }
}
