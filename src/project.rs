//! The project directory: where it begins, and git's questions about it.
//!
//! Git is asked through its command line, without locks. It may take three quarters of the time that the process still
//! has, so that the answer depends on the repository and not on how busy the machine is, and something can still be
//! said when git hangs. `None` always means "not known" (no git, no repository, no answer) and never "no".

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::last_word;

mod differences;
mod index;

pub use differences::{After, Difference};

/// How long one question may take where the process has no deadline.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take when a person waits for the answer.
const LONG_PATIENCE: Duration = Duration::from_secs(300);
/// The longest answer then, in bytes.
const PATIENT_ANSWER: u64 = 1 << 30;
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: u64 = 16 * 1024 * 1024;
/// The most paths that a question names: git compares each of its files with each of them.
const MOST_PATHS: usize = 200;
/// The most commits that a question names.
const MOST_COMMITS: &str = "--max-count=20";
/// What git shall not see of us.
const EXCLUDED: &str = ".aiwg/ralph/";

/// A project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The nearest directory at or above `start` that holds `.aiwg/ralph` or `.git`; else `start` itself. The user's
    /// home and what is above it are no project of what is below them: a session once run there must not make one
    /// project of everything.
    pub fn locate(start: &Path) -> Project {
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        Project::locate_below(start, home.as_deref())
    }

    fn locate_below(start: &Path, home: Option<&Path>) -> Project {
        let marks =
            |directory: &&Path| directory.join(".aiwg/ralph").is_dir() || directory.join(".git").exists();
        let is_too_high = |directory: &&Path| {
            *directory != start
                && (directory.parent().is_none() || home.is_some_and(|home| home.starts_with(directory)))
        };
        let root =
            start.ancestors().take_while(|directory| !is_too_high(directory)).find(marks).unwrap_or(start);
        Project { root: root.to_path_buf() }
    }

    /// The project at exactly this directory.
    pub fn at(root: &Path) -> Project {
        Project { root: root.to_path_buf() }
    }

    /// Its directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The name that messages and findings use: relative with `/` when inside (`.` for the root), else as it is.
    pub fn name_of(&self, path: &Path) -> String {
        match path.strip_prefix(&self.root) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
            Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
            Err(_) => path.to_string_lossy().replace('\\', "/"),
        }
    }

    /// Git's view from the project's directory.
    pub fn git(&self) -> Git {
        Git::at(&self.root)
    }
}

/// One changed or untracked path of a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirty {
    /// The path, absolute.
    pub path: PathBuf,
    /// Git's letter for the index (`?` untracked, `!` ignored, ` ` unchanged).
    pub index: char,
    /// Git's letter for the working tree.
    pub worktree: char,
}

impl Dirty {
    /// Whether git is told to leave it out.
    pub fn is_ignored(&self) -> bool {
        self.index == '!'
    }

    /// Whether git has no copy at all.
    pub fn is_untracked(&self) -> bool {
        matches!(self.index, '?' | '!')
    }
}

/// Git's questions, asked in one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    directory: PathBuf,
    /// Another index than the repository's own.
    index: Option<PathBuf>,
    patience: Duration,
    longest: u64,
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
        let text = fs::read_to_string(&mark).ok()?;
        let named = text.strip_prefix("gitdir:")?.trim();
        Some(mark.parent()?.join(named))
    }

    /// How many files git tracks here, read from the head of the index.
    pub fn tracked_count(&self) -> Option<usize> {
        let mut head = [0u8; 12];
        File::open(self.git_directory()?.join("index")).ok()?.read_exact(&mut head).ok()?;
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

    /// What is changed or untracked at and under `paths`; with `ignored` ignored files too.
    pub fn status(&self, paths: &[PathBuf], ignored: bool) -> Option<Vec<Dirty>> {
        let top = self.top()?.to_path_buf();
        let wanted = within(paths);
        let also = if ignored { "--ignored=traditional" } else { "--ignored=no" };
        let arguments = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", also];
        let asked = few(paths);
        let output = self.ask_paths(&arguments, asked)?;
        let entries = output.split(|byte| *byte == 0).filter_map(|entry| {
            let [index, worktree, b' ', path @ ..] = entry else { return None };
            Some(Dirty {
                path: top.join(bytes_path(path)),
                index: char::from(*index),
                worktree: char::from(*worktree),
            })
        });
        Some(entries.filter(|dirty| asked.len() == paths.len() || wanted(&dirty.path)).collect())
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

    fn ask_paths(&self, arguments: &[&str], paths: &[PathBuf]) -> Option<Vec<u8>> {
        let mut command = self.command(arguments);
        // Names are names here, whatever they look like.
        command.env("GIT_LITERAL_PATHSPECS", "1").arg("--").args(paths);
        let (code, output) = self.run(command, None)?;
        (code == 0).then_some(output)
    }

    /// Asks git anything that it answers on stdout. `None` when it fails, is not there, or takes too long.
    pub fn ask(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let (code, output) = self.answer(arguments, None)?;
        (code == 0).then_some(output)
    }

    fn answer(&self, arguments: &[&str], input: Option<&[u8]>) -> Option<(i32, Vec<u8>)> {
        self.run(self.command(arguments), input)
    }

    fn run(&self, command: Command, input: Option<&[u8]>) -> Option<(i32, Vec<u8>)> {
        let deadline = last_word::time_left().map_or(self.patience, |left| left * 3 / 4);
        run(command, input, deadline, self.longest)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.directory);
        // A repository's own settings must not start programs because we look at it.
        command.args(["--no-optional-locks", "-c", "core.fsmonitor=false", "--no-pager"]);
        command.args(arguments);
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS"]
        {
            command.env_remove(variable);
        }
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command
    }
}

/// Runs a command within the deadline; `None` if it can't start or must be killed.
fn run(
    mut command: Command,
    input: Option<&[u8]>,
    deadline: Duration,
    longest: u64,
) -> Option<(i32, Vec<u8>)> {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::null());
    // A large repository needs more address space than a hook allows itself.
    let mut child = last_word::with_inherited_limits(|| command.spawn()).ok()?;
    let started = Instant::now();
    if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), input.map(<[u8]>::to_vec)) {
        std::thread::spawn(move || pipe.write_all(&bytes));
    }
    let output = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(longest).read_to_end(&mut bytes);
        // The receiver is gone when the deadline has passed.
        let _ = sender.send(read.map(|_| bytes));
    });
    let Ok(Ok(bytes)) = receiver.recv_timeout(deadline) else {
        end(&mut child);
        return None;
    };
    while started.elapsed() < deadline {
        if let Ok(Some(status)) = child.try_wait() {
            return Some((status.code()?, bytes));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    end(&mut child);
    None
}

fn end(child: &mut Child) {
    // Both fail only if the child is gone already.
    let _ = child.kill();
    let _ = child.wait();
}

/// Paths that git is asked about by name; where they are many, all are asked about and the answer is searched.
fn few(paths: &[PathBuf]) -> &[PathBuf] {
    if paths.len() > MOST_PATHS { &[] } else { paths }
}

/// Whether a path is one of `paths` or below one.
fn within(paths: &[PathBuf]) -> impl Fn(&Path) -> bool + use<'_> {
    let paths: HashSet<&Path> = paths.iter().map(PathBuf::as_path).collect();
    move |path| path.ancestors().any(|folder| paths.contains(folder))
}

fn split_paths(output: &[u8], base: &Path) -> Vec<PathBuf> {
    output
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| base.join(bytes_path(name)))
        .collect()
}

#[cfg(unix)]
fn bytes_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn bytes_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(unix)]
fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn path_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

/// Adds our state directory to the repository's own exclude file, once. `Ok(false)` when there is no repository or
/// nothing to add; an error when the file can't be written.
pub fn exclude_from_git(root: &Path) -> io::Result<bool> {
    let git = Git::at(root);
    let Some(top) = git.top() else { return Ok(false) };
    let file = if top.join(".git").is_dir() {
        top.join(".git/info/exclude")
    } else {
        // Worktrees and submodules keep it elsewhere; only git knows where.
        let Some(named) = git.ask(&["rev-parse", "--git-path", "info/exclude"]) else { return Ok(false) };
        root.join(bytes_path(named.trim_ascii_end()))
    };
    let below =
        root.strip_prefix(top).map(|below| below.to_string_lossy().replace('\\', "/")).unwrap_or_default();
    let line = if below.is_empty() { format!("/{EXCLUDED}") } else { format!("/{below}/{EXCLUDED}") };
    let old = fs::read_to_string(&file).unwrap_or_default();
    if old.lines().any(|known| known.trim() == line) {
        return Ok(false);
    }
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    let separator = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
    let mut exclude = OpenOptions::new().create(true).append(true).open(&file)?;
    exclude.write_all(format!("{separator}{line}\n").as_bytes())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with `a.txt` and `src/b.txt` committed.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for arguments in [
            &["init", "-q", "-b", "main"][..],
            &["config", "user.email", "a@b.c"],
            &["config", "user.name", "A"],
        ] {
            git(&root, arguments);
        }
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("a.txt"), "a\n").unwrap();
        fs::write(root.join("src/b.txt"), "b\n").unwrap();
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-q", "-m", "first"]);
        (directory, root)
    }

    fn git(root: &Path, arguments: &[&str]) {
        let status =
            Command::new("git").current_dir(root).args(arguments).stdout(Stdio::null()).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    #[test]
    fn the_root_is_the_nearest_mark_or_the_start() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("a/b/c")).unwrap();
        assert_eq!(Project::locate(&root.join("a/b")).root(), root.join("a/b"));
        fs::create_dir_all(root.join("a/.git")).unwrap();
        assert_eq!(Project::locate(&root.join("a/b/c")).root(), root.join("a"));
        fs::create_dir_all(root.join("a/b/.aiwg/ralph")).unwrap();
        assert_eq!(Project::locate(&root.join("a/b/c")).root(), root.join("a/b"));
        let below = |start: &str, home: &str| {
            let found = Project::locate_below(&root.join(start), Some(&root.join(home)));
            found.root().strip_prefix(root).unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(below("a/b/c", "a/b"), "a/b/c", "a home is no project of what is below it");
        assert_eq!(below("a/b/c", "a/b/other"), "a/b/c", "nor is what is above a home");
        assert_eq!(below("a/b", "a/b"), "a/b", "but it is one of itself");
        assert_eq!(below("a/b/c", "elsewhere"), "a/b");
        assert_eq!(Project::locate(Path::new("/nowhere/at/all")).root(), Path::new("/nowhere/at/all"));
        assert_eq!(Project::locate(Path::new("")).root(), Path::new(""));
    }

    #[test]
    fn git_knows_what_is_tracked_changed_ignored_and_committed() {
        let (_directory, root) = repository();
        fs::write(root.join(".gitignore"), "*.log\n").unwrap();
        fs::write(root.join("a.txt"), "changed\n").unwrap();
        fs::write(root.join("x.log"), "").unwrap();
        fs::write(root.join("new ö.txt"), "").unwrap();
        let git = Git::at(&root);
        assert_eq!(git.tracked_count(), Some(2));
        assert_eq!(git.tracked(&[root.join("src")]), Some(vec![root.join("src/b.txt")]));
        assert_eq!(git.tracked(&[root.join("nothing")]), Some(vec![]));
        let asked = [root.join("x.log"), root.join("a.txt")];
        assert_eq!(git.ignored(&asked), Some(vec![root.join("x.log")]));
        assert_eq!(git.ignored(&asked[1..]), Some(vec![]));
        let status = git.status(&[], false).unwrap();
        let names: Vec<_> = status.iter().map(|dirty| (dirty.path.clone(), dirty.is_untracked())).collect();
        assert!(
            names.contains(&(root.join("a.txt"), false)) && names.contains(&(root.join("new ö.txt"), true))
        );
        assert_eq!(names.len(), 3);
        assert_eq!(git.committed(&root.join("a.txt")).as_deref(), Some(&b"a\n"[..]));
        assert_eq!(git.committed(&root.join("x.log")), None);
        assert_eq!(
            Git::at(&root.join("src")).committed(&root.join("src/b.txt")).as_deref(),
            Some(&b"b\n"[..])
        );
        let below = Git::at(&root.join("src")).status(&[], false).unwrap();
        assert!(below.iter().any(|dirty| dirty.path == root.join("a.txt")));
    }

    #[test]
    fn git_knows_commits_that_nobody_else_has() {
        let (_directory, root) = repository();
        git(&root, &["checkout", "-q", "-b", "work"]);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "second thing"]);
        git(&root, &["checkout", "-q", "main"]);
        let asked = Git::at(&root);
        let only = asked.only_on_branch("work").unwrap();
        assert_eq!(only.len(), 1);
        assert!(only[0].ends_with("second thing"));
        git(&root, &["branch", "-q", "copy", "work"]);
        assert_eq!(asked.only_on_branch("work"), Some(vec![]));
        assert_eq!(asked.unpublished("HEAD").map(|commits| commits.len()), Some(1));
        assert_eq!(asked.commits_between("main", "work").map(|commits| commits.len()), Some(1));
        assert_eq!(asked.names_commit("work"), Some(true));
        assert_eq!(asked.names_commit("a.txt"), Some(false));
        assert_eq!(asked.stashes(), Some(0));
        fs::write(root.join("a.txt"), "changed\n").unwrap();
        git(&root, &["stash", "-q"]);
        assert_eq!(asked.stashes(), Some(1));
    }

    #[test]
    fn without_a_repository_nothing_is_known() {
        let directory = tempfile::tempdir().unwrap();
        let git = Git::at(directory.path());
        assert_eq!(git.tracked(&[]), None);
        assert_eq!(git.status(&[], false), None);
        assert_eq!(git.tracked_count(), None);
        assert!(!exclude_from_git(directory.path()).unwrap());
    }

    #[test]
    fn our_state_is_excluded_once_in_worktrees_and_below_too() {
        let (_directory, root) = repository();
        assert!(exclude_from_git(&root).unwrap());
        assert!(!exclude_from_git(&root).unwrap());
        assert!(exclude_from_git(&root.join("src")).unwrap());
        let other = tempfile::tempdir().unwrap();
        let tree = other.path().canonicalize().unwrap().join("tree");
        git(&root, &["worktree", "add", "-q", tree.to_str().unwrap()]);
        assert!(!exclude_from_git(&tree).unwrap(), "worktrees share the file");
        for base in [&root, &root.join("src"), &tree] {
            let state = base.join(".aiwg/ralph/registry.json");
            fs::create_dir_all(state.parent().unwrap()).unwrap();
            fs::write(&state, "{}").unwrap();
            assert_eq!(Git::at(base).status(&[], false), Some(vec![]), "{base:?}");
        }
        let text = fs::read_to_string(root.join(".git/info/exclude")).unwrap();
        assert_eq!(text.matches("/.aiwg/ralph/").count(), 2, "{text}");
    }

    #[test]
    fn a_slow_command_is_ended_and_gives_nothing() {
        let mut command = Command::new("sleep");
        command.arg("30");
        let started = Instant::now();
        assert_eq!(run(command, None, Duration::from_millis(200), LONGEST_ANSWER), None);
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
