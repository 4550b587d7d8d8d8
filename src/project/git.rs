//! Git's questions about one directory.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::asking::run;
use super::dirty::Dirty;
use super::paths::{bytes_path, few, path_bytes, split_paths, within};
use super::silence::{self, GitFault};
use crate::last_word;
use crate::state::own_file;

/// How long one question may take. One that took longer is the last: a hook answers in time whatever git does.
const PATIENCE: Duration = Duration::from_secs(9);
/// How long it may take when a person waits for the answer.
const LONG_PATIENCE: Duration = Duration::from_secs(300);
/// The longest answer then, in bytes.
const PATIENT_ANSWER: u64 = 1 << 30;
/// The longest answer that is read, in bytes.
pub(super) const LONGEST_ANSWER: u64 = 16 * 1024 * 1024;
/// The letters of git's short status.
const LETTERS: &[u8] = b" MTADRCUm?!";
/// The most commits that a question names.
const MOST_COMMITS: &str = "--max-count=20";

/// Files of a repository that git reads for every question, and how large they may be, in bytes.
const OWN_FILES: [(&str, u64); 4] =
    [("HEAD", 1 << 20), ("config", 16 << 20), ("info/exclude", 16 << 20), ("index", 4 << 30)];

/// Git's questions, asked in one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    pub(super) directory: PathBuf,
    /// Another index than the repository's own.
    pub(super) index: Option<PathBuf>,
    pub(super) patience: Duration,
    pub(super) longest: u64,
}

impl Git {
    /// Git as run in `directory`.
    pub fn at(directory: &Path) -> Git {
        let directory = directory.to_path_buf();
        Git { directory, index: None, patience: PATIENCE, longest: LONGEST_ANSWER }
    }

    /// The same for a command that a person waits for: it may take minutes and answer at length.
    pub fn patient(self) -> Git {
        Git { patience: LONG_PATIENCE, longest: PATIENT_ANSWER, ..self }
    }

    /// The same with the index that git made for one commit and named to its hook, as for `git commit --all`. A path
    /// that lies outside of this repository is another's, and changes nothing.
    pub fn with_index(self, index: &Path) -> Git {
        let inside = |directory: PathBuf| {
            let (index, directory) = (fs::canonicalize(index).ok()?, fs::canonicalize(directory).ok()?);
            index.starts_with(directory).then_some(index)
        };
        let index = self.git_directory().and_then(inside);
        Git { index, ..self }
    }

    /// Whether the directory is a repository without a working tree.
    pub fn is_bare(&self) -> Option<bool> {
        Some(self.ask(&["rev-parse", "--is-bare-repository"])?.trim_ascii() == b"true")
    }

    /// The top of the working tree, found by looking for `.git` alone.
    pub fn top(&self) -> Option<&Path> {
        self.directory.ancestors().find(|directory| directory.join(".git").exists())
    }

    /// The repository's directory of this working tree (a worktree has its own).
    pub fn git_directory(&self) -> Option<PathBuf> {
        let mark = self.top()?.join(".git");
        if mark.is_dir() {
            return Some(mark);
        }
        let text = own_file::read_text(&mark).ok()?;
        let named = text.strip_prefix("gitdir:")?.trim();
        Some(mark.parent()?.join(named))
    }

    /// The top of the working tree that the repository began with: another one than this only where this is a linked one.
    pub fn main_checkout(&self) -> Option<PathBuf> {
        let directory = self.git_directory()?;
        let worktrees = directory.parent().filter(|folder| folder.ends_with(".git/worktrees"));
        let linked_from = worktrees.and_then(|folder| folder.parent()?.parent());
        linked_from.or(self.top()).map(Path::to_owned)
    }

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

    /// Whether `revision` names a commit here.
    pub fn names_commit(&self, revision: &str) -> Option<bool> {
        let name = format!("{revision}^{{commit}}");
        if revision.starts_with('-') {
            return Some(false);
        }
        let (code, _) = self.answer(&["rev-parse", "--verify", "--quiet", &name], None)?;
        Some(code == 0)
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

    pub(super) fn ask_paths(&self, arguments: &[&str], paths: &[PathBuf]) -> Option<Vec<u8>> {
        let mut command = self.command(arguments);
        // Names are names here, whatever they look like.
        command.env("GIT_LITERAL_PATHSPECS", "1").arg("--").args(paths);
        let (code, output) = self.run(command, None)?;
        // Each part of such an answer ends with a zero, unless it was too long to be read.
        let is_whole = output.last().is_none_or(|last| *last == 0) || output.len() as u64 >= self.longest;
        if code == 0 && !is_whole {
            silence::note(GitFault::Garbled);
        }
        (code == 0 && is_whole).then_some(output)
    }

    /// Asks git anything that it answers on stdout. `None` when it fails, is not there, or takes too long.
    pub fn ask(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let (code, output) = self.answer(arguments, None)?;
        (code == 0).then_some(output)
    }

    pub(super) fn answer(&self, arguments: &[&str], input: Option<&[u8]>) -> Option<(i32, Vec<u8>)> {
        self.run(self.command(arguments), input)
    }

    pub(super) fn run(&self, command: Command, input: Option<&[u8]>) -> Option<(i32, Vec<u8>)> {
        if matches!(silence::fault(), Some(GitFault::TooSlow | GitFault::Absent)) {
            return None;
        }
        if self.would_wait() {
            silence::note(GitFault::Blocked);
            return None;
        }
        let deadline = last_word::time_left().map_or(self.patience, |left| self.patience.min(left * 3 / 4));
        run(command, input, deadline, self.longest)
    }

    /// Whether git would wait for a file of the repository's own, or for the user's settings: a pipe in its place is
    /// never read to its end.
    fn would_wait(&self) -> bool {
        static SETTINGS_WAIT: OnceLock<bool> = OnceLock::new();
        if *SETTINGS_WAIT.get_or_init(|| user_settings().iter().any(|path| is_endless(path))) {
            return true;
        }
        let Some(mark) = self.top().map(|top| top.join(".git")) else { return false };
        let waits = |(name, largest): &(&str, u64)| {
            let is_sound = |file: fs::Metadata| file.is_file() && file.len() <= *largest;
            fs::metadata(mark.join(name)).is_ok_and(|file| !is_sound(file))
        };
        OWN_FILES.iter().any(waits)
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.directory);
        // A repository's own settings must not start programs because we look at it.
        command.args(["--no-optional-locks", "-c", "core.fsmonitor=false", "--no-pager"]);
        // Nor may they say that a file is as it was by less than a whole stat.
        command.args(["-c", "core.trustctime=true", "-c", "core.checkStat=default"]);
        command.args(arguments);
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS"]
        {
            command.env_remove(variable);
        }
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        // What stands in another object's place (`git replace`) is not what was committed.
        command.env("GIT_NO_REPLACE_OBJECTS", "1");
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command
    }
}

/// Where git finds the settings of the user and of the machine.
fn user_settings() -> Vec<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let home = folder("HOME");
    let named = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"].into_iter().filter_map(folder);
    let below = folder("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
    let usual = home.map(|home| home.join(".gitconfig"));
    named.chain(below.map(|below| below.join("git/config"))).chain(usual).collect()
}

/// Whether reading a path may never end; `/dev/null` ends at once.
fn is_endless(path: &Path) -> bool {
    let is_file = |found: fs::Metadata| found.is_file() || found.is_dir();
    path != Path::new("/dev/null") && fs::metadata(path).is_ok_and(|found| !is_file(found))
}
