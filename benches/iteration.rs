//! What the end of an iteration costs in a repository of 100,000 files, beside `git status` in the same run.
//!
//! `cargo bench --bench iteration`. Each round changes ten files, then runs both, each round in the other order; only
//! the ratio is worth comparing between machines. The loop's criterion is a `test` that fails, so that what is measured
//! is the hook's own work: judging what changed, recording the iteration, keeping the tree, beginning the next one.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a program for people at a terminal")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDERS: usize = 1_000;
const FILES_EACH: usize = 100;
const CHANGED: usize = 10;
const ROUNDS: usize = 20;

fn main() {
    for (what, begin) in
        [("a loop's iteration", loop_begins as fn(&Path)), ("a session's turn", session_begins)]
    {
        let directory = tempfile::Builder::new().prefix("steadfast-iteration-").tempdir().expect("a folder");
        let root = directory.path().canonicalize().expect("a folder");
        generate(&root);
        begin(&root);
        // What has just been written is read once more: its time stamp proves nothing yet.
        std::thread::sleep(Duration::from_secs(3));
        status(&root);
        stop(&root);
        rounds(what, &root);
    }
}

fn rounds(what: &str, root: &Path) {
    let (mut statuses, mut stops) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        for n in 0..CHANGED {
            let text = format!("def total_{n}(items):\n    return sum(items) + {round}\n");
            fs::write(root.join(name(n * 97 % FOLDERS, n)), text).expect("a write");
        }
        let mut status = || statuses.push(timed(|| status(root)));
        if round % 2 == 0 {
            status();
            stops.push(timed(|| stop(root)));
        } else {
            stops.push(timed(|| stop(root)));
            status();
        }
    }
    statuses.sort_unstable();
    stops.sort_unstable();
    println!("{:30}{:>10}{:>10}", format!("{} files", FOLDERS * FILES_EACH), "min", "median");
    for (what, times) in [("git status", &statuses), (what, &stops)] {
        println!("{what:30}{:>10.1?}{:>10.1?}", times[0], times[ROUNDS / 2]);
    }
    let ratio = |at: usize| stops[at].as_secs_f64() / statuses[at].as_secs_f64();
    println!("{:30}{:>10.2}{:>10.2}\n", "ratio", ratio(0), ratio(ROUNDS / 2));
}

fn loop_begins(root: &Path) {
    let mut start = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    start.args(["loop", "start", "Mend the totals", "--until", "`test -e done` passes", "--loop-id", "l1"]);
    start.args(["--max-iterations", "900"]).current_dir(root).stdout(Stdio::null());
    assert!(start.status().expect("steadfast").success());
    event(root, "session-start", r#""source": "startup""#);
}

fn session_begins(root: &Path) {
    let call = r#""tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "make"}"#;
    event(root, "pre-tool-use", call);
}

fn stop(root: &Path) {
    event(root, "stop", r#""stop_hook_active": false, "last_assistant_message": "Mended.""#);
}

fn event(root: &Path, name: &str, fields: &str) {
    let mut hook = Command::new(env!("CARGO_BIN_EXE_steadfast-hook"));
    hook.arg(name).current_dir(root).stdin(Stdio::piped()).stdout(Stdio::null());
    // The client's own cap of continuations would end the loop.
    hook.env("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "0").env_remove("STEADFAST_LOOP_ID");
    let mut hook = hook.spawn().expect("the hook");
    let text = format!(
        r#"{{"session_id": "s1", "cwd": "{}", "permission_mode": "default", {fields}}}"#,
        root.display()
    );
    hook.stdin.take().expect("its input").write_all(text.as_bytes()).expect("its input");
    assert!(hook.wait().expect("the hook").success());
}

fn name(folder: usize, file: usize) -> String {
    format!("src/{folder:04}/module_{file:03}.py")
}

fn generate(root: &Path) {
    for folder in 0..FOLDERS {
        fs::create_dir_all(root.join(format!("src/{folder:04}"))).expect("a folder");
        for file in 0..FILES_EACH {
            let text = format!("def total_{file}(items):\n    return sum(items) + {folder}\n").repeat(5);
            fs::write(root.join(name(folder, file)), text).expect("a file");
        }
    }
    git(root, &["init", "--quiet"]);
    git(root, &["add", "--all"]);
    let author = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
    git(root, &[&author[..], &["commit", "--quiet", "--no-gpg-sign", "-m", "all"]].concat());
}

fn status(root: &Path) {
    git(root, &["status", "--porcelain"]);
}

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    let status = command.args(arguments).current_dir(root).stdout(Stdio::null()).status().expect("git");
    assert!(status.success(), "git {arguments:?}");
}

fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}
