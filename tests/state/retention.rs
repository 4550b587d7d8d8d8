//! What is past its time, or too much, goes when a session begins: lines of logs, and what was kept for undo.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use steadfast::state::audit::{self, Line};
use steadfast::state::layout::Layout;

use crate::place::Place;

/// How long a process in the background may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_session_that_begins_lets_old_lines_of_all_logs_go_and_no_younger_ones() {
    let place = Place::new();
    place.start_loop("new");
    let layout = Layout::of_project(&place.root());
    for days in [200, 91, 90, 89, 1] {
        let time = Timestamp::now() - SignedDuration::from_hours(24 * days) + SignedDuration::from_mins(5);
        let line = Line::new(&format!("days-{days}"), "old", 1, time);
        audit::append(&layout.log("old"), line).unwrap();
    }
    let names = || -> Vec<String> {
        let lines = place.log("old").into_iter();
        lines.map(|line| line["hook_name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names().len(), 5);
    let before = place.log("new").len();
    place.start("s1");
    let begun = Instant::now();
    while names().len() > 3 && begun.elapsed() < PATIENCE {
        sleep(Duration::from_millis(20));
    }
    assert_eq!(names(), ["days-90", "days-89", "days-1"]);
    assert!(place.log("new").len() >= before, "the young log is whole");
    assert!(place.done(&["log", "verify", "old"]).contains("old: untouched"));
}

/// Makes all files below a folder as old as two hours.
fn age(folder: &Path) {
    let then = SystemTime::now() - Duration::from_secs(2 * 3600);
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path().is_dir() {
            true => age(&entry.path()),
            false => fs::File::open(entry.path()).unwrap().set_modified(then).unwrap(),
        }
    }
}

#[test]
fn what_is_kept_beyond_the_bound_goes_oldest_first_and_a_person_hears_of_it() {
    let place = Place::new();
    place.write("aiwg.yml", "agent_persistence:\n  checkpoints: {max_total_mb: 1}\n");
    place.write("data.bin", (0..3_000_000_u32).map(|n| (n % 251) as u8).collect::<Vec<u8>>());
    place.start("s1");
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "rm data.bin"}, "tool_use_id": "toolu_1",
        "tool_response": {"stdout": "", "stderr": ""}});
    place.fire("pre-tool-use", "s1", call.clone());
    fs::remove_file(place.path("data.bin")).unwrap();
    place.fire("post-tool-use", "s1", call);
    assert!(place.done(&["status"]).contains(" of at most 1.0 MB"));
    assert!(place.done(&["undo", "--dry-run", "--tool-call", "toolu_1"]).contains("data.bin"));
    age(&place.path(".aiwg/ralph/objects"));
    age(&place.directory(&place.only_loop()).join("checkpoints"));
    let begun = Instant::now();
    let mut told = String::new();
    for number in 2.. {
        let answer = place.start(&format!("s{number}")).unwrap_or_default();
        told.push_str(answer["systemMessage"].as_str().unwrap_or_default());
        if told.contains("checkpoint") || begun.elapsed() > PATIENCE {
            break;
        }
        sleep(Duration::from_millis(100));
    }
    assert!(told.contains("checkpoint was given up") && told.contains("1 MiB"), "{told}");
    assert!(!place.steadfast(&["undo", "--tool-call", "toolu_1"]).status.success());
}
