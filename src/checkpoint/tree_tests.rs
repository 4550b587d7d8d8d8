//! Trees that are kept and come back: rules, bounds, time stamps, bases, sessions, and whatever chance does.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Map, json};

use crate::checkpoint::cache::{TREE, TreeCache};
use crate::checkpoint::gc;
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::retention::{self, RetentionPolicy};
use crate::checkpoint::tests::{Project, an_event, furnish, paths, refused, wipe};
use crate::checkpoint::tree::{KeptTree, MANUAL, TreeKeepRequest, TreeOccasion, take};
use crate::checkpoint::undo::{CheckpointSelector, UndoOptions, UndoReport, restore};
use crate::checkpoint::walk::WalkBounds;
use crate::checkpoint::{Error, catalogue};
use crate::state::atomic::Durability;

impl Project {
    fn take(&self, iteration: u32, moment: TreeOccasion) -> KeptTree {
        self.take_within(iteration, moment, &[], WalkBounds::none())
    }

    fn take_within(
        &self,
        iteration: u32,
        moment: TreeOccasion,
        also: &[PathBuf],
        bounds: WalkBounds<'_>,
    ) -> KeptTree {
        take(&TreeKeepRequest {
            store: &self.store,
            loop_id: "ralph-x",
            iteration,
            moment,
            summary: "a tree",
            metrics: Map::new(),
            also,
            bounds,
            durability: Durability::Process,
            now: self.now(),
            meter: &Meter::default(),
        })
        .unwrap()
    }

    fn whole(&self, taken: &KeptTree) -> Manifest {
        Manifest::read(&taken.manifest).unwrap().whole(&self.store).unwrap()
    }

    fn names(&self, taken: &KeptTree) -> Vec<String> {
        let whole = self.whole(taken);
        whole.entries.iter().map(|entry| entry.path.to_string_lossy().into_owned()).collect()
    }

    fn back_to(&self, id: &str) -> UndoReport {
        restore(&self.store, &CheckpointSelector::Id(id.to_owned()), &self.options()).unwrap()
    }

    fn back_to_start(&self, force: bool) -> UndoReport {
        let options = UndoOptions { force, ..self.options() };
        restore(&self.store, &CheckpointSelector::Session(None), &options).unwrap()
    }

    /// Sets all files' time of change to long ago, as far as programs can.
    fn set_modified(&self, path: &str, age: u64) {
        let file = fs::File::options().write(true).open(self.at(path)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
}

#[test]
fn a_tree_comes_back_whole_and_goes_again() {
    let project = Project::new();
    furnish(&project);
    let before = project.tree();
    let baseline = project.take(0, TreeOccasion::Baseline);
    assert_eq!(baseline.checkpoint_id, "iteration-000-baseline");
    assert_eq!((baseline.unkept, baseline.files), (vec![], 10));
    wipe(&project.at("dir"));
    project.write("other", "changed");
    project.write("new/file", "n");
    let after = project.tree();
    let last = project.take(1, TreeOccasion::Final);
    assert_eq!(last.checkpoint_id, "iteration-001-final");
    assert_eq!(Manifest::read(&last.manifest).unwrap().base.unwrap(), "iteration-000-baseline");
    for round in 0..2 {
        assert_eq!(refused(&project.back_to("ralph-x/iteration-000-baseline")), [], "round {round}");
        assert_eq!(project.tree(), before, "round {round}");
        project.undo_last();
        assert_eq!(project.tree(), after, "round {round}");
    }
}

#[test]
fn what_git_would_not_see_is_left_alone_and_said() {
    let project = Project::new();
    project.write(".gitignore", "*.log\nout/\n!keep.log\n");
    for file in
        ["a.log", "keep.log", "out/x", "src/a.rs", "src/b.log", ".git/HEAD", "inner/.git/HEAD", "inner/f"]
    {
        project.write(file, file);
    }
    assert!(Command::new("mkfifo").arg(project.at("pipe")).status().unwrap().success());
    let taken = project.take(0, TreeOccasion::Baseline);
    assert_eq!(project.names(&taken), ["", ".aiwg", ".gitignore", "keep.log", "src", "src/a.rs"]);
    let skipped: Vec<(String, String)> = Manifest::read(&taken.manifest)
        .unwrap()
        .skipped
        .into_iter()
        .map(|skipped| (skipped.path.to_string_lossy().into_owned(), skipped.reason))
        .collect();
    let mut expected = [
        (".aiwg/ralph", "Steadfast's own store"),
        (".git", "git's own data"),
        ("a.log", "ignored by git"),
        ("inner", "a git repository of its own"),
        ("out", "ignored by git"),
        ("pipe", "a device, socket or pipe"),
        ("src/b.log", "ignored by git"),
    ]
    .map(|(path, reason)| (path.to_owned(), reason.to_owned()));
    let mut found = skipped;
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(taken.unkept.len(), 1, "only the pipe is a gap");
    // None of it is touched on the way back.
    project.write("out/x", "built anew");
    project.write("inner/f", "their work");
    fs::remove_file(project.at("src/a.rs")).unwrap();
    let report = project.back_to_start(true);
    assert_eq!((refused(&report), report.restored.clone()), (vec![], paths(&["src/a.rs"])));
    assert_eq!((project.read("out/x"), project.read("inner/f")), ("built anew".into(), "their work".into()));
}

#[test]
fn what_was_kept_stays_in_sight_when_it_is_hidden_afterwards() {
    let project = Project::new();
    for file in ["src/a", "src/deep/b", "tracked.log"] {
        project.write(file, "one");
    }
    project.write(".gitignore", "*.log\n");
    project.take_within(0, TreeOccasion::Baseline, &paths(&["tracked.log"]), WalkBounds::none());
    let before = project.tree();
    project.write(".gitignore", "*\n");
    project.write("src/deep/.git/HEAD", "ref");
    project.write("src/deep/b", "two");
    project.write("tracked.log", "two");
    project.write("src/secret", "never kept");
    let taken = project.take(1, TreeOccasion::Final);
    let expected = ["", ".aiwg", ".gitignore", "src", "src/a", "src/deep", "src/deep/b", "tracked.log"];
    assert_eq!(project.names(&taken), expected);
    let report = project.back_to_start(false);
    assert_eq!(refused(&report), []);
    let after = project.tree();
    for (name, shape) in &before {
        assert_eq!(after.get(name), Some(shape), "{}", name.display());
    }
    assert_eq!(project.read("src/secret"), "never kept");
}

#[test]
fn an_unchanged_tree_is_not_read_and_a_hidden_change_is_found() {
    let project = Project::new();
    project.write("settled", "one");
    project.write("racy", "one");
    project.take(0, TreeOccasion::Baseline);
    // Within the same moment, to the same size, with the time set back.
    for (n, content) in ["two", "six", "ten"].iter().enumerate() {
        project.write("racy", content);
        project.set_modified("racy", 3600);
        let taken = project.take(n as u32, TreeOccasion::Pre);
        assert_eq!(taken.changed, 1, "{content}");
        let node = project.whole(&taken).entry(Path::new("racy")).unwrap().node.clone();
        let sha256 = Digest::of(content.as_bytes());
        assert!(matches!(node, Node::File { sha256: kept, .. } if kept == sha256), "{content}: {node:?}");
    }
    std::thread::sleep(Duration::from_millis(2100));
    project.take(5, TreeOccasion::Pre);
    // Nothing is read now, so nothing is missed when it cannot be.
    let objects = project.store.layout().objects();
    fs::rename(&objects, objects.with_extension("away")).unwrap();
    let taken = project.take(5, TreeOccasion::Final);
    assert_eq!((taken.changed, taken.files), (0, 2));
    assert!(!objects.exists(), "no blob was written for an unchanged tree");
}

#[test]
fn bounds_are_said_and_what_is_beyond_them_is_safe() {
    let project = Project::new();
    for n in 0..5 {
        project.write(&format!("dir/{n}"), vec![n; 100]);
    }
    project.write("big", vec![1; 1000]);
    let cases: [(WalkBounds<'_>, usize, &str); 4] = [
        (WalkBounds { file_bytes: 500, ..WalkBounds::none() }, 1, "1000 bytes: larger than 500 for one file"),
        (
            WalkBounds { total_bytes: 1200, ..WalkBounds::none() },
            3,
            "more than 1200 bytes with the files before it",
        ),
        (WalkBounds { paths: 3, ..WalkBounds::none() }, 2, "more than 3 paths: the rest of it was not kept"),
        (
            WalkBounds { deadline: Some(std::time::Instant::now()), ..WalkBounds::none() },
            1,
            "out of time: the rest of it was not kept",
        ),
    ];
    let before = project.tree();
    for (bounds, gaps, reason) in cases {
        let taken = project.take_within(0, TreeOccasion::Baseline, &[], bounds);
        assert_eq!(taken.unkept.len(), gaps, "{reason}: {taken:?}");
        assert!(taken.unkept.iter().all(|gap| gap.reason == reason), "{reason}: {taken:?}");
        let report = project.back_to(&taken.checkpoint_id);
        assert_eq!(report.not_kept, taken.unkept);
        assert_eq!(project.tree(), before, "{reason}");
    }
    // The next one finds what this one left out.
    assert_eq!(project.take(1, TreeOccasion::Pre).unkept, vec![]);
}

#[test]
fn read_only_folders_odd_names_and_links_are_kept() {
    let project = Project::new();
    furnish(&project);
    symlink("nowhere", project.at("dangling")).unwrap();
    project.chmod("dir", 0o555);
    let before = project.tree();
    project.take(0, TreeOccasion::Baseline);
    project.chmod("dir", 0o755);
    wipe(&project.at("dir"));
    fs::remove_file(project.at("dangling")).unwrap();
    assert_eq!(refused(&project.back_to_start(false)), []);
    assert_eq!(project.tree(), before);
    project.chmod("dir", 0o755);
}

#[test]
fn newer_work_is_named_and_only_force_replaces_it() {
    let project = Project::new();
    for file in ["agents", "persons", "both"] {
        project.write(file, "one");
    }
    project.take(0, TreeOccasion::Baseline);
    project.write("agents", "two");
    project.write("both", "two");
    project.take(1, TreeOccasion::Final);
    project.write("persons", "by hand");
    project.write("both", "by hand");
    project.write("new", "by hand");
    let report = project.back_to_start(false);
    let reason = "changed since the call: this may be newer work";
    assert_eq!(refused(&report), [("both", reason), ("persons", reason)]);
    assert_eq!(report.restored, paths(&["agents"]));
    let report = project.back_to_start(true);
    assert_eq!(report.restored, paths(&["both", "persons"]));
    assert_eq!(project.read("new"), "by hand");
    project.undo_last();
    assert_eq!(project.read("both"), "by hand");
}

#[test]
fn the_whole_tree_is_kept_before_it_goes_back() {
    let project = Project::new();
    project.write("a", "one");
    project.write("b", "one");
    project.take(0, TreeOccasion::Baseline);
    project.write("a", "two");
    project.take(7, TreeOccasion::Final);
    project.write("b", "by hand");
    let end = project.tree();
    let report = project.back_to_start(true);
    assert_eq!(report.pre_restore.as_deref(), Some("iteration-000-pre-restore"));
    let kept = crate::checkpoint::catalogue::find(&project.store, "iteration-000-pre-revert").unwrap();
    assert!(kept.tree, "all of it");
    let report = project.back_to("iteration-000-pre-revert");
    assert_eq!(refused(&report), [], "what the restore left is known");
    assert_eq!(project.tree(), end);
}

#[test]
fn a_session_without_a_tree_goes_back_call_by_call() {
    let project = Project::new();
    furnish(&project);
    project.write("secret.env", "one");
    let outside = project.directory.path().join("outside");
    fs::write(&outside, "one").unwrap();
    let before = project.tree();
    project.call("1", &["dir"], |at| {
        wipe(&at.join("dir/deep"));
        fs::create_dir(at.join("dir/made")).unwrap();
        fs::write(at.join("dir/made/m"), "m").unwrap();
    });
    project.call("2", &["dir/made/m", "dir/plain.txt", "new/n"], |at| {
        fs::write(at.join("dir/made/m"), "2").unwrap();
        fs::remove_file(at.join("dir/plain.txt")).unwrap();
        fs::create_dir(at.join("new")).unwrap();
        fs::write(at.join("new/n"), "2").unwrap();
    });
    project.call("3", &["dir", "secret.env", outside.to_str().unwrap(), "new/n"], |at| {
        wipe(&at.join("dir"));
        fs::write(at.join("secret.env"), "3").unwrap();
        fs::remove_file(&outside).unwrap();
        fs::write(at.join("new/n"), "3").unwrap();
    });
    let after = project.tree();
    for _ in 0..2 {
        assert_eq!(refused(&project.back_to_start(false)), []);
        assert_eq!(project.tree(), before);
        assert_eq!(fs::read_to_string(&outside).unwrap(), "one");
        project.undo_last();
        assert_eq!(project.tree(), after);
    }
}

#[test]
fn a_loops_start_counts_what_its_calls_did_to_ignored_and_foreign_files() {
    let project = Project::new();
    project.write(".gitignore", ".env\n");
    project.write(".env", "secret");
    project.write("src/a", "one");
    let before = project.tree();
    project.take(0, TreeOccasion::Baseline);
    project.take(1, TreeOccasion::Pre);
    project.call("1", &[".env", "../outside", "src/a"], |at| {
        fs::remove_file(at.join(".env")).unwrap();
        fs::write(at.join("../outside"), "x").unwrap();
        fs::write(at.join("src/a"), "two").unwrap();
    });
    assert_eq!(refused(&project.back_to_start(false)), []);
    assert_eq!(project.tree(), before);
    assert!(!project.at("../outside").exists());
    // A tree alone is not about them.
    project.undo_last();
    assert_eq!(project.back_to("iteration-001-pre").restored, paths(&["src/a"]));
}

#[test]
fn a_loop_has_its_own_base_and_a_long_list_starts_anew() {
    let project = Project::new();
    for n in 0..600 {
        project.write(&format!("dir/{n}"), n.to_string());
    }
    project.take(0, TreeOccasion::Baseline);
    for n in 0..10 {
        project.write(&format!("dir/{n}"), "new");
    }
    let short = Manifest::read(&project.take(1, TreeOccasion::Pre).manifest).unwrap();
    assert_eq!((short.base.as_deref(), short.entries.len()), (Some("iteration-000-baseline"), 11));
    wipe(&project.at("dir"));
    let full = project.take(1, TreeOccasion::Final);
    let full = Manifest::read(&full.manifest).unwrap();
    assert_eq!((full.base, full.entries.len()), (None, 2));
    let next = Manifest::read(&project.take(2, TreeOccasion::Pre).manifest).unwrap();
    assert_eq!(next.base.as_deref(), Some("iteration-001-final"));
    // Without its cache it is only slower.
    fs::remove_file(project.store.layout().root().join("tree-cache")).unwrap();
    assert_eq!(Manifest::read(&project.take(2, TreeOccasion::Final).manifest).unwrap().base, None);
    project.back_to("iteration-001-pre");
    assert_eq!((project.read("dir/3"), project.read("dir/300")), ("new".into(), "300".into()));
}

#[test]
fn metrics_and_tags_are_kept_with_it() {
    let project = Project::new();
    let taking = TreeKeepRequest {
        store: &project.store,
        loop_id: "ralph-x",
        iteration: 2,
        moment: TreeOccasion::Tagged("before the move".into()),
        summary: "by hand",
        metrics: Map::from_iter([("test_count".to_owned(), json!(7))]),
        also: &[],
        bounds: WalkBounds::none(),
        durability: Durability::Power,
        now: project.now(),
        meter: &Meter::default(),
    };
    let manifest = Manifest::read(&take(&taking).unwrap().manifest).unwrap();
    assert_eq!(manifest.checkpoint_id, "iteration-002-manual");
    assert_eq!((manifest.trigger, manifest.tags), (Trigger::Manual, vec!["before the move".to_owned()]));
    assert_eq!(manifest.metrics["test_count"], 7);
}

#[test]
fn a_tree_of_no_loop_is_before_the_work_of_any_and_starts_no_session() {
    let project = Project::new();
    project.write("agents", "one");
    project.write("persons", "one");
    let before = project.tree();
    let taking = TreeKeepRequest {
        store: &project.store,
        loop_id: MANUAL,
        iteration: 0,
        moment: TreeOccasion::Tagged("mine".into()),
        summary: "by hand",
        metrics: Map::new(),
        also: &[],
        bounds: WalkBounds::none(),
        durability: Durability::Process,
        now: project.now(),
        meter: &Meter::default(),
    };
    take(&taking).unwrap();
    project.call("c", &["agents"], |at| fs::write(at.join("agents"), "two").unwrap());
    project.write("persons", "by hand");
    take(&TreeKeepRequest { now: project.now(), ..taking }).unwrap();
    assert_eq!(project.back_to_start(false).restored, paths(&["agents"]), "the call's loop");
    project.undo_last();
    project.write("persons", "newer still");
    let report = project.back_to("manual/iteration-000-manual");
    let reason = "changed since the call: this may be newer work";
    assert_eq!(refused(&report), [("persons", reason)]);
    project.write("persons", "one");
    assert_eq!(project.tree(), before);
}

fn remaining(project: &Project) -> Vec<String> {
    let listed = catalogue::list(&project.store, None).unwrap();
    let mut ids: Vec<String> =
        listed.checkpoints.into_iter().map(|manifest| manifest.checkpoint_id).collect();
    ids.sort();
    ids
}

#[test]
fn old_trees_go_and_nothing_that_is_needed_with_them() {
    let project = Project::new();
    project.take(0, TreeOccasion::Baseline);
    let mut kept = Vec::new();
    for iteration in 1..6 {
        project.write("file", format!("iteration {iteration}"));
        project.take(iteration, TreeOccasion::Pre);
        kept.push(format!("iteration {iteration}"));
    }
    project.take(2, TreeOccasion::Tagged("mine".into()));
    let policy = RetentionPolicy { iterations: 2, age: Duration::from_secs(86_400) };
    let apply = |dry_run| {
        retention::apply(&project.store, "ralph-x", policy, &[3].into_iter().collect(), dry_run)
            .unwrap()
            .len()
    };
    assert_eq!((apply(true), remaining(&project).len()), (2, 7));
    assert_eq!(apply(false), 2);
    let left = [
        "iteration-000-baseline",
        "iteration-002-manual",
        "iteration-003-pre",
        "iteration-004-pre",
        "iteration-005-pre",
    ];
    assert_eq!(remaining(&project), left);
    let collected = gc::collect(&project.store, Duration::ZERO, false, &Meter::default()).unwrap();
    // Of the two that went the second's content is nowhere else.
    assert_eq!(collected.objects, 2);
    for id in left {
        let manifest = catalogue::find(&project.store, id).unwrap().whole(&project.store).unwrap();
        for entry in manifest.entries {
            if let Node::File { sha256, .. } = entry.node {
                assert!(project.store.objects().verify(&sha256).is_ok(), "{id}: {}", entry.path.display());
            }
        }
    }
}

#[test]
fn only_what_nothing_names_is_collected() {
    let project = Project::new();
    project.write("in-cache", "cache");
    project.write("in-call", "call");
    project.take(0, TreeOccasion::Baseline);
    project.keep("c", &["in-call"]);
    let (stray, size) = project.store.objects().keep(b"stray", Durability::Process).unwrap();
    let foreign = project.store.layout().objects().join("README");
    fs::write(&foreign, "by hand").unwrap();
    let collect = |grace, dry_run| gc::collect(&project.store, grace, dry_run, &Meter::default()).unwrap();
    assert_eq!(collect(gc::GRACE, false).objects, 0, "young");
    let dry = collect(Duration::ZERO, true);
    assert_eq!((dry.objects, dry.bytes), (1, size));
    assert!(project.store.objects().verify(&stray).is_ok());
    assert_eq!(collect(Duration::ZERO, false), dry);
    assert!(matches!(project.store.objects().verify(&stray), Err(Error::MissingObject(_))));
    assert!(foreign.exists());
    // The manifests are gone, but the cache still trusts its blobs.
    fs::remove_dir_all(project.store.layout().loops()).unwrap();
    assert_eq!(collect(Duration::ZERO, false).objects, 0);
    let cached = TreeCache::read(&project.store, TREE).digests().count();
    assert_eq!(cached, 2);
    fs::write(project.store.layout().root().join("tree-cache"), "").unwrap();
    assert_eq!(collect(Duration::ZERO, false).objects, 2);
}

#[test]
fn a_damaged_manifest_stops_the_collection() {
    let project = Project::new();
    project.write("a", "one");
    let taken = project.take(0, TreeOccasion::Baseline);
    fs::write(&taken.manifest, "damage").unwrap();
    let error = gc::collect(&project.store, Duration::ZERO, false, &Meter::default()).unwrap_err();
    assert!(error.to_string().contains("iteration-000-baseline.json.gz"), "{error}");
}

#[test]
fn collecting_beside_keeping_loses_nothing() {
    let project = Project::new();
    let store = project.store.clone();
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                gc::collect(&store, Duration::ZERO, false, &Meter::default()).unwrap();
            }
        });
        for n in 0..40 {
            project.write("a", format!("content {n}"));
            // Content that had been collected comes again.
            project.write("b", format!("content {}", n % 3));
            let id = format!("c{n}");
            let kept = project.keep(&id, &["a", "b"]);
            let manifest = Manifest::read(&kept.manifest).unwrap();
            for entry in &manifest.entries {
                if let Node::File { sha256, .. } = entry.node {
                    assert!(store.objects().verify(&sha256).is_ok(), "{n}");
                }
            }
            if n % 2 == 0 {
                fs::remove_file(&kept.manifest).unwrap();
            }
        }
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

/// How many random trees: few at each run, and as many as `STEADFAST_TREES` says, 10,000 for a release.
fn cases() -> u32 {
    std::env::var("STEADFAST_TREES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_comes_back(
        past in prop::collection::vec(an_event(), 0..16),
        between in prop::collection::vec(an_event(), 0..8),
        change in prop::collection::vec(an_event(), 1..16),
        extra in any::<bool>(),
    ) {
        let project = Project::new();
        let at = project.at("");
        let happen = |events: &[crate::checkpoint::tests::Event]| events.iter().for_each(|event| event.happen(&at));
        happen(&past);
        fs::create_dir_all(project.store.layout().root()).unwrap();
        let start = project.tree();
        project.take(0, TreeOccasion::Baseline);
        happen(&between);
        let middle = project.tree();
        project.take(1, TreeOccasion::Pre);
        happen(&change);
        let end = project.tree();
        project.take(1, TreeOccasion::Final);
        if extra {
            project.take(2, TreeOccasion::Pre);
        }
        for (id, tree) in [("iteration-001-pre", &middle), ("iteration-000-baseline", &start)] {
            let report = project.back_to(id);
            prop_assert_eq!(&report.refused, &vec![], "{}", id);
            prop_assert_eq!(&project.tree(), tree, "{}", id);
        }
        let report = project.back_to("iteration-001-final");
        prop_assert_eq!(&report.refused, &vec![]);
        prop_assert_eq!(&project.tree(), &end);
    }
}
