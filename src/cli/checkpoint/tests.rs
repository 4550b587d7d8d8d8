//! The command on a project with a loop of two trees.

use super::*;
use crate::checkpoint::meter::Meter;
use clap::Parser;
use serde_json::Value;
use std::fs;

#[derive(Parser)]
struct Command {
    #[command(subcommand)]
    command: CheckpointCommand,
}

/// A loop that has edited `src/a`, deleted `src/b` and made `src/c`.
fn project() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let at = |path: &str| directory.path().join(path);
    fs::create_dir(at("src")).unwrap();
    fs::write(at("src/a"), "one").unwrap();
    fs::write(at("src/b"), "one").unwrap();
    let store = Store::of_project(directory.path());
    take(&store, 0, TreeOccasion::Baseline);
    fs::write(at("src/a"), "two").unwrap();
    fs::remove_file(at("src/b")).unwrap();
    fs::write(at("src/c"), "two\n").unwrap();
    take(&store, 1, TreeOccasion::Final);
    (directory, store)
}

fn take(store: &Store, iteration: u32, moment: TreeOccasion) {
    tree::take(&TreeKeepRequest {
        store,
        loop_id: "ralph-x",
        iteration,
        moment,
        summary: "a tree",
        metrics: Map::new(),
        also: &[],
        bounds: tree::patient_bounds(),
        durability: Durability::Process,
        now: Timestamp::from_second(1_767_323_045 + i64::from(iteration)).unwrap(),
        meter: &Meter::default(),
    })
    .unwrap();
}

fn checkpoint(store: &Store, line: &str) -> (Result<u8, String>, String) {
    let command = Command::try_parse_from(format!("steadfast {line}").split(' ')).unwrap().command;
    let mut out = Vec::new();
    let root = store.path(Path::new(""));
    let code = answer(&command, store, &root, &root.join("src"), &mut out);
    (code.map_err(|error| error.to_string()), String::from_utf8(out).unwrap())
}

#[test]
fn lists_and_shows_trees() {
    let (_directory, store) = project();
    let expected = "2026-01-02T03:04:06Z  ralph-x/iteration-001-final
    a tree (at most 4 differences from iteration-000-baseline)
2026-01-02T03:04:05Z  ralph-x/iteration-000-baseline
    a tree (2 files are kept, 6 bytes)
";
    assert_eq!(checkpoint(&store, "list --trees"), (Ok(0), expected.to_owned()));
    let (code, text) = checkpoint(&store, "show iteration-001-final");
    assert_eq!(code, Ok(0));
    assert!(text.contains("0644          4  src/c\n") && !text.contains("src/b"), "{text}");
    let (_, text) = checkpoint(&store, "show iteration-001-final --json");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert!(json["entries"].as_array().unwrap().iter().any(|entry| entry["path"] == "src/a"), "{text}");
    assert_eq!(checkpoint(&store, "show ralph-x/iteration-000-baseline --file b"), (Ok(0), "one".to_owned()));
    let (code, _) = checkpoint(&store, "show iteration-001-final --file b");
    assert_eq!(code, Err("src/b is no file that ralph-x/iteration-001-final kept".to_owned()));
}

#[test]
fn differences_from_now_and_between() {
    let (directory, store) = project();
    let changes = "M src/a\nD src/b\nA src/c\n".to_owned();
    let between = "diff iteration-000-baseline iteration-001-final";
    assert_eq!(checkpoint(&store, &format!("{between} --name-status")), (Ok(1), changes.clone()));
    assert_eq!(checkpoint(&store, "diff iteration-000-baseline --name-status"), (Ok(1), changes));
    assert_eq!(checkpoint(&store, "diff iteration-001-final"), (Ok(0), String::new()));
    let stat = " src/a | 2 +-
 src/b | 1 -
 src/c | 1 +
 3 paths changed, 2 lines added, 2 lines removed
";
    assert_eq!(checkpoint(&store, &format!("{between} --stat")), (Ok(1), stat.to_owned()));
    let only =
        "diff --git a/src/c b/src/c\nnew file mode 100644\n--- /dev/null\n+++ b/src/c\n@@ -0,0 +1 @@\n+two\n";
    assert_eq!(
        checkpoint(&store, &format!("{between} -- c")),
        (Ok(1), only.to_owned()),
        "named from where one is"
    );
    fs::write(directory.path().join("src/a"), "ten").unwrap();
    let (code, text) = checkpoint(&store, "diff iteration-001-final --json");
    assert_eq!(code, Ok(1));
    let json: Value = serde_json::from_str(&text).unwrap();
    let change = &json["changes"][0];
    assert_eq!((&change["path"], &change["status"]), (&json!("src/a"), &json!("M")));
    assert_eq!((&change["lines_added"], &change["lines_removed"]), (&json!(1), &json!(1)));
    assert_eq!((&change["before"]["size"], &change["after"]["mode"]), (&json!(3), &json!("0644")));
}

#[test]
fn git_applies_what_is_printed() {
    let directory = tempfile::tempdir().unwrap();
    let at = |path: &str| directory.path().join(path);
    let store = Store::of_project(directory.path());
    fs::create_dir_all(at("src/deep")).unwrap();
    let long: String = (0..40).map(|n| format!("line {n}\n")).collect();
    fs::write(at("src/long"), &long).unwrap();
    fs::write(at("src/no-end"), "a\nb").unwrap();
    fs::write(at("src/gone"), "x\r\n\u{1b}[31m\n").unwrap();
    fs::write(at("src/run"), "#!/bin/sh\n").unwrap();
    fs::write(at("src/turns"), "a file\n").unwrap();
    fs::write(at("src/latin"), b"caf\xe9\n").unwrap();
    std::os::unix::fs::symlink("run", at("src/link")).unwrap();
    take(&store, 0, TreeOccasion::Baseline);
    let before = tempfile::tempdir().unwrap();
    let copied =
        std::process::Command::new("cp").arg("-a").arg(at("src")).arg(before.path()).status().unwrap();
    assert!(copied.success());
    let changed = long.replace("line 3\n", "line three\n").replace("line 30\n", "");
    fs::write(at("src/long"), changed).unwrap();
    fs::write(at("src/no-end"), "a\nc").unwrap();
    fs::remove_file(at("src/gone")).unwrap();
    fs::set_permissions(at("src/run"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::remove_file(at("src/turns")).unwrap();
    std::os::unix::fs::symlink("long", at("src/turns")).unwrap();
    fs::write(at("src/latin"), b"th\xe9\n").unwrap();
    fs::write(at("src/deep/new"), "new\n").unwrap();
    take(&store, 1, TreeOccasion::Final);
    let command = ["diff", "iteration-000-baseline", "iteration-001-final"];
    let command = Command::try_parse_from([&["steadfast"][..], &command].concat()).unwrap().command;
    let mut patch = Vec::new();
    answer(&command, &store, directory.path(), directory.path(), &mut patch).unwrap();
    fs::write(before.path().join("patch"), &patch).unwrap();
    let applied = std::process::Command::new("git")
        .args(["apply", "patch"])
        .current_dir(before.path())
        .output()
        .unwrap();
    assert!(
        applied.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&applied.stderr),
        String::from_utf8_lossy(&patch)
    );
    let compared = std::process::Command::new("diff")
        .args(["-r", "--no-dereference"])
        .arg(before.path().join("src"))
        .arg(at("src"))
        .output()
        .unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stdout));
}

#[test]
fn verifying_names_what_is_damaged() {
    let (_directory, store) = project();
    assert_eq!(checkpoint(&store, "verify"), (Ok(0), "2 checkpoints with 3 objects: all whole\n".to_owned()));
    let digest = crate::checkpoint::objects::Digest::of(b"one");
    let path = store.objects().path(&digest);
    fs::remove_file(&path).unwrap();
    fs::write(&path, "One").unwrap();
    let (code, text) = checkpoint(&store, "verify");
    assert_eq!(code, Ok(1));
    assert!(text.contains("damaged: ralph-x/iteration-000-baseline\n  src/a: object"), "{text}");
    assert!(text.ends_with("2 checkpoints with 3 objects: 1 damaged\n"), "{text}");
    assert_eq!(checkpoint(&store, "verify iteration-001-final").0, Ok(0), "its own files are whole");
    fs::remove_file(store.layout().checkpoints("ralph-x").join("iteration-000-baseline.json.gz")).unwrap();
    let (code, text) = checkpoint(&store, "verify --json");
    assert_eq!(code, Ok(1));
    assert!(text.contains("builds on iteration-000-baseline, which is not there"), "{text}");
}

#[test]
fn a_tagged_tree_is_kept_and_old_ones_go() {
    let (directory, store) = project();
    let (code, text) = checkpoint(&store, "tag mine --loop ralph-x");
    assert_eq!((code, text.as_str()), (Ok(0), "ralph-x/iteration-000-manual: 2 files, 7 bytes\n"));
    assert!(checkpoint(&store, "tag mine --loop ../x").0.is_err());
    let yml = "agent_persistence:\n  checkpoints:\n    keep: 0\n";
    fs::write(directory.path().join("aiwg.yml"), yml).unwrap();
    let (_, text) = checkpoint(&store, "gc --dry-run");
    assert!(text.starts_with("would remove 1 checkpoint and 0 objects"), "{text}");
    let (_, text) = checkpoint(&store, "gc --json");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["checkpoints_removed"], &json["objects_removed"]), (&json!(1), &json!(0)));
    let (_, text) = checkpoint(&store, "list");
    assert!(text.contains("iteration-000-baseline") && text.contains("[mine]"), "{text}");
    assert!(!text.contains("iteration-001-final"), "{text}");
}

#[test]
fn the_size_is_said_and_warned_of() {
    let (_directory, store) = project();
    let line = size_line(&store, 100, 5_000).unwrap();
    assert!(line.starts_with("2 checkpoints take ") && !line.contains("gc"), "{line}");
    assert!(
        size_line(&store, 0, 5_000).unwrap().ends_with("; `steadfast checkpoint gc` removes the old ones")
    );
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(size_line(&Store::of_project(empty.path()), 0, 5_000), None);
}
