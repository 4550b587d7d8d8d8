//! Pause and resume, and loops that were begun without persistence.

use serde_json::{Value, json};

use crate::place::{CRITERIA, Place};

/// The files of a loop that never heard of persistence.
fn plain_loop(place: &Place, status: &str) {
    let state = json!({
        "version": "2.0.0", "loop_id": "plain", "status": status, "iteration": 1, "task": "Make it right",
        "completion_criteria": CRITERIA, "started_at": jiff::Timestamp::now(),
        "last_updated": jiff::Timestamp::now(), "configuration": {"max_iterations": 5, "interactive": false},
        "owner": {"name": "alice", "tags": [1, null]},
    });
    place.write(".aiwg/ralph/loops/plain/state.json", state.to_string());
}

#[test]
fn a_paused_loop_lets_everything_pass_and_a_resumed_one_does_not() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    assert!(place.guards("s1"));
    place.done(&["loop", "pause", "one"]);
    assert_eq!(place.state("one")["status"], "paused");

    let before = place.state("one");
    assert_eq!(place.delete_test("s1"), None, "a paused loop's hooks pass");
    assert_eq!(place.lose_by_script("s1"), None);
    assert_eq!(place.stop("s1"), None);
    for command in ["steadfast loop resume one", "steadfast gate approve", "rm -rf .aiwg"] {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"});
        let answer = place.fire("pre-tool-use", "s1", call).unwrap_or_default();
        let decision = &answer["hookSpecificOutput"]["permissionDecision"];
        assert_eq!(decision, "deny", "the pause and its end are a person's: {command}");
        assert!(place.log("one").pop().unwrap()["outcomes"].to_string().contains("SF-002"), "{command}");
    }
    let ended = place.start("s1").unwrap_or_default();
    assert!(ended["hookSpecificOutput"].is_null(), "{ended}");
    assert_eq!(place.state("one"), before, "nothing was recorded meanwhile");

    place.write(crate::place::TEST_FILE, crate::place::TESTS);
    place.done(&["loop", "resume", "one"]);
    // The session that had it claims it again, or another one does.
    assert!(place.start("s1").is_some());
    assert_eq!(place.state("one")["status"], "running");
    assert!(place.guards("s1"));
    assert!(place.stop("s1").is_some(), "an iteration that has failed is continued");
    let history = place.state("one")["iteration_history"].clone();
    assert_eq!(history.as_array().map(Vec::len), Some(1), "{history:#}");
}

#[test]
fn a_loop_begun_without_persistence_gets_its_hooks_and_a_baseline_by_pause_and_resume() {
    let place = Place::new();
    plain_loop(&place, "running");
    place.done(&["loop", "pause", "plain"]);
    assert!(place.state("plain")["baseline_metrics"].is_null());
    place.done(&["loop", "resume", "plain"]);
    let state = place.state("plain");
    assert_eq!(state["baseline_metrics"]["test_count"], 3, "{state:#}");
    assert_eq!(state["detection_enabled"], true);
    assert!(place.start("s1").is_some(), "the next session claims it");
    assert!(place.guards("s1"));
}

#[test]
fn a_loop_without_any_extension_field_runs_from_start_to_end() {
    let place = Place::new();
    plain_loop(&place, "paused");
    place.done(&["loop", "resume", "plain"]);
    place.start("s1");
    assert!(place.stop("s1").is_some());
    place.write("done", "");
    place.stop("s1");
    let state = place.state("plain");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
    assert_eq!(state["owner"], json!({"name": "alice", "tags": [1, null]}));
    assert_eq!(state["configuration"]["interactive"], false);
}

#[test]
fn a_snapshot_is_found_in_the_loops_directory_and_in_the_older_place() {
    for older in [false, true] {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        place.stop("s1");
        let ours = place.directory("one").join("iterations/iteration-001.json");
        if older {
            let theirs = ".aiwg/ralph/iterations/iteration-001.json";
            place.write(theirs, std::fs::read(&ours).unwrap());
            std::fs::remove_file(&ours).unwrap();
            let mut state = place.state("one");
            state["iteration_history"][0]["snapshot_path"] = theirs.into();
            place.write(".aiwg/ralph/loops/one/state.json", state.to_string());
        }
        // What the first iteration left is known only from its snapshot: nothing has changed since.
        place.stop("s1");
        let record = place.state("one")["iteration_history"][1].clone();
        assert_eq!(record["artifacts"], json!([]), "older place: {older}: {record:#}");
        place.done(&["loop", "abort", "one"]);
        let report = std::fs::read_to_string(place.directory("one").join("analytics/report.md")).unwrap();
        assert!(report.contains(CRITERIA), "{report}");
    }
}

#[test]
fn status_tells_a_paused_loop_from_a_running_one() {
    let place = Place::new();
    place.start_loop("one");
    for (command, status) in [("pause", "paused"), ("resume", "running")] {
        place.done(&["loop", command, "one"]);
        let shown: Value = serde_json::from_str(&place.done(&["status", "--json"])).unwrap();
        assert_eq!(shown["loops"][0]["status"], status);
    }
    let again = place.steadfast(&["loop", "resume", "one"]);
    assert!(!again.status.success(), "a running loop can't be resumed");
}

#[test]
fn status_says_whether_the_hooks_are_active() {
    let place = Place::new();
    let said = |expected: &str| {
        let shown = place.done(&["status", "one"]);
        assert!(shown.contains(&format!("Hooks: {expected}")), "{expected} in {shown}");
    };
    place.start_loop("one");
    said("not active: no session yet");
    place.start("s1");
    said("active in session s1");
    place.write("aiwg.yml", "agent_persistence: {enabled: false}\n");
    said("off: agent_persistence.enabled is false");
    std::fs::remove_file(place.path("aiwg.yml")).unwrap();
    place.done(&["loop", "pause", "one"]);
    said("not active: the loop is paused");
    place.done(&["loop", "abort", "one"]);
    said("off: the loop is aborted");
    let line = place.log("one").pop().unwrap();
    assert_eq!(line["hook_name"], "loop_complete");
    let archived = json!({"archive_iteration_history": null, "iterations": 0});
    assert!(line["outcomes"].as_array().unwrap().contains(&archived), "{line}");
}

#[test]
fn what_nobody_measured_is_null_with_a_reason_and_zero_only_when_asked() {
    let place = Place::new();
    place.start_loop("one");
    for (arguments, coverage) in
        [(&["status", "--json"][..], Value::Null), (&["status", "--json", "--zeros"], json!(0))]
    {
        let shown: Value = serde_json::from_str(&place.done(arguments)).unwrap();
        let baseline = &shown["loops"][0]["baseline_metrics"];
        assert_eq!((&baseline["coverage_percentage"], &baseline["test_count"]), (&coverage, &json!(3)));
        assert!(baseline["unavailable"]["coverage_percentage"].is_string());
    }
    assert!(place.state("one")["baseline_metrics"]["coverage_percentage"].is_null());
}
