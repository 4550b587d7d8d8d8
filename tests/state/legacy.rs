//! `current-loop.json`, the single loop of older versions.

use serde_json::{Value, json};

use crate::place::{CRITERIA, Place};

const FILE: &str = ".aiwg/ralph/current-loop.json";

/// A file as older versions write it.
fn file(active: bool) -> Value {
    json!({
        "active": active, "task": "Make the sum right", "completion": CRITERIA, "maxIterations": 8,
        "currentIteration": 2, "startTime": "2020-05-06T07:08:09Z", "timeoutMinutes": 30,
        "iterations": [{"number": 1, "action": "looked", "result": "FAIL", "learnings": "it subtracts"}],
        "lastResult": "FAIL", "learnings": "it subtracts", "note": "by hand",
    })
}

#[test]
fn an_active_file_is_brought_in_once_and_claimed() {
    let place = Place::new();
    place.write(FILE, file(true).to_string());
    let answer = place.start("s1").expect("the loop is told");
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(context.contains("Make the sum right"), "{answer}");
    let id = place.only_loop();
    let state = place.state(&id);
    assert_eq!((&state["status"], &state["iteration"]), (&json!("running"), &json!(2)));
    assert_eq!(state["configuration"], json!({"max_iterations": 8, "timeout_minutes": 30}));
    assert_eq!(state["baseline_metrics"]["test_count"], 3);
    assert_eq!(state["iteration_history"][0]["learnings"], "it subtracts");
    assert_eq!((&place.json(FILE)["loopId"], &place.json(FILE)["note"]), (&json!(id), &json!("by hand")));
    assert!(place.guards("s1"));
    // Neither another session nor a look at it brings it in again.
    place.start("s2");
    place.done(&["status"]);
    place.only_loop();

    place.write("done", "");
    place.stop("s1");
    assert_eq!(place.state(&id)["status"], "completed");
    let mirror = place.json(FILE);
    assert_eq!((&mirror["active"], &mirror["loopId"]), (&json!(false), &json!(id)));
    assert_eq!(mirror["iterations"].as_array().map(Vec::len), Some(2), "{mirror:#}");
    place.start("s3");
    place.only_loop();
}

#[test]
fn sessions_that_start_together_bring_it_in_once() {
    let place = Place::new();
    place.write(FILE, file(true).to_string());
    let sessions = ["s1", "s2", "s3", "s4"];
    let told = std::thread::scope(|scope| {
        let starts = sessions.map(|session| scope.spawn(|| place.start(session).is_some()));
        starts.map(|start| start.join().unwrap())
    });
    assert!(told.iter().filter(|told| **told).count() <= 1, "one session claims it at most: {told:?}");
    place.only_loop();
    place.start("s5");
    assert_eq!(place.state(&place.only_loop())["status"], "running");
}

#[test]
fn a_finished_file_is_history_and_starts_nothing() {
    let place = Place::new();
    place.write(FILE, file(false).to_string());
    assert_eq!(place.start("s1"), None);
    let state = place.state(&place.only_loop());
    assert_eq!((&state["status"], &state["detection_enabled"]), (&json!("aborted"), &json!(false)));
    assert_eq!(place.json(FILE)["active"], false);
}

#[test]
fn a_look_and_a_new_loop_bring_it_in_too() {
    for arguments in [&["status"][..], &["loop", "start", "Other", "--until", CRITERIA, "--loop-id", "other"]]
    {
        let place = Place::new();
        place.write(FILE, file(true).to_string());
        place.done(arguments);
        let brought_in: Vec<String> = place.loops().into_iter().filter(|id| id != "other").collect();
        assert_eq!(brought_in.len(), 1, "{arguments:?}");
        assert_eq!(place.state(&brought_in[0])["task"], "Make the sum right");
    }
}

#[test]
fn the_mirror_is_there_while_one_loop_runs() {
    let place = Place::new();
    place.start_loop("one");
    let mirror = place.json(FILE);
    assert_eq!(
        (&mirror["loopId"], &mirror["active"], &mirror["currentIteration"]),
        (&json!("one"), &json!(true), &json!(0))
    );
    place.start("s1");
    place.stop("s1");
    let mirror = place.json(FILE);
    assert_eq!((&mirror["currentIteration"], &mirror["iterations"][0]["number"]), (&json!(2), &json!(1)));
    assert_eq!((&mirror["completion"], &mirror["maxIterations"]), (&json!(CRITERIA), &json!(10)));

    place.start_loop("two");
    assert!(!place.path(FILE).exists(), "two loops have no single mirror");
    place.done(&["loop", "abort", "two"]);
    place.stop("s1");
    assert_eq!(place.json(FILE)["loopId"], "one");
    place.done(&["loop", "abort", "one"]);
    let mirror = place.json(FILE);
    assert_eq!((&mirror["loopId"], &mirror["active"]), (&json!("one"), &json!(false)));
    // A guarded session has no mirror.
    assert!(place.guards("s9"));
    assert_eq!(place.json(FILE), mirror);
}

#[test]
fn what_cannot_be_brought_in_is_left_alone() {
    for text in ["{ half", "[]", "{}", "{\"active\":true}", "\u{0}"] {
        let place = Place::new();
        place.write(FILE, text);
        place.start("s1");
        place.start_loop("one");
        place.start("s1");
        place.stop("s1");
        assert!(place.guards("s1"), "{text:?}");
        assert_eq!(std::fs::read_to_string(place.path(FILE)).unwrap(), text);
        assert_eq!(place.only_loop(), "one", "{text:?}");
    }
}
