//! What a proof leaves behind: nothing, however it ends; and what it touches of the project: nothing.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::project::{Project, is_there};

const START: &[(&str, &str)] = &[
    (".gitignore", "cache/\n.env\n"),
    (
        "check.sh",
        "#!/bin/sh\nmkdir -p cache\ndate > cache/ran\necho x >> src/written.txt\ngrep -q right src/a.txt\n",
    ),
    ("src/a.txt", "wrong\n"),
    (".env", "KEY=1\n"),
    ("cache/old", "1\n"),
];

/// Every file with its bytes, and everything with its times.
fn looked_at(root: &Path) -> BTreeMap<PathBuf, (i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(path) = pending.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            // Git keeps its own times, and the state of the guard is none of the project.
            if !path.ends_with(".git") {
                pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
        let bytes = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        found.insert(path, (metadata.mtime(), metadata.mtime_nsec(), bytes));
    }
    found
}

/// What lies in the folder of copies.
fn left(temporary: &Path) -> Vec<PathBuf> {
    let parents = fs::read_dir(temporary).unwrap().map(|entry| entry.unwrap().path());
    let copies =
        parents.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("steadfast-proof-"));
    copies
        .flat_map(|path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>())
        .collect()
}

fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_project_is_only_read() {
    let project = Project::new(START);
    project.write(".env", "KEY=1\n");
    project.write("cache/old", "1\n");
    project.write("src/a.txt", "right\n");
    project.write(
        "check.sh",
        "#!/bin/sh\nmkdir -p cache\ndate > cache/ran\necho y >> src/written.txt\ngrep -q r src/a.txt\n",
    );
    let before = looked_at(&project.root());
    let (code, answer) = project.judged(&["--until", "sh check.sh"]);
    assert_eq!(code, 0, "{answer:#}");
    assert_eq!(answer["by_name"], false);
    assert_eq!(looked_at(&project.root()), before);
}

#[test]
fn a_script_that_was_bent_is_refuted_or_left_to_a_person_and_never_proven() {
    let project = Project::new(START);
    project.write("check.sh", "#!/bin/sh\nexit 0\n");
    let (code, answer) = project.judged(&["--until", "sh check.sh"]);
    assert_eq!(code, 3, "{answer:#}");
}

#[test]
fn nothing_is_left_of_a_proof_that_is_killed_or_interrupted() {
    for signal in ["-KILL", "-INT", "-TERM"] {
        for pause in [0, 30, 150, 400] {
            let project = Project::new(START);
            project.write("src/a.txt", "right\n");
            let temporary = tempfile::tempdir().unwrap();
            let mark = format!("{}", 31_000_000 + std::process::id());
            // One process that leaves its group, and one that stays.
            let command = format!("setsid sleep {mark} & sleep {mark}");
            let mut run = project.command(&["--until", &command]);
            run.env("TMPDIR", temporary.path()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut run = run.spawn().unwrap();
            wait_for("a copy is made", || !left(temporary.path()).is_empty());
            sleep(Duration::from_millis(pause));
            let sent =
                std::process::Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap();
            assert!(sent.success());
            run.wait().unwrap();
            wait_for("the copies are gone", || left(temporary.path()).is_empty());
            wait_for("the processes are gone", || !is_running(&mark));
        }
    }
}

fn is_running(mark: &str) -> bool {
    let listed = std::process::Command::new("ps").args(["-eo", "args"]).output().unwrap();
    String::from_utf8_lossy(&listed.stdout).lines().any(|line| line.trim() == format!("sleep {mark}"))
}

#[test]
fn what_a_killed_keeper_left_goes_with_the_next_proof() {
    let project = Project::new(START);
    project.write("src/a.txt", "right\n");
    let temporary = tempfile::tempdir().unwrap();
    let prove = || {
        let mut run = project.command(&["--until", "grep -q right src/a.txt"]);
        run.env("TMPDIR", temporary.path()).output().unwrap().status.code()
    };
    assert_eq!(prove(), Some(0));
    let parent = fs::read_dir(temporary.path()).unwrap().next().unwrap().unwrap().path();
    fs::create_dir_all(parent.join("run-dead/1/project")).unwrap();
    fs::write(parent.join("run-dead/lock"), "").unwrap();
    assert_eq!(prove(), Some(0));
    assert!(left(temporary.path()).is_empty());
}

#[test]
fn time_that_is_used_up_is_said_with_what_would_help() {
    let project = Project::new(START);
    project.write("src/a.txt", "right\n");
    let (code, answer) = project.judged(&["--until", "sleep 30", "--budget", "1s"]);
    assert_eq!(code, 3, "{answer:#}");
    assert!(answer["help"].to_string().contains("--budget"), "{answer:#}");
}

#[test]
fn nothing_to_prove_is_no_proof() {
    let project = Project::new(START);
    let told = project.prove(&["--until", "true"]);
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).contains("nothing differs"), "{told:?}");
    assert!(is_there("sh", &["-c", "true"]));
}
