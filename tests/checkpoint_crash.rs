//! Nothing is lost when keeping or restoring is killed: the process is stopped before each system call that changes
//! something on disk, one run per call, and killed there as `kill -9` would.

#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const STEADFAST: &str = env!("CARGO_BIN_EXE_steadfast");
/// What changes the disk. A write to the terminal is among them, which does no harm.
const CHANGES: &[&str] = &[
    "write",
    "openat",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "fchmod",
    "chmod",
    "fchmodat",
    "fsync",
    "fdatasync",
    "syncfs",
    "utimensat",
];

type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// Content, links and permissions of everything but the store.
fn tree(at: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut pending = vec![at.to_owned()];
    while let Some(path) = pending.pop() {
        for child in fs::read_dir(&path).unwrap() {
            let path = child.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let content = if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if metadata.is_dir() {
                if path.ends_with(".aiwg") {
                    continue;
                }
                pending.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            tree.insert(path.strip_prefix(at).unwrap().to_owned(), (metadata.permissions().mode(), content));
        }
    }
    tree
}

fn furnish(at: &Path) {
    fs::create_dir_all(at.join("src/deep")).unwrap();
    fs::write(at.join("src/a"), "one").unwrap();
    fs::write(at.join("src/deep/b"), vec![7; 100_000]).unwrap();
    fs::write(at.join("run"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(at.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("src/a", at.join("link")).unwrap();
}

fn destroy(at: &Path) {
    fs::remove_dir_all(at.join("src/deep")).unwrap();
    fs::write(at.join("src/deep"), "a file now").unwrap();
    fs::write(at.join("src/a"), "two").unwrap();
    fs::remove_file(at.join("link")).unwrap();
    fs::create_dir(at.join("new")).unwrap();
    fs::write(at.join("new/n"), "n").unwrap();
}

fn steadfast(at: &Path, arguments: &[&str]) -> Output {
    Command::new(STEADFAST).args(arguments).current_dir(at).env_remove("CLAUDECODE").output().unwrap()
}

/// Runs steadfast and kills it as it is about to make the `n`th call named `call`; answers whether it came to that.
fn killed_at(at: &Path, call: &str, n: usize, arguments: &[&str]) -> bool {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null"]);
    command.arg("-e").arg(format!("trace={call}"));
    command.arg("-e").arg(format!("inject={call}:signal=KILL:when={n}"));
    let output =
        command.arg(STEADFAST).args(arguments).current_dir(at).env_remove("CLAUDECODE").output().unwrap();
    let is_killed = output.status.signal() == Some(9) || output.status.code() == Some(137);
    assert!(is_killed || output.status.code() == Some(0), "{call} {n}: {output:?}");
    is_killed
}

/// Whether processes can be traced here; containers may forbid it.
fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output();
    let can = traced.is_ok_and(|output| output.status.success());
    if !can {
        println!("skipped: strace is not here or may not trace");
    }
    can
}

/// Does `check` after a death at each of the calls of `arguments`, each time in a project that `prepare` made.
fn each_death(prepare: impl Fn(&Path), arguments: &[&str], check: impl Fn(&Path, &str)) {
    let mut deaths = 0;
    for call in CHANGES {
        for n in 1.. {
            let directory = tempfile::tempdir().unwrap();
            let at = directory.path().join("project");
            fs::create_dir(&at).unwrap();
            fs::create_dir(at.join(".git")).unwrap();
            prepare(&at);
            if !killed_at(&at, call, n, arguments) {
                break;
            }
            deaths += 1;
            check(&at, &format!("{call} {n}"));
        }
    }
    println!("{deaths} deaths");
    assert!(deaths > 20, "{deaths}");
}

fn assert_whole(at: &Path, place: &str) {
    let verified = steadfast(at, &["checkpoint", "verify"]);
    assert!(verified.status.success(), "{place}: {verified:?}");
}

#[test]
fn a_death_while_keeping_leaves_only_whole_checkpoints() {
    if !can_trace() {
        return;
    }
    let prepare = |at: &Path| {
        furnish(at);
        assert!(steadfast(at, &["checkpoint", "tag", "first"]).status.success());
        destroy(at);
    };
    each_death(prepare, &["checkpoint", "tag", "second"], |at, place| {
        let left = tree(at);
        assert_whole(at, place);
        assert!(steadfast(at, &["checkpoint", "tag", "third"]).status.success(), "{place}");
        assert_whole(at, place);
        assert_eq!(tree(at), left, "{place}");
        let back = steadfast(at, &["undo", "--to", "manual/iteration-000-manual"]);
        assert!(back.status.success(), "{place}: {back:?}");
        let expected = tempfile::tempdir().unwrap();
        furnish(expected.path());
        let mut found = tree(at);
        found.remove(Path::new(".git"));
        assert_eq!(found, tree(expected.path()), "{place}");
    });
}

#[test]
fn a_death_while_restoring_leaves_something_to_finish() {
    if !can_trace() {
        return;
    }
    let prepare = |at: &Path| {
        furnish(at);
        assert!(steadfast(at, &["checkpoint", "tag", "first"]).status.success());
        destroy(at);
        assert!(steadfast(at, &["checkpoint", "tag", "second"]).status.success());
    };
    let expected = |make: fn(&Path)| {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(".git")).unwrap();
        make(directory.path());
        tree(directory.path())
    };
    let before = expected(furnish);
    let after = expected(|at| {
        furnish(at);
        destroy(at);
    });
    each_death(prepare, &["undo", "--to", "manual/iteration-000-manual"], |at, place| {
        assert_whole(at, place);
        if at.join(".aiwg/ralph/restore.json").exists() {
            let finished = steadfast(at, &["undo", "--continue"]);
            assert!(finished.status.success(), "{place}: {finished:?}");
            assert_eq!(tree(at), before, "{place}");
        } else {
            let found = tree(at);
            assert!(found == before || found == after, "{place}: {:?}", found.keys());
        }
        assert_whole(at, place);
    });
}
