//! What git knows of files: which it tracks, ignores or sees changed, and the bytes that it has of them.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::dirty::Dirty;
use super::git::Git;
use super::paths::{bytes_path, few, path_bytes, split_paths, within};
use super::silence::{self, GitFault};
use crate::state::own_file;

/// The letters of git's short status.
const LETTERS: &[u8] = b" MTADRCUm?!";

impl Git {
    /// The files of a commit, or with none those that are there and not ignored: relative to the directory, with `/`.
    pub fn files(&self, commit: Option<&str>) -> Option<Vec<String>> {
        let output = match commit {
            Some(commit) => self.ask(&["ls-tree", "-r", "-z", "--name-only", commit]),
            None => self.ask(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]),
        }?;
        let names = output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Some(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// How many files git tracks here, read from the head of the index.
    pub fn tracked_count(&self) -> Option<usize> {
        let mut head = [0u8; 12];
        own_file::open(&self.git_directory()?.join("index")).ok()?.read_exact(&mut head).ok()?;
        let [b'D', b'I', b'R', b'C', _, _, _, _, count @ ..] = head else { return None };
        usize::try_from(u32::from_be_bytes(count)).ok()
    }

    /// Which of `paths` git ignores.
    pub fn ignored(&self, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let input: Vec<u8> = paths.iter().flat_map(|path| [path_bytes(path), vec![0]].concat()).collect();
        let (code, output) = self.answer(&["check-ignore", "-z", "--stdin"], Some(&input))?;
        // 1 says that none is ignored.
        matches!(code, 0 | 1).then(|| split_paths(&output, Path::new("")))
    }

    /// The tracked files at and under `paths`, absolute; all of them when there are none.
    pub fn tracked(&self, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        if let Some(found) = self.indexed(paths) {
            return Some(found);
        }
        let output = self.ask_paths(&["ls-files", "-z"], paths)?;
        Some(split_paths(&output, &self.directory))
    }

    /// Which untracked files at and under `paths` one of git's patterns for ignored files means.
    pub fn matching(&self, patterns: &[String], paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let patterns: Vec<String> = patterns.iter().map(|pattern| format!("--exclude={pattern}")).collect();
        let mut arguments = vec!["ls-files", "-z", "--others", "--ignored"];
        arguments.extend(patterns.iter().map(String::as_str));
        Some(split_paths(&self.ask_paths(&arguments, few(paths))?, &self.directory))
    }

    /// What is changed or untracked at and under `paths`; with `ignored` ignored files too.
    pub fn status(&self, paths: &[PathBuf], ignored: bool) -> Option<Vec<Dirty>> {
        let top = self.top()?.to_path_buf();
        let wanted = within(paths);
        let also = if ignored { "--ignored=traditional" } else { "--ignored=no" };
        let arguments = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", also];
        let asked = few(paths);
        let output = self.ask_paths(&arguments, asked)?;
        let entries = output.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
        let read = |entry: &[u8]| match entry {
            [index, worktree, b' ', path @ ..] if [index, worktree].iter().all(|it| LETTERS.contains(it)) => {
                Some(Dirty {
                    path: top.join(bytes_path(path)),
                    index: char::from(*index),
                    worktree: char::from(*worktree),
                })
            }
            _ => None,
        };
        let Some(mut all) = entries.map(read).collect::<Option<Vec<Dirty>>>() else {
            silence::note(GitFault::Garbled);
            return None;
        };
        all.retain(|dirty| asked.len() == paths.len() || wanted(&dirty.path));
        Some(all)
    }

    /// The bytes of a file as the last commit has them. `None` also when it isn't in it.
    pub fn committed(&self, path: &Path) -> Option<Vec<u8>> {
        let inside = path.strip_prefix(&self.directory).ok()?;
        let name = format!("HEAD:./{}", inside.to_str()?);
        self.ask(&["cat-file", "blob", &name])
    }

    /// The tracked files at and under `paths` that differ on the disk from a revision, or from the index.
    pub fn differing(&self, revision: Option<&str>, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        if revision.is_some_and(|revision| revision.starts_with('-')) {
            return None;
        }
        let mut arguments =
            vec!["diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames"];
        arguments.extend(revision);
        let top = self.top()?.to_path_buf();
        let wanted = within(paths);
        let mut files = split_paths(&self.ask_paths(&arguments, few(paths))?, &top);
        files.retain(|file| paths.is_empty() || wanted(file));
        Some(files)
    }

    /// The bytes of a file in a revision; an empty one is the index.
    pub fn blob(&self, revision: &str, path: &Path) -> Option<Vec<u8>> {
        let inside = path.strip_prefix(self.top()?).ok()?;
        self.ask(&["cat-file", "blob", &format!("{revision}:{}", inside.to_str()?)])
    }

    /// Whether a file of the working tree holds a word, or has it in its path; capitals count as small letters.
    pub fn holds_word(&self, word: &str) -> Option<bool> {
        let asked = ["grep", "--quiet", "--untracked", "--ignore-case", "--fixed-strings", "-e", word];
        let (code, _) = self.answer(&asked, None)?;
        if code == 0 {
            return Some(true);
        }
        let pattern = format!(":(icase)*{word}*");
        let paths =
            self.ask(&["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", &pattern])?;
        (code == 1).then_some(!paths.is_empty())
    }
}
