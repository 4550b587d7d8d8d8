//! A state that something else wrote, with all fields of the documents: it is valid, read whole, and written again as it was.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use crate::place::{CRITERIA, Place};
use crate::schemas::{assert_same, check, printed};

const ID: &str = "ralph-mend-the-parser-0badcafe";

/// A moment so many minutes ago.
fn ago(minutes: i64) -> String {
    let time = Timestamp::now() - SignedDuration::from_mins(minutes);
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn iteration(number: u32, at: i64, score: f64, delta: f64) -> Value {
    json!({"iteration": number, "timestamp": ago(at), "quality_score": score, "quality_delta": delta,
        "artifacts": [{"path": "calc.py", "hash": format!("{number:06x}")}],
        "snapshot_path": format!(".aiwg/ralph/loops/{ID}/iterations/iteration-{number:03}.json"),
        "metrics_snapshot": {"test_count": 40, "coverage_percentage": 71.5, "typescript_errors": 4},
        "regression_detected": number == 3})
}

/// The base fields, with some that only their writer knows, and every field of the extension.
fn whole() -> Value {
    let event = json!({"event_id": "reg-007", "timestamp": ago(3), "iteration": 3,
        "regression_type": "test_deletion", "severity": "critical",
        "details": {"baseline_value": 40, "current_value": 39, "diff": {"deleted_tests": ["tests/test_calc.py: test_zero"]}},
        "recovery_protocol_invoked": true, "recovery_outcome": "escalated", "human_gate_invoked": true,
        "human_decision": "reject"});
    let recovery = json!({"recovery_id": "rec-007", "timestamp": ago(3), "iteration": 3,
        "trigger": "regression_detected: test_deletion",
        "protocol_steps": {
            "pause": {"executed_at": ago(3), "actions": ["Writing calls were held back"]},
            "diagnose": {"executed_at": ago(3), "root_cause": "The failing test was deleted", "confidence": 0.9},
            "adapt": {"executed_at": ago(3), "strategy": "Ask a person", "changes_made": []},
            "escalate": {"executed_at": ago(2), "reason": "Critical", "human_decision": "reject - bring it back"}},
        "outcome": "escalated"});
    let level = |at: i64, number: u32, from: &str, to: &str, why: &str| json!({"timestamp": ago(at), "iteration": number, "from_level": from, "to_level": to, "reason": why});
    json!({
        "version": "2.0.0", "loop_id": ID, "status": "running", "iteration": 3, "task": "Mend the parser",
        "completion_criteria": CRITERIA, "started_at": ago(20), "last_updated": ago(2),
        "configuration": {"max_iterations": 50, "timeout_minutes": 90, "of_the_base": [1, 2.5, null]},
        "somebody": {"elses": {"deep": [true, "x", 0.1]}},
        "baseline_metrics": {"captured_at": ago(20), "test_count": 40, "coverage_percentage": 70,
            "typescript_errors": 6, "lines_of_code": 900, "custom_metrics": {"own": {"figure": 3}}},
        "iteration_history": [iteration(1, 15, 60.0, 0.0), iteration(2, 9, 85.0, 25.0), iteration(3, 3, 70.0, -15.0)],
        "best_iteration": {"iteration": 2, "quality_score": 85,
            "snapshot_path": format!(".aiwg/ralph/loops/{ID}/iterations/iteration-002.json"),
            "updated_at": ago(9), "selection_reason": "Highest quality score (85%)"},
        "regression_events": [event],
        "reinforcement_level": "STANDARD",
        "reinforcement_history": [level(20, 1, "OFF", "MINIMAL", "Loop initialization"),
            level(3, 3, "MINIMAL", "STANDARD", "Iteration 3 threshold reached")],
        "recovery_attempts": 1, "recovery_history": [recovery], "detection_enabled": true,
        "detected_patterns": [{"pattern_id": "LP-001", "pattern_name": "Test Deletion", "iteration": 3,
            "timestamp": ago(3), "severity": "critical", "false_positive": false}],
        "persistence_metrics": {"detection_latency_p95_ms": 400, "detection_latency_p99_ms": 800,
            "integration_overhead_percentage": 7.5, "false_positive_rate": 0.0, "true_positive_count": 1,
            "false_positive_count": 0},
    })
}

fn imported() -> (Place, Value) {
    let place = Place::new();
    let state = whole();
    check(&printed(&place, "state"), &state, "the state as it came");
    place.write(&format!(".aiwg/ralph/loops/{ID}/state.json"), state.to_string());
    (place, state)
}

/// The fields of a state but those that every change of its status moves.
fn at_rest(mut state: Value) -> Value {
    for moving in ["status", "last_updated"] {
        state.as_object_mut().unwrap().remove(moving);
    }
    state
}

#[test]
fn a_whole_state_is_valid_and_is_written_again_as_it_was() {
    let (place, came) = imported();
    // A look changes no byte.
    place.done(&["status", ID, "--persistence"]);
    assert_eq!(place.state(ID), came);
    place.done(&["loop", "pause", ID]);
    let once = place.state(ID);
    assert_same(&at_rest(came), &once, &once);
    check(&printed(&place, "state"), &once, "the state as it was written");
    for turn in ["resume", "pause"] {
        place.done(&["loop", turn, ID]);
    }
    assert_eq!(at_rest(once), at_rest(place.state(ID)), "loaded, written, and loaded again");
}

#[test]
fn what_the_extension_does_leaves_the_base_fields_as_they_are() {
    let (place, came) = imported();
    place.start("s1");
    place.stop("s1");
    let now = place.state(ID);
    assert_eq!(now["iteration_history"].as_array().map(Vec::len), Some(4), "the loop went on: {now}");
    for field in ["version", "loop_id", "task", "completion_criteria", "started_at", "somebody"] {
        assert_eq!(now[field], came[field], "{field}");
    }
    assert_same(&came["configuration"], &now["configuration"], &now);
    assert_same(&came["baseline_metrics"], &now["baseline_metrics"], &now);
}

#[test]
fn figures_that_a_log_does_not_have_stay_as_they_came() {
    let (place, came) = imported();
    place.done(&["loop", "abort", ID]);
    let now = place.state(ID);
    assert_eq!(now["status"], "aborted");
    assert_same(&came["persistence_metrics"], &now["persistence_metrics"], &now);
}

#[test]
fn on_a_conflict_the_extension_has_its_own_value_and_nothing_else_goes() {
    let place = Place::new();
    let base: Map<String, Value> = json!({
        "version": "2.0.0", "loop_id": ID, "status": "running", "iteration": 2, "task": "T",
        "completion_criteria": CRITERIA, "started_at": ago(5), "last_updated": ago(5),
        "configuration": {"max_iterations": 9, "theirs": "kept"}, "theirs": {"deep": [1]},
        "best_iteration": "the second", "reinforcement_level": "loud", "detection_enabled": "yes",
    })
    .as_object()
    .unwrap()
    .clone();
    place.write(&format!(".aiwg/ralph/loops/{ID}/state.json"), Value::Object(base.clone()).to_string());
    place.start("s1");
    place.stop("s1");
    let now = place.state(ID);
    check(&printed(&place, "state"), &now, "what is left is valid");
    assert_eq!((&now["best_iteration"]["iteration"], &now["detection_enabled"]), (&json!(2), &json!(true)));
    for field in ["theirs", "task", "completion_criteria", "started_at"] {
        assert_eq!(now[field], base[field], "{field}");
    }
    assert_same(&base["configuration"], &now["configuration"], &now);
}
