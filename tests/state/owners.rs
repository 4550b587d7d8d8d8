//! Places of loops: who holds one, and how one that nobody holds any more is given up.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::place::{CRITERIA, Place};

/// Lets the newest line of a loop's log be as old as this.
fn quiet_for(place: &Place, id: &str, minutes: u64) {
    let log = fs::File::options().append(true).open(place.directory(id).join("hook-log.jsonl")).unwrap();
    log.set_modified(SystemTime::now() - Duration::from_secs(60 * minutes)).unwrap();
}

fn told(answer: Option<Value>) -> String {
    answer.unwrap_or_default()["systemMessage"].as_str().unwrap_or_default().to_owned()
}

fn status(place: &Place, id: &str) -> String {
    place.state(id)["status"].as_str().unwrap().to_owned()
}

/// A place with a loop whose session's client is gone.
fn left_behind() -> Place {
    let place = Place::new();
    place.start_loop("one");
    place.fire_and_leave("session-start", "s1", json!({"source": "startup"}));
    assert_eq!(place.state("one")["session_id"], "s1");
    place
}

#[test]
fn a_loop_whose_client_is_gone_gives_up_its_place_and_can_go_on() {
    let place = left_behind();
    let told = told(place.start("s2"));
    assert!(told.contains("loop one: the client") && told.contains("loop resume one"), "{told}");
    assert_eq!(status(&place, "one"), "crashed");
    let line = place.log("one").pop().unwrap();
    assert_eq!(line["state_changes"], json!({"status": "crashed"}));
    // Nobody else is drawn into it.
    assert_eq!(place.fire("stop", "s2", json!({"last_assistant_message": "x"})), None);
    for n in 0..4 {
        place.start_loop(&format!("more{n}"));
    }
    let five = place.steadfast(&["loop", "resume", "one"]);
    assert!(String::from_utf8_lossy(&five.stderr).contains("4 loops are running"), "{five:?}");
    place.done(&["loop", "abort", "more0"]);
    place.done(&["loop", "resume", "one"]);
    assert_eq!(status(&place, "one"), "running");
}

#[test]
fn a_session_that_speaks_after_all_has_its_loop_again() {
    let place = left_behind();
    place.done(&["status"]);
    assert_eq!(status(&place, "one"), "crashed");
    assert!(place.guards("s1"));
    assert_eq!(status(&place, "one"), "running");
    assert!(place.stop("s1").is_some(), "its end of a turn is held to the criteria");
    // Its client is known again, so no silence takes it away.
    quiet_for(&place, "one", 60 * 24 * 30);
    place.done(&["status"]);
    assert_eq!(status(&place, "one"), "running");
}

#[test]
fn after_a_session_that_ended_well_a_long_silence_counts() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.fire("session-end", "s1", json!({"reason": "clear"}));
    quiet_for(&place, "one", 5 * 60);
    place.done(&["status"]);
    assert_eq!(status(&place, "one"), "running");
    quiet_for(&place, "one", 7 * 60);
    place.done(&["status"]);
    assert_eq!(status(&place, "one"), "crashed");
    assert!(place.start("s1").is_some(), "it is resumed");
    assert_eq!(status(&place, "one"), "running");
}

#[test]
fn four_run_side_by_side_and_an_ended_one_makes_room_at_once() {
    let place = Place::new();
    for n in 1..=4 {
        place.start_loop(&format!("l{n}"));
    }
    let start = ["loop", "start", "T", "--until", CRITERIA, "--loop-id", "l5"];
    let refused = place.steadfast(&start);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("4 loops are running"), "{refused:?}");
    place.start("s1");
    place.done(&["loop", "abort", "l1"]);
    let registry = place.json(".aiwg/ralph/registry.json");
    assert!(!registry["sessions"].to_string().contains("\"l1\""), "{registry:#}");
    place.done(&start);
    // A session that was bound to it is bound to nothing, and claims the next that waits.
    assert!(place.start("s1").is_some());
    for id in ["../x", "/abs", "", "a/b", ".hidden", "-x"] {
        let refused =
            place.steadfast(&["loop", "start", "T", "--until", CRITERIA, &format!("--loop-id={id}")]);
        assert!(!refused.status.success(), "{id:?}");
    }
    assert_eq!(place.loops().len(), 5);
}
