//! A project that goes while something of the guard works in it stays gone.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::place::Place;

const HOOK: &str = env!("CARGO_BIN_EXE_steadfast-hook");
/// When the project goes, in milliseconds after the process has begun.
const MOMENTS: [u64; 7] = [0, 5, 20, 60, 120, 250, 500];

/// A project with much to read, and with a state directory or not.
fn large(has_state: bool) -> Place {
    let place = Place::new();
    for n in 0..400 {
        place.write(&format!("data/{}/{n}.bin", n % 20), vec![n as u8; 60_000]);
    }
    if has_state {
        place.start_loop("one");
    }
    place
}

/// The process that reads the tree ahead of the calls, as a session's start begins it.
fn lay_net(place: &Place) -> Child {
    let mut command = place.command(HOOK);
    command.arg("lay-net").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Removes a folder as a person does who tries again where it was not empty yet.
fn remove(folder: &Path) {
    while folder.exists() {
        fs::remove_dir_all(folder).ok();
    }
}

#[test]
fn a_project_that_is_moved_away_while_the_net_is_laid_stays_away() {
    for has_state in [true, false] {
        let place = large(has_state);
        let (root, away) = (place.root(), place.home().join("away"));
        for moment in MOMENTS {
            let mut child = lay_net(&place);
            sleep(Duration::from_millis(moment));
            fs::rename(&root, &away).unwrap();
            child.wait().unwrap();
            assert!(!root.exists(), "after {moment} ms it came back, with a state: {has_state}");
            fs::rename(&away, &root).unwrap();
            fs::remove_dir_all(root.join(".aiwg/ralph/objects")).ok();
            fs::remove_file(root.join(".aiwg/ralph/net-cache")).ok();
        }
        assert!(lay_net(&place).wait().unwrap().success());
        assert!(root.join(".aiwg/ralph/net-cache").exists(), "with the project there, the net is laid");
    }
}

#[test]
fn a_project_that_is_removed_while_the_net_is_laid_stays_removed() {
    for moment in MOMENTS {
        let place = large(true);
        let mut child = lay_net(&place);
        sleep(Duration::from_millis(moment));
        remove(&place.root());
        child.wait().unwrap();
        assert!(!place.root().exists(), "after {moment} ms it came back");
    }
}

#[test]
fn a_state_that_is_removed_while_the_net_is_laid_stays_removed() {
    let place = large(true);
    let mut came_late = false;
    for moment in MOMENTS {
        let mut child = lay_net(&place);
        sleep(Duration::from_millis(moment));
        came_late |= child.try_wait().unwrap().is_none();
        remove(&place.path(".aiwg"));
        child.wait().unwrap();
        // A process that begins after the removal lays its net in a project that has nothing of the guard yet.
        assert!(moment < 60 || !place.path(".aiwg").exists(), "after {moment} ms it came back");
        remove(&place.path(".aiwg"));
        place.start_loop(&format!("loop-{moment}"));
    }
    assert!(came_late);
}

#[test]
fn a_hook_of_a_project_that_is_gone_does_not_make_it() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    let root = place.root();
    let call = json!({"session_id": "s1", "cwd": root, "permission_mode": "acceptEdits", "tool_name": "Bash",
        "tool_input": {"command": "python3 x.py"}, "tool_use_id": "t1", "tool_response": {"stdout": "", "stderr": ""}});
    remove(&root);
    for event in ["pre-tool-use", "post-tool-use", "stop", "session-end", "session-start"] {
        let mut command = place.command(HOOK);
        let mut child = command.arg(event).current_dir(place.home()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), call.to_string().as_bytes()).ok();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{event}: {output:?}");
        assert!(!root.exists(), "{event}");
    }
}
