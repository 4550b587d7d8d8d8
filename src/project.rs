//! The project directory: where it begins, and git's questions about it.
//!
//! Git is asked through its command line, without locks. It may take seconds, so that the answer depends on the repository
//! and not on how busy the machine is; a git that hangs is not asked again, so that something can still be said. Why it
//! did not answer is noted (`silence`), for a person to hear. `None` always means "not known" (no git, no repository, no answer) and never "no".

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

mod asking;
mod commits;
mod differences;
mod dirty;
mod export;
mod git;
pub mod index;
mod kept_changes;
mod paths;
pub mod silence;
mod tracked_files;

pub use differences::{ContentAfter, Difference};
pub use dirty::Dirty;
pub use git::Git;
use paths::bytes_path;

use crate::state::own_file;

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

/// Adds our state directory to the repository's own exclude file, once. `Ok(false)` when there is no repository or
/// nothing to add; an error when the file can't be written.
pub fn exclude_from_git(root: &Path) -> io::Result<bool> {
    let git = Git::at(root);
    let Some(top) = git.top() else { return Ok(false) };
    let file = if top.join(".git").is_dir() {
        if !top.join(".git/HEAD").exists() {
            // What is left of a repository is none.
            return Ok(false);
        }
        top.join(".git/info/exclude")
    } else {
        // Worktrees and submodules keep it elsewhere; only git knows where.
        let Some(named) = git.ask(&["rev-parse", "--git-path", "info/exclude"]) else { return Ok(false) };
        root.join(bytes_path(named.trim_ascii_end()))
    };
    let below =
        root.strip_prefix(top).map(|below| below.to_string_lossy().replace('\\', "/")).unwrap_or_default();
    let line = if below.is_empty() { format!("/{EXCLUDED}") } else { format!("/{below}/{EXCLUDED}") };
    let old = own_file::read_text(&file).unwrap_or_default();
    if old.lines().any(|known| known.trim() == line) {
        return Ok(false);
    }
    if let Some(directory) = file.parent() {
        // A repository that is gone meanwhile is not made anew.
        fs::create_dir(directory).or_else(|error| if directory.is_dir() { Ok(()) } else { Err(error) })?;
    }
    let separator = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
    let mut exclude = own_file::regular(OpenOptions::new().create(true).append(true), &file)?;
    exclude.write_all(format!("{separator}{line}\n").as_bytes())?;
    Ok(true)
}

/// What a file of exclusions may have said before the guard's own line came to its end: with an end of its last line and
/// without. Nothing where it does not end so.
pub(crate) fn before_exclusion(text: &[u8]) -> Option<[&[u8]; 2]> {
    let lines = text.strip_suffix(b"\n")?;
    let start = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let (before, own) = lines.split_at_checked(start)?;
    let is_own = own.starts_with(b"/") && own.ends_with(EXCLUDED.as_bytes());
    is_own.then(|| [before, before.strip_suffix(b"\n").unwrap_or(before)])
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::asking::run;
    use super::git::LONGEST_ANSWER;
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
        for place in [&root, &root.join("src"), &tree] {
            assert_eq!(Git::at(place).main_checkout(), Some(root.clone()), "{place:?}");
        }
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
