//! What a checkpoint of the tree costs in a repository of 100,000 files, beside `git status` in the same run.
//!
//! `cargo bench --bench checkpoint`. Each round changes ten files, then runs both, each round in the other order; only
//! the ratio is worth comparing between machines. Then 10,000 files are deleted and come back.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a program for people at a terminal")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Map;
use steadfast::checkpoint::meter::Meter;
use steadfast::checkpoint::store::Store;
use steadfast::checkpoint::tree::{KeptTree, TreeKeepRequest, TreeOccasion, patient_bounds, take};
use steadfast::checkpoint::undo::{CheckpointSelector, UndoOptions, restore};
use steadfast::state::atomic::Durability;

const FOLDERS: usize = 1_000;
const FILES_EACH: usize = 100;
const CHANGED: usize = 10;
const ROUNDS: usize = 30;
/// Folders that are deleted to be restored: 10,000 files.
const DELETED: usize = 100;

fn main() {
    let directory = tempfile::Builder::new().prefix("steadfast-checkpoint-").tempdir().expect("a folder");
    let root = directory.path();
    println!("{} files in {FOLDERS} folders", FOLDERS * FILES_EACH);
    generate(root);
    let store = Store::of_project(root);
    let (first, taken) = timed(|| checkpoint(&store, 0, TreeOccasion::Baseline));
    println!("first checkpoint: {first:.2?}, {} files, {} bytes", taken.files, taken.bytes);
    // What has just been written is read once more: its time stamp proves nothing yet.
    std::thread::sleep(Duration::from_secs(3));
    git(root, &["status", "--porcelain"]);
    checkpoint(&store, 0, TreeOccasion::Pre);
    rounds(root, &store);
    restored(root, &store);
}

fn rounds(root: &Path, store: &Store) {
    let (mut statuses, mut takes) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        for n in 0..CHANGED {
            fs::write(root.join(name(n * 97 % FOLDERS, n)), format!("round {round}, file {n}\n"))
                .expect("a write");
        }
        let mut status = || statuses.push(timed(|| git(root, &["status", "--porcelain"])).0);
        let mut take = || {
            let iteration = u32::try_from(round).expect("few rounds") + 1;
            let (time, taken) = timed(|| checkpoint(store, iteration, TreeOccasion::Pre));
            assert_eq!(taken.changed, CHANGED);
            takes.push(time);
        };
        if round % 2 == 0 {
            status();
            take();
        } else {
            take();
            status();
        }
    }
    statuses.sort_unstable();
    takes.sort_unstable();
    println!("{:30}{:>10}{:>10}", "", "min", "median");
    for (what, times) in [("git status", &statuses), ("checkpoint, 10 files changed", &takes)] {
        println!("{what:30}{:>10.1?}{:>10.1?}", times[0], times[ROUNDS / 2]);
    }
    let ratio = |at: usize| takes[at].as_secs_f64() / statuses[at].as_secs_f64();
    println!("{:30}{:>10.2}{:>10.2}", "ratio", ratio(0), ratio(ROUNDS / 2));
}

fn restored(root: &Path, store: &Store) {
    for folder in 0..DELETED {
        fs::remove_dir_all(root.join(format!("src/{folder:04}"))).expect("a folder to delete");
    }
    let options = UndoOptions { now: Timestamp::now(), ..UndoOptions::default() };
    let selection = CheckpointSelector::Session(None);
    let (time, report) = timed(|| restore(store, &selection, &options).expect("a restore"));
    println!("restored {} files and folders in {time:.2?}", report.restored.len());
}

fn name(folder: usize, file: usize) -> String {
    format!("src/{folder:04}/module_{file:03}.rs")
}

fn generate(root: &Path) {
    for folder in 0..FOLDERS {
        fs::create_dir_all(root.join(format!("src/{folder:04}"))).expect("a folder");
        for file in 0..FILES_EACH {
            let content = format!("// {folder} {file}\n").repeat(20);
            fs::write(root.join(name(folder, file)), content).expect("a file");
        }
    }
    fs::write(root.join(".gitignore"), "*.log\ntarget/\n.aiwg/\n").expect("rules");
    git(root, &["init", "--quiet"]);
    git(root, &["add", "--all"]);
    let author = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
    git(root, &[&author[..], &["commit", "--quiet", "--no-gpg-sign", "-m", "all"]].concat());
}

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    let status = command.args(arguments).current_dir(root).stdout(Stdio::null()).status().expect("git");
    assert!(status.success(), "git {arguments:?}");
}

fn checkpoint(store: &Store, iteration: u32, moment: TreeOccasion) -> KeptTree {
    let taking = TreeKeepRequest {
        store,
        loop_id: "ralph-bench",
        iteration,
        moment,
        summary: "a round",
        metrics: Map::new(),
        also: &[],
        bounds: patient_bounds(),
        durability: Durability::Process,
        now: Timestamp::now(),
        meter: &Meter::default(),
    };
    take(&taking).expect("a checkpoint")
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let done = work();
    (started.elapsed(), done)
}
