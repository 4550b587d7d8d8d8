//! The room as a whole, on real trees: what a call does to files, an undo takes back.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use proptest::prelude::*;

use crate::checkpoint::keep::{KeepRequest, KeptCheckpoint, keep};
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::settle::{EndedCall, settle};
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{CheckpointSelector, UndoOptions, UndoReport, restore, restore_until, resume};
use crate::checkpoint::walk::WalkBounds;
use crate::checkpoint::{Error, catalogue, journal};
use crate::state::atomic::Durability;

/// Kind, permissions and content of every path but the store's.
pub(super) type Tree = BTreeMap<PathBuf, (&'static str, u32, Vec<u8>)>;

pub(super) struct Project {
    pub(super) directory: tempfile::TempDir,
    pub(super) store: Store,
    seconds: Cell<i64>,
}

impl Project {
    pub(super) fn new() -> Project {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("project")).unwrap();
        let store = Store::of_project(&directory.path().join("project"));
        Project { directory, store, seconds: Cell::new(1_800_000_000) }
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.store.path(Path::new(path))
    }

    pub(super) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(super) fn chmod(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), Permissions::from_mode(mode)).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.seconds.set(self.seconds.get() + 1);
        Timestamp::from_second(self.seconds.get()).unwrap()
    }

    fn keep_within(&self, id: Option<&str>, paths: &[&str], bounds: WalkBounds<'_>) -> KeptCheckpoint {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        self.keep_paths(id, &paths, bounds)
    }

    /// Keeps all that an [`Event`] can touch, as the call `c`.
    fn keep_top(&self, whole: bool) {
        let top = OsString::from_vec(b"\xff".to_vec());
        let paths = if whole { vec![".".into()] } else { vec!["a".into(), "b".into(), top.into()] };
        self.keep_paths(Some("c"), &paths, WalkBounds::default());
    }

    fn keep_paths(&self, id: Option<&str>, paths: &[PathBuf], bounds: WalkBounds<'_>) -> KeptCheckpoint {
        keep(&KeepRequest {
            store: &self.store,
            loop_id: "ralph-x",
            iteration: 3,
            trigger: Trigger::PreRiskyOp,
            label: "",
            tool: Some("Bash"),
            tool_call_id: id,
            summary: "a risky call",
            paths,
            bounds,
            durability: Durability::Process,
            now: self.now(),
        })
        .unwrap()
    }

    pub(super) fn keep(&self, id: &str, paths: &[&str]) -> KeptCheckpoint {
        self.keep_within(Some(id), paths, WalkBounds::default())
    }

    fn settle(&self, id: &str) -> Option<Manifest> {
        let call = EndedCall { loop_id: "ralph-x", iteration: 3, tool_call_id: Some(id) };
        settle(&self.store, call, &WalkBounds::default(), self.now()).unwrap()
    }

    /// A whole call that does `work`.
    pub(super) fn call(&self, id: &str, paths: &[&str], work: impl FnOnce(&Path)) {
        self.keep(id, paths);
        work(&self.at(""));
        assert!(self.settle(id).is_some(), "{id} is settled");
    }

    pub(super) fn options(&self) -> UndoOptions {
        UndoOptions { now: self.now(), ..UndoOptions::default() }
    }

    fn undo(&self, id: &str) -> UndoReport {
        restore(&self.store, &CheckpointSelector::Id(id.to_owned()), &self.options()).unwrap()
    }

    pub(super) fn undo_last(&self) -> UndoReport {
        restore(&self.store, &CheckpointSelector::Last, &self.options()).unwrap()
    }

    fn force(&self, id: &str) -> UndoReport {
        let options = UndoOptions { force: true, ..self.options() };
        restore(&self.store, &CheckpointSelector::Id(id.to_owned()), &options).unwrap()
    }

    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut pending = vec![PathBuf::new()];
        while let Some(name) = pending.pop() {
            let path = self.store.path(&name);
            let metadata = fs::symlink_metadata(&path).unwrap();
            let mode = Node::mode(&metadata);
            let kind = metadata.file_type();
            let shape = if kind.is_symlink() {
                ("link", 0, fs::read_link(&path).unwrap().into_os_string().into_vec())
            } else if kind.is_dir() {
                let children =
                    fs::read_dir(&path).unwrap().map(|child| name.join(child.unwrap().file_name()));
                pending.extend(children.filter(|name| name != Path::new(".aiwg")));
                ("folder", mode, Vec::new())
            } else {
                ("file", mode, fs::read(&path).unwrap())
            };
            tree.insert(name, shape);
        }
        tree
    }
}

pub(super) fn paths(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

pub(super) fn refused(report: &UndoReport) -> Vec<(&str, &str)> {
    report.refused.iter().map(|refusal| (refusal.path.to_str().unwrap(), refusal.reason.as_str())).collect()
}

/// A tree with one of everything.
pub(super) fn furnish(project: &Project) {
    project.write("dir/plain.txt", "plain\n");
    project.write("dir/run.sh", "#!/bin/sh\n");
    project.chmod("dir/run.sh", 0o755);
    project.write("dir/secret", "s");
    project.chmod("dir/secret", 0o600);
    project.write("dir/fixed", "f");
    project.chmod("dir/fixed", 0o444);
    project.write("dir/sticky", "f");
    project.chmod("dir/sticky", 0o4711);
    project.write("dir/deep/er/still/binary", (0..=255).collect::<Vec<u8>>());
    project.write("dir/empty-file", "");
    project.write("dir/large", vec![7; 3 << 20]);
    fs::create_dir_all(project.at("dir/empty/in/empty")).unwrap();
    project.chmod("dir/empty", 0o700);
    project.chmod("dir/deep/er", 0o555);
    symlink("plain.txt", project.at("dir/link")).unwrap();
    symlink("nowhere/at/all", project.at("dir/dangling")).unwrap();
    symlink("deep", project.at("dir/to-folder")).unwrap();
    fs::write(project.at("dir").join(OsString::from_vec(b"caf\xe9 \xff\n".to_vec())), "latin").unwrap();
    symlink(OsString::from_vec(b"\xfe".to_vec()), project.at("dir/odd-link")).unwrap();
    project.write("other", "untouched");
}

/// Deletes a folder that may have read-only folders in it.
pub(super) fn wipe(folder: &Path) {
    fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    for child in fs::read_dir(folder).unwrap() {
        let child = child.unwrap();
        if child.file_type().unwrap().is_dir() {
            wipe(&child.path())
        } else {
            fs::remove_file(child.path()).unwrap()
        }
    }
    fs::remove_dir(folder).unwrap();
}

#[test]
fn every_kind_of_change_is_taken_back_and_the_undo_as_well() {
    type Work = fn(&Path);
    let cases: [(&str, &[&str], Work); 15] = [
        ("a folder is deleted", &["dir"], |at| wipe(&at.join("dir"))),
        ("everything is deleted", &["."], |at| {
            wipe(&at.join("dir"));
            fs::remove_file(at.join("other")).unwrap();
        }),
        ("a file is edited", &["dir/plain.txt"], |at| fs::write(at.join("dir/plain.txt"), "new").unwrap()),
        ("a file of the same size", &["dir/plain.txt"], |at| {
            fs::write(at.join("dir/plain.txt"), "PLAIN\n").unwrap()
        }),
        ("a file is deleted", &["dir/run.sh"], |at| fs::remove_file(at.join("dir/run.sh")).unwrap()),
        ("only permissions", &["dir/run.sh", "dir/empty"], |at| {
            fs::set_permissions(at.join("dir/run.sh"), Permissions::from_mode(0o644)).unwrap();
            fs::set_permissions(at.join("dir/empty"), Permissions::from_mode(0o755)).unwrap();
        }),
        ("a link is turned", &["dir/link"], |at| {
            fs::remove_file(at.join("dir/link")).unwrap();
            symlink("run.sh", at.join("dir/link")).unwrap();
        }),
        ("a write goes through a link", &["dir/link"], |at| {
            fs::write(at.join("dir/link"), "through").unwrap()
        }),
        ("a write makes a dangling link good", &["dir/dangling"], |at| {
            fs::create_dir_all(at.join("dir/nowhere/at")).unwrap();
            fs::write(at.join("dir/dangling"), "through").unwrap();
        }),
        ("a link becomes a file", &["dir/link"], |at| {
            fs::remove_file(at.join("dir/link")).unwrap();
            fs::write(at.join("dir/link"), "a file").unwrap();
        }),
        ("a file becomes a folder", &["dir/plain.txt"], |at| {
            fs::remove_file(at.join("dir/plain.txt")).unwrap();
            fs::create_dir_all(at.join("dir/plain.txt/sub")).unwrap();
            fs::write(at.join("dir/plain.txt/sub/x"), "x").unwrap();
        }),
        ("a folder becomes a file", &["dir/deep"], |at| {
            wipe(&at.join("dir/deep"));
            fs::write(at.join("dir/deep"), "file").unwrap();
        }),
        ("a folder becomes a link", &["dir"], |at| {
            fs::rename(at.join("dir"), at.join("../moved")).unwrap();
            symlink("../moved", at.join("dir")).unwrap();
        }),
        ("new files in new folders", &["new/a/file.txt", "new/b.txt"], |at| {
            fs::create_dir_all(at.join("new/a")).unwrap();
            fs::write(at.join("new/a/file.txt"), "x").unwrap();
            fs::write(at.join("new/b.txt"), "x").unwrap();
        }),
        ("much at once", &["dir", "other"], |at| {
            wipe(&at.join("dir/deep"));
            fs::rename(at.join("dir/empty"), at.join("dir/full")).unwrap();
            fs::write(at.join("dir/full/new"), "n").unwrap();
            fs::rename(at.join("other"), at.join("dir/other")).unwrap();
            fs::create_dir(at.join("other")).unwrap();
        }),
    ];
    for (name, paths, work) in cases {
        let project = Project::new();
        furnish(&project);
        let before = project.tree();
        project.call("toolu_1", paths, work);
        let after = project.tree();
        assert_ne!(before, after, "{name}");
        for round in 0..2 {
            let report = project.undo_last();
            assert_eq!(refused(&report), [], "{name}, round {round}");
            assert_eq!(project.tree(), before, "{name}: undone, round {round}");
            let report = project.undo_last();
            assert_eq!(refused(&report), [], "{name}, round {round}");
            assert_eq!(project.tree(), after, "{name}: done again, round {round}");
        }
        assert!(Manifest::read(&project.keep("x", &["other"]).manifest).is_ok(), "{name}");
    }
}

#[test]
fn an_outside_file_comes_back_too() {
    let project = Project::new();
    let outside = project.directory.path().join("outside.txt");
    fs::write(&outside, "before").unwrap();
    let path = outside.to_str().unwrap().to_owned();
    project.call("c", &[&path, "../created"], |at| {
        fs::remove_file(&outside).unwrap();
        fs::write(at.join("../created"), "x").unwrap();
    });
    let report = project.undo("c");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "before");
    assert!(!project.at("../created").exists());
    assert_eq!((report.restored.len(), report.removed.len()), (1, 1));
}

#[test]
fn newer_work_is_refused_and_force_keeps_it_first() {
    let project = Project::new();
    project.write("a", "one");
    project.write("b", "one");
    project.call("c", &["a", "b"], |at| {
        fs::write(at.join("a"), "two").unwrap();
        fs::write(at.join("b"), "two").unwrap();
    });
    project.write("a", "three, by hand");
    let report = project.undo("c");
    assert_eq!(refused(&report), [("a", "changed since the call: this may be newer work")]);
    assert!(report.refused[0].by_force);
    assert_eq!(report.restored, paths(&["b"]));
    assert_eq!((project.read("a").as_str(), project.read("b").as_str()), ("three, by hand", "one"));
    let report = project.force("c");
    assert_eq!((report.restored, report.unchanged), (paths(&["a"]), paths(&["b"])));
    assert_eq!(project.read("a"), "one");
    project.undo_last();
    assert_eq!(project.read("a"), "three, by hand");
}

#[test]
fn files_that_came_later_stay() {
    let project = Project::new();
    project.write("dir/kept", "k");
    project.call("c", &["dir", "new/x"], |at| {
        fs::remove_file(at.join("dir/kept")).unwrap();
        fs::create_dir_all(at.join("dir/made")).unwrap();
        fs::write(at.join("dir/made/m"), "m").unwrap();
        fs::create_dir_all(at.join("new")).unwrap();
        fs::write(at.join("new/x"), "x").unwrap();
    });
    project.write("dir/later", "mine");
    project.write("dir/made/later", "mine");
    project.write("new/later", "mine");
    for force in [false, true] {
        let report = if force { project.force("c") } else { project.undo("c") };
        assert_eq!(refused(&report), [("dir/made", "holds files that came later")], "force {force}");
        assert!(!report.refused[0].by_force);
        assert_eq!(project.read("dir/kept"), "k", "force {force}");
        assert!(!project.at("dir/made/m").exists() && !project.at("new/x").exists(), "force {force}");
        for later in ["dir/later", "dir/made/later", "new/later"] {
            assert_eq!(project.read(later), "mine", "force {force}");
        }
    }
}

#[test]
fn a_folder_with_later_files_gives_way_to_a_file_only_by_force() {
    let project = Project::new();
    project.write("x", "file");
    project.call("c", &["x"], |at| {
        fs::remove_file(at.join("x")).unwrap();
        fs::create_dir(at.join("x")).unwrap();
        fs::write(at.join("x/calls"), "c").unwrap();
    });
    project.write("x/later", "mine");
    let taken = project.tree();
    let report = project.undo("c");
    assert_eq!(refused(&report), [("x", "holds files that came later")]);
    assert_eq!(project.tree(), taken, "all or nothing");
    assert_eq!(refused(&project.force("c")), []);
    assert_eq!(project.read("x"), "file");
    project.undo_last();
    assert_eq!(project.tree(), taken);
}

#[test]
fn folders_that_an_undo_had_to_make_go_with_it() {
    let project = Project::new();
    project.write("deep/down/a", "one");
    project.call("c", &["deep/down/a"], |at| fs::write(at.join("deep/down/a"), "two").unwrap());
    wipe(&project.at("deep"));
    let before = project.tree();
    assert_eq!(project.undo("c").restored, paths(&["deep/down/a"]));
    project.undo_last();
    assert_eq!(project.tree(), before);
}

#[test]
fn what_was_too_large_to_look_at_after_the_call_asks_for_force() {
    let project = Project::new();
    project.write("dir/a", "one");
    project.keep("c", &["dir"]);
    project.write("dir/large", vec![1; 2000]);
    let call = EndedCall { loop_id: "ralph-x", iteration: 3, tool_call_id: Some("c") };
    let bounds = WalkBounds { file_bytes: 1000, ..WalkBounds::default() };
    settle(&project.store, call, &bounds, project.now()).unwrap();
    assert_eq!(
        refused(&project.undo("c")),
        [("dir/large", "changed since the call: this may be newer work")]
    );
    assert_eq!(project.force("c").removed, paths(&["dir/large"]));
}

#[test]
fn after_a_crash_what_is_gone_comes_back_and_the_rest_asks() {
    let project = Project::new();
    project.write("gone", "g");
    project.write("edited", "e");
    project.keep("c", &["gone", "edited", "made"]);
    fs::remove_file(project.at("gone")).unwrap();
    project.write("edited", "changed");
    project.write("made", "m");
    let report = project.undo_last();
    assert_eq!(report.restored, paths(&["gone"]));
    let reason = "what the call left was not recorded, so this may be newer work";
    assert_eq!(refused(&report), [("edited", reason), ("made", reason)]);
    let report = project.force("c");
    assert_eq!((report.restored, report.removed), (paths(&["edited"]), paths(&["made"])));
    assert_eq!(project.read("edited"), "e");
}

#[test]
fn a_call_that_changed_nothing_is_not_the_last() {
    let project = Project::new();
    project.write("a", "one");
    project.call("worked", &["a"], |at| fs::write(at.join("a"), "two").unwrap());
    project.keep("denied", &["a"]);
    project.call("idle", &["a"], |_| ());
    assert_eq!(project.undo_last().checkpoint_id, "iteration-003-call-worked");
    assert_eq!(project.read("a"), "one");
    let fresh = Project::new();
    let nothing = restore(&fresh.store, &CheckpointSelector::Last, &fresh.options());
    assert!(matches!(nothing, Err(Error::NothingToUndo)));
    let unknown = restore(&fresh.store, &CheckpointSelector::Id("toolu_9".into()), &fresh.options());
    assert!(unknown.unwrap_err().to_string().contains("toolu_9"));
}

#[test]
fn single_paths_leave_the_others() {
    let project = Project::new();
    furnish(&project);
    project.call("c", &["dir"], |at| wipe(&at.join("dir")));
    let chosen = ["dir/deep", "dir/plain.txt", "nonsense"];
    let options = UndoOptions { paths: paths(&chosen), ..project.options() };
    let report = restore(&project.store, &CheckpointSelector::Last, &options).unwrap();
    assert_eq!(refused(&report), [("nonsense", "not in this checkpoint")]);
    let there: Vec<PathBuf> = project.tree().into_keys().collect();
    let expected = [
        "",
        "dir",
        "dir/deep",
        "dir/deep/er",
        "dir/deep/er/still",
        "dir/deep/er/still/binary",
        "dir/plain.txt",
        "other",
    ];
    assert_eq!(there, paths(&expected));
}

#[test]
fn a_dry_run_says_it_all_and_does_nothing() {
    let project = Project::new();
    project.write("a", "one");
    project.call("c", &["a", "b"], |at| fs::rename(at.join("a"), at.join("b")).unwrap());
    let before = project.tree();
    let options = UndoOptions { dry_run: true, ..project.options() };
    let report = restore(&project.store, &CheckpointSelector::Last, &options).unwrap();
    assert_eq!((report.restored, report.removed, report.pre_restore), (paths(&["a"]), paths(&["b"]), None));
    assert_eq!(project.tree(), before);
    assert_eq!(catalogue::list(&project.store, None).unwrap().checkpoints.len(), 1);
}

#[test]
fn a_damaged_object_is_named_and_the_rest_comes_back() {
    let project = Project::new();
    project.write("a", "content of a");
    project.write("b", "content of b");
    project.write("gone", "content of gone");
    project.call("c", &["a", "b", "gone"], |at| {
        fs::write(at.join("a"), "x").unwrap();
        fs::write(at.join("b"), "x").unwrap();
        fs::remove_file(at.join("gone")).unwrap();
    });
    let object = |content: &[u8]| {
        let digest = crate::checkpoint::objects::Digest::of(content);
        (digest.to_string(), project.store.objects().path(&digest))
    };
    let (name_a, path_a) = object(b"content of a");
    fs::remove_file(&path_a).unwrap();
    fs::write(&path_a, "Content of a").unwrap();
    let (name_gone, path_gone) = object(b"content of gone");
    fs::remove_file(&path_gone).unwrap();
    let report = project.force("c");
    assert_eq!(report.restored, paths(&["b"]));
    let reasons = refused(&report);
    assert!(reasons[0].0 == "a" && reasons[0].1.contains(&format!("{name_a} is damaged")), "{reasons:?}");
    assert!(
        reasons[1].0 == "gone" && reasons[1].1.contains(&format!("{name_gone} is missing")),
        "{reasons:?}"
    );
    assert_eq!(project.read("a"), "x");
}

#[test]
fn nothing_is_written_through_a_link_that_came_in_the_way() {
    let project = Project::new();
    project.write("src/a", "one");
    project.write("elsewhere/a", "precious");
    project.call("c", &["src/a"], |at| fs::write(at.join("src/a"), "two").unwrap());
    fs::rename(project.at("src"), project.at("src-old")).unwrap();
    symlink("elsewhere", project.at("src")).unwrap();
    let before = project.tree();
    let report = project.force("c");
    assert_eq!(report.refused[0].reason, "src on the way to it is no folder now; move that away first");
    assert_eq!(project.tree(), before);
}

#[test]
fn a_read_only_folder_is_opened_for_its_files_and_closed_again() {
    let project = Project::new();
    project.write("locked/deep/a", "one");
    project.write("locked/deep/b", "one");
    project.call("c", &["locked/deep/a", "locked/deep/new"], |at| {
        fs::remove_file(at.join("locked/deep/a")).unwrap();
        fs::write(at.join("locked/deep/new"), "n").unwrap();
    });
    for folder in ["locked/deep", "locked"] {
        project.chmod(folder, 0o555);
    }
    let report = project.undo("c");
    assert_eq!(refused(&report), []);
    assert_eq!(project.read("locked/deep/a"), "one");
    assert!(!project.at("locked/deep/new").exists());
    let tree = project.tree();
    assert_eq!((tree[Path::new("locked")].1, tree[Path::new("locked/deep")].1), (0o555, 0o555));
    for folder in ["locked", "locked/deep"] {
        project.chmod(folder, 0o755);
    }
}

#[test]
fn what_cannot_be_kept_is_not_replaced_even_by_force() {
    let project = Project::new();
    project.write("a", "one");
    project.write("b", "one");
    project.keep("c", &["a", "b"]);
    fs::remove_file(project.at("a")).unwrap();
    fs::remove_file(project.at("b")).unwrap();
    assert!(Command::new("mkfifo").arg(project.at("a")).status().unwrap().success());
    let report = project.force("c");
    assert_eq!(refused(&report), [("a", "what is there now cannot be kept first")]);
    assert!(!report.refused[0].by_force);
    assert_eq!(project.read("b"), "one");
}

#[test]
fn what_is_not_kept_is_said_and_left_alone() {
    let project = Project::new();
    project.write("dir/small", "s");
    project.write("dir/big", vec![1; 2000]);
    project.write("dir/node_modules/m/index.js", "x");
    assert!(Command::new("mkfifo").arg(project.at("dir/pipe")).status().unwrap().success());
    let bounds = WalkBounds { file_bytes: 1000, exclude: &["node_modules"], ..WalkBounds::default() };
    let kept = project.keep_within(Some("c"), &["dir", ".aiwg"], bounds);
    let skipped: Vec<(&str, &str)> = kept
        .skipped
        .iter()
        .map(|skipped| (skipped.path.to_str().unwrap(), skipped.reason.as_str()))
        .collect();
    let expected = [
        ("dir/big", "2000 bytes: larger than 1000 for one file"),
        ("dir/node_modules", "build output, made again rather than kept"),
        ("dir/pipe", "a device, socket or pipe"),
        (".aiwg/ralph", "Steadfast's own store"),
    ];
    assert_eq!(skipped, expected);
    fs::remove_file(project.at("dir/small")).unwrap();
    project.write("dir/big", "other");
    project.write("dir/node_modules/new", "n");
    project.settle("c");
    let report = project.undo("c");
    assert_eq!((report.restored.clone(), refused(&report)), (paths(&["dir/small"]), vec![]));
    assert_eq!(report.not_kept, kept.skipped);
    assert_eq!(project.read("dir/big"), "other");
    assert_eq!(project.read("dir/node_modules/new"), "n");
}

#[test]
fn bounds_hold_and_are_said() {
    let project = Project::new();
    for n in 0..10 {
        project.write(&format!("dir/{n}"), vec![n; 100]);
    }
    let cases: [(&str, WalkBounds<'_>, usize, &str); 3] = [
        ("bytes", WalkBounds { total_bytes: 350, ..WalkBounds::default() }, 3, "more than 350 bytes"),
        ("paths", WalkBounds { paths: 5, ..WalkBounds::default() }, 4, "more than 5 paths"),
        ("time", WalkBounds { deadline: Some(Instant::now()), ..WalkBounds::default() }, 0, "out of time"),
    ];
    for (name, bounds, files, reason) in cases {
        let kept = project.keep_within(Some(name), &["dir"], bounds);
        assert_eq!(kept.files, files, "{name}");
        assert!(kept.skipped.iter().all(|skipped| skipped.reason.starts_with(reason)), "{name}: {kept:?}");
        assert!(!kept.skipped.is_empty(), "{name}");
    }
    // What was beyond the bounds is not taken for created.
    let before = project.tree();
    project.settle("paths");
    assert_eq!(project.force("paths").removed, paths(&[]));
    assert_eq!(project.tree(), before);
}

#[test]
fn a_call_without_an_id_is_settled_as_the_newest() {
    let project = Project::new();
    project.write("a", "one");
    project.keep_within(None, &["a"], WalkBounds::default());
    let newest = project.keep_within(None, &["a"], WalkBounds::default());
    project.write("a", "two");
    let call = EndedCall { loop_id: "ralph-x", iteration: 4, tool_call_id: None };
    let settled = settle(&project.store, call, &WalkBounds::default(), project.now()).unwrap().unwrap();
    assert_eq!(settled.checkpoint_id, newest.checkpoint_id);
    assert_eq!(project.undo_last().checkpoint_id, newest.checkpoint_id);
    assert_eq!(project.read("a"), "one");
    assert!(project.settle("toolu_unknown").is_none());
}

#[test]
fn an_id_that_comes_twice_keeps_both() {
    let project = Project::new();
    project.write("a", "one");
    project.keep("c", &["a"]);
    project.write("a", "two");
    project.call("c", &["a"], |at| fs::write(at.join("a"), "three").unwrap());
    project.undo("c");
    assert_eq!(project.read("a"), "two");
    project.force("ralph-x/iteration-003-call-c");
    assert_eq!(project.read("a"), "one");
}

#[test]
fn settling_sees_a_change_that_hides_from_the_time_stamp() {
    let project = Project::new();
    project.write("old", "one");
    let old = std::time::SystemTime::now() - Duration::from_secs(3600);
    let file = fs::File::options().write(true).open(project.at("old")).unwrap();
    file.set_modified(old).unwrap();
    project.keep("c", &["old"]);
    project.write("old", "two");
    let file = fs::File::options().write(true).open(project.at("old")).unwrap();
    file.set_modified(old).unwrap();
    let changed = project.settle("c").unwrap().after.unwrap().changed;
    assert_eq!(changed.len(), 1);
}

#[test]
fn the_list_is_newest_first_and_survives_a_damaged_one() {
    let project = Project::new();
    project.write("a", "12345");
    project.keep("first", &["a"]);
    let second = project.keep("second", &["a", "b"]);
    project.keep("third", &["b"]);
    fs::write(&second.manifest, "damage").unwrap();
    let listed = catalogue::list(&project.store, None).unwrap();
    let ids: Vec<_> =
        listed.checkpoints.iter().map(|manifest| manifest.tool_call_id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["third", "first"]);
    assert_eq!(listed.checkpoints[1].kept_files(), (1, 5));
    assert!(listed.unreadable[0].to_string().contains("iteration-003-call-second.json.gz"));
    assert!(catalogue::list(&project.store, Some("no-such-loop")).unwrap().checkpoints.is_empty());
}

#[test]
fn a_restore_that_died_anywhere_is_finished() {
    for steps in 0.. {
        let project = Project::new();
        furnish(&project);
        let before = project.tree();
        project.call("c", &["dir", "new/x", "other"], |at| {
            wipe(&at.join("dir/deep"));
            fs::write(at.join("dir/deep"), "in the way").unwrap();
            fs::remove_file(at.join("dir/plain.txt")).unwrap();
            fs::create_dir(at.join("dir/plain.txt")).unwrap();
            fs::write(at.join("dir/plain.txt/x"), "x").unwrap();
            fs::create_dir(at.join("new")).unwrap();
            fs::write(at.join("new/x"), "x").unwrap();
            fs::write(at.join("other"), "changed").unwrap();
        });
        let after = project.tree();
        let mut left = steps;
        let mut go_on = || {
            left -= 1;
            left >= 0
        };
        let done = restore_until(
            &project.store,
            &CheckpointSelector::Last,
            &project.options(),
            &Meter::default(),
            &mut go_on,
        )
        .unwrap();
        if done.is_some() {
            assert!(steps > 8, "{steps}");
            return;
        }
        // What a death in the middle of writing leaves.
        fs::write(project.at(".steadfast-undo-0"), "half").unwrap();
        let again = restore(&project.store, &CheckpointSelector::Last, &project.options());
        assert!(matches!(again, Err(Error::Unfinished)), "{steps}");
        let report = resume(&project.store, project.now(), &Meter::default()).unwrap();
        assert_eq!(refused(&report), [], "{steps}");
        let _ = fs::remove_file(project.at(".steadfast-undo-0"));
        assert_eq!(project.tree(), before, "{steps}");
        assert!(!journal::path(&project.store).exists(), "{steps}");
        assert!(
            matches!(resume(&project.store, project.now(), &Meter::default()), Err(Error::NothingToContinue)),
            "{steps}"
        );
        project.undo_last();
        assert_eq!(project.tree(), after, "{steps}");
    }
}

#[test]
fn work_done_between_death_and_continuation_is_not_overwritten() {
    let project = Project::new();
    project.write("a", "one");
    project.write("b", "one");
    project.call("c", &["a", "b"], |at| {
        fs::write(at.join("a"), "two").unwrap();
        fs::write(at.join("b"), "two").unwrap();
    });
    let died = restore_until(
        &project.store,
        &CheckpointSelector::Last,
        &project.options(),
        &Meter::default(),
        &mut || false,
    )
    .unwrap();
    assert!(died.is_none());
    project.write("b", "three, by hand");
    let report = resume(&project.store, project.now(), &Meter::default()).unwrap();
    assert_eq!(report.restored, paths(&["a"]));
    assert_eq!(refused(&report), [("b", "changed while it was being restored")]);
    assert_eq!(project.read("b"), "three, by hand");
}

#[test]
fn a_death_before_the_journal_does_not_hide_the_call() {
    let project = Project::new();
    project.write("a", "one");
    project.call("c", &["a"], |at| fs::write(at.join("a"), "two").unwrap());
    let died = restore_until(
        &project.store,
        &CheckpointSelector::Last,
        &project.options(),
        &Meter::default(),
        &mut || false,
    )
    .unwrap();
    assert!(died.is_none());
    fs::remove_file(journal::path(&project.store)).unwrap();
    assert_eq!(project.undo_last().checkpoint_id, "iteration-003-call-c");
    assert_eq!(project.read("a"), "one");
}

#[test]
fn ten_files_come_back_within_a_second() {
    let project = Project::new();
    let names: Vec<String> = (0..10).map(|n| format!("src/file{n}.rs")).collect();
    for name in &names {
        project.write(name, vec![b'x'; 10_000]);
    }
    let before = project.tree();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    project.call("c", &names, |at| fs::remove_dir_all(at.join("src")).unwrap());
    let started = Instant::now();
    assert_eq!(project.undo_last().restored.len(), 10);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!(project.tree(), before);
}

/// Something that happens to a tree. Paths are from a small set, so that they meet.
#[derive(Debug, Clone)]
pub(super) enum Event {
    Write(PathBuf, Vec<u8>),
    Folder(PathBuf),
    Link(PathBuf, PathBuf),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf),
    Chmod(PathBuf, u32),
}

impl Event {
    /// Whatever is in the way goes.
    pub(super) fn happen(&self, at: &Path) {
        let remove = |path: &Path| {
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
        };
        let make_room = |path: &Path| {
            remove(path);
            let above: Vec<&Path> = path.ancestors().skip(1).take_while(|above| *above != at).collect();
            for folder in above.iter().rev() {
                if fs::symlink_metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
                    remove(folder);
                }
                let _ = fs::create_dir(folder);
            }
        };
        // A change never goes through a link to a folder here: what it leads to would have to be named as well.
        let is_plain = |path: &Path| {
            path.ancestors().skip(1).all(|above| !fs::symlink_metadata(above).is_ok_and(|m| m.is_symlink()))
        };
        match self {
            Event::Write(path, content) => {
                make_room(&at.join(path));
                fs::write(at.join(path), content).unwrap();
            }
            Event::Folder(path) => {
                make_room(&at.join(path));
                fs::create_dir(at.join(path)).unwrap();
            }
            Event::Link(path, target) => {
                make_room(&at.join(path));
                symlink(target, at.join(path)).unwrap();
            }
            Event::Remove(path) if is_plain(&at.join(path)) => remove(&at.join(path)),
            Event::Rename(from, to) if is_plain(&at.join(from)) && is_plain(&at.join(to)) => {
                let _ = fs::rename(at.join(from), at.join(to));
            }
            Event::Chmod(path, mode) if is_plain(&at.join(path)) => {
                // A folder that its owner cannot use would stop the other events.
                let path = at.join(path);
                match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => {
                        fs::set_permissions(path, Permissions::from_mode(mode | 0o700)).unwrap();
                    }
                    Ok(metadata) if metadata.is_file() => {
                        fs::set_permissions(path, Permissions::from_mode(*mode)).unwrap();
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

fn a_path() -> impl Strategy<Value = PathBuf> {
    let name = prop_oneof![Just(&b"a"[..]), Just(&b"b"[..]), Just(&b"\xff"[..])];
    prop::collection::vec(name, 1..4)
        .prop_map(|names| names.into_iter().map(|name| OsString::from_vec(name.to_vec())).collect())
}

pub(super) fn an_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (a_path(), prop::collection::vec(any::<u8>(), 0..4)).prop_map(|(path, bytes)| Event::Write(path, bytes)),
        1 => a_path().prop_map(Event::Folder),
        1 => (a_path(), a_path()).prop_map(|(path, target)| Event::Link(path, target)),
        2 => a_path().prop_map(Event::Remove),
        2 => (a_path(), a_path()).prop_map(|(from, to)| Event::Rename(from, to)),
        1 => (a_path(), prop_oneof![Just(0o700), Just(0o755), Just(0o500), Just(0o444)])
            .prop_map(|(path, mode)| Event::Chmod(path, mode)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_change_is_taken_back(
        past in prop::collection::vec(an_event(), 0..12),
        change in prop::collection::vec(an_event(), 1..12),
        whole in any::<bool>(),
        death in prop::option::of(0..12_usize),
    ) {
        let project = Project::new();
        let at = project.at("");
        past.iter().for_each(|event| event.happen(&at));
        let before = project.tree();
        project.keep_top(whole);
        change.iter().for_each(|event| event.happen(&at));
        project.settle("c");
        let after = project.tree();
        let mut left = death.unwrap_or(usize::MAX);
        let mut go_on = || { let go = left > 0; left = left.saturating_sub(1); go };
        let selection = CheckpointSelector::Id("c".into());
        let report = match restore_until(&project.store, &selection, &project.options(), &Meter::default(), &mut go_on).unwrap() {
            Some(report) => report,
            None => resume(&project.store, project.now(), &Meter::default()).unwrap(),
        };
        prop_assert_eq!(&report.refused, &vec![]);
        prop_assert_eq!(project.tree(), before.clone());
        if report.pre_restore.is_some() {
            project.undo_last();
            prop_assert_eq!(project.tree(), after);
        } else {
            prop_assert_eq!(before, after);
        }
    }
    #[test]
    fn whatever_came_later_survives_or_can_be_had_back(
        past in prop::collection::vec(an_event(), 0..8),
        change in prop::collection::vec(an_event(), 0..8),
        later in prop::collection::vec(an_event(), 1..8),
        whole in any::<bool>(),
        settled in any::<bool>(),
        force in any::<bool>(),
    ) {
        let project = Project::new();
        let at = project.at("");
        past.iter().for_each(|event| event.happen(&at));
        let before = project.tree();
        project.keep_top(whole);
        change.iter().for_each(|event| event.happen(&at));
        if settled {
            project.settle("c");
        }
        let after = project.tree();
        later.iter().for_each(|event| event.happen(&at));
        let latest = project.tree();
        let options = UndoOptions { force, ..project.options() };
        let report = restore(&project.store, &CheckpointSelector::Id("c".into()), &options).unwrap();
        let restored = project.tree();
        if !force {
            for (name, shape) in &latest {
                let is_work = shape.0 != "folder" && before.get(name) != Some(shape);
                let is_newer = !settled || after.get(name) != Some(shape);
                prop_assert!(!is_work || !is_newer || restored.get(name) == Some(shape), "{} is lost", name.display());
            }
        }
        for name in report.restored.iter().chain(&report.unchanged) {
            prop_assert_eq!(restored.get(name), before.get(name), "{}", name.display());
        }
        for name in &report.removed {
            prop_assert!(!restored.contains_key(name) && !before.contains_key(name), "{}", name.display());
        }
        if force && report.refused.is_empty() {
            for (name, shape) in &before {
                prop_assert_eq!(restored.get(name), Some(shape), "{}", name.display());
            }
        }
        if report.pre_restore.is_some() {
            let back = project.undo_last();
            prop_assert_eq!(&back.refused, &vec![]);
        }
        prop_assert_eq!(project.tree(), latest);
    }
}

#[test]
fn a_restore_that_died_before_its_first_change_has_left_nothing() {
    let project = Project::new();
    project.write("a", "one");
    project.call("c", &["a"], |at| fs::write(at.join("a"), "two").unwrap());
    let session = CheckpointSelector::Session(Some("ralph-x".to_owned()));
    let died = restore_until(&project.store, &session, &project.options(), &Meter::default(), &mut || false)
        .unwrap();
    assert!(died.is_none());
    // It died just before the plan was on disk.
    fs::remove_file(journal::path(&project.store)).unwrap();
    let report = restore(&project.store, &session, &project.options()).unwrap();
    assert_eq!((refused(&report), report.restored.clone()), (vec![], paths(&["a"])));
}
