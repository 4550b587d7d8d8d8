//! Git's questions about one directory.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::asking::run;
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
        // Nor is the index written anew because we look: `git diff` does so although it may take no optional lock.
        command.args(["-c", "diff.autoRefreshIndex=false"]);
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
