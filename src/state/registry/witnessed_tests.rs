//! Whatever becomes of a project's own files, what the witness knows of its loops is not forgotten.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use jiff::Timestamp;

use super::*;
use crate::model::finding::{RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::lock::{CLI_WAIT, Lock};
use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;

/// A project with a session whose loop has an open regression, and a witness beside it.
struct WitnessedProject {
    _scratch: tempfile::TempDir,
    root: PathBuf,
    layout: Layout,
}

impl WitnessedProject {
    fn new() -> WitnessedProject {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("project");
        fs::create_dir(&root).unwrap();
        let layout = Layout::of_project(&root).witnessed_below(&scratch.path().join("state"));
        let mut state = LoopState::new("l1", "task", Timestamp::UNIX_EPOCH);
        state.session_id = Some("s1".into());
        state.status = Status::Running;
        state.iteration = 3;
        state.detection_enabled = true;
        let event = RegressionEvent::new(RegressionType::TestDeletion, Severity::High);
        state.regression_events = vec![RegressionEvent { event_id: "e1".into(), ..event }];
        state.write(&layout, Durability::Process).unwrap();
        Registry::change(&layout, CLI_WAIT, |registry| {
            registry.loops.insert("l1".into(), state.registry_entry());
            registry.bind("s1", "l1");
        })
        .unwrap();
        WitnessedProject { _scratch: scratch, root, layout }
    }

    fn restored(&self, session: &str) -> (Registry, Vec<String>) {
        Registry::change(&self.layout, CLI_WAIT, |registry| {
            let lost = registry.restore(&self.layout, Some(session));
            (registry.clone(), lost)
        })
        .unwrap()
    }
}

fn remove(path: &Path) {
    if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
}

#[test]
fn another_loop_of_the_same_name_is_not_guarded_by_what_the_first_one_began_with() {
    let project = WitnessedProject::new();
    let in_force = project.layout.in_force("l1").unwrap();
    fs::write(&in_force, "[]").unwrap();
    let rewrite = |started_at: Timestamp| {
        Registry::change(&project.layout, CLI_WAIT, |registry| {
            registry.loops.get_mut("l1").unwrap().started_at = started_at;
        })
        .unwrap();
    };
    rewrite(Timestamp::UNIX_EPOCH);
    assert!(in_force.exists(), "the same loop");
    rewrite(Timestamp::from_second(60).unwrap());
    assert!(!in_force.exists(), "another one");
}

#[test]
fn what_is_sound_differs_in_nothing() {
    let project = WitnessedProject::new();
    assert_eq!(project.restored("s1").1, [""; 0]);
    // A change of ours goes to both.
    Registry::change(&project.layout, CLI_WAIT, |registry| registry.release("l1")).unwrap();
    assert_eq!(project.restored("s1").1, [""; 0]);
}

#[test]
fn lost_folders_and_files_are_made_again() {
    type Accident = fn(&Path);
    let accidents: [(&str, Accident); 7] = [
        ("removed", |aiwg| remove(aiwg)),
        ("a file", |aiwg| {
            remove(aiwg);
            fs::write(aiwg, "x").unwrap();
        }),
        ("a link to nowhere", |aiwg| {
            remove(aiwg);
            symlink("/nonexistent/x", aiwg).unwrap();
        }),
        ("no loops", |aiwg| remove(&aiwg.join("ralph/loops"))),
        ("registry and loops", |aiwg| {
            remove(&aiwg.join("ralph/loops"));
            remove(&aiwg.join("ralph/registry.json"));
        }),
        ("emptied", |aiwg| {
            remove(&aiwg.join("ralph/loops"));
            fs::write(aiwg.join("ralph/registry.json"), "{}").unwrap();
        }),
        ("folders", |aiwg| {
            for name in ["ralph/registry.json", "ralph/loops/l1/state.json"] {
                remove(&aiwg.join(name));
                fs::create_dir(aiwg.join(name)).unwrap();
            }
        }),
    ];
    for (what, accident) in accidents {
        let project = WitnessedProject::new();
        accident(&project.root.join(".aiwg"));
        let (registry, _) = project.restored("s1");
        let (id, entry) = registry.of_session(Some("s1")).unwrap_or_else(|| panic!("{what}"));
        assert_eq!((id, entry.open_regressions, entry.iteration), ("l1", 1, 3), "{what}");
        let lock = Lock::take(&project.layout.loop_dir("l1").join("state.lock"), CLI_WAIT).unwrap().unwrap();
        let (state, told) = LoopState::recover(&project.layout, "l1", &lock, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(state.open_regressions().count(), 1, "{what}");
        assert!(told.is_some(), "{what}");
        assert!(Registry::read(&project.layout).unwrap().of_session(Some("s1")).is_some(), "{what}");
        assert!(fs::metadata(project.layout.state("l1")).unwrap().is_file(), "{what}");
    }
}

#[test]
fn what_was_rewritten_is_put_right() {
    let project = WitnessedProject::new();
    let text = fs::read_to_string(project.layout.registry()).unwrap();
    let rewrites = [
        ("\"open_regressions\": 1", "\"open_regressions\": 0"),
        ("\"running\"", "\"completed\""),
        ("\"iteration\": 3", "\"iteration\": 1"),
        ("\"s1\": \"l1\"", "\"s2\": \"l1\""),
    ];
    for (from, to) in rewrites {
        assert!(text.contains(from), "{from}");
        fs::write(project.layout.registry(), text.replace(from, to)).unwrap();
        let (registry, lost) = project.restored("s1");
        // What the states say has mended it before the witness is asked, where something else wrote the file.
        assert!(lost.len() <= 1, "{lost:?}");
        let (_, entry) = registry.of_session(Some("s1")).unwrap();
        assert_eq!((entry.open_regressions, entry.iteration, entry.status), (1, 3, Status::Running), "{to}");
    }
    // The loop's own state, in words that it could have.
    let mut state = LoopState::read(&project.layout, "l1").unwrap();
    state.regression_events.clear();
    fs::write(project.layout.state("l1"), serde_json::to_vec(&state).unwrap()).unwrap();
    assert_eq!(LoopState::read(&project.layout, "l1").unwrap().open_regressions().count(), 1);
}

#[test]
fn a_project_that_is_made_anew_in_the_same_place_is_another() {
    let project = WitnessedProject::new();
    fs::rename(&project.root, project.root.with_file_name("old")).unwrap();
    fs::create_dir(&project.root).unwrap();
    assert_eq!(project.restored("s9").1, [""; 0]);
    let project = WitnessedProject::new();
    fs::rename(&project.root, project.root.with_file_name("old")).unwrap();
    fs::create_dir(&project.root).unwrap();
    assert!(!project.restored("s1").1.is_empty(), "the session goes on");
}
