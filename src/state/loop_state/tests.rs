use serde_json::json;

use super::changes::{NEWEST, NEWEST_HITS, NEWEST_STOPPED};
use super::*;

#[test]
fn a_state_without_any_extension_field_loads_and_keeps_what_it_had() {
    let text = r#"{"version":"2.0.0","loop_id":"ralph-x-00000000","status":"running","iteration":7,
        "task":"t","completion_criteria":"c passes","started_at":"2026-02-02T21:00:00Z",
        "last_updated":"2026-02-02T21:15:00Z","configuration":{"max_iterations":200,"interactive":false},
        "owner":"alice","error_context":{"deep":[1,2,{"x":null}]}}"#;
    let state: LoopState = serde_json::from_str(text).unwrap();
    assert_eq!((state.iteration, state.configuration.max_iterations), (7, 200));
    let again: Value = serde_json::to_value(&state).unwrap();
    assert_eq!(again["owner"], "alice");
    assert_eq!(again["error_context"]["deep"][2]["x"], Value::Null);
    assert_eq!(again["configuration"]["interactive"], false);
}

#[test]
fn lists_keep_the_newest_and_count_all() {
    let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
    for n in 0..120 {
        state.push_risky_action(RiskyAction { target: n.to_string(), ..RiskyAction::default() });
    }
    assert_eq!(state.risky_actions_total, 120);
    assert_eq!(state.risky_actions.len(), NEWEST);
    assert_eq!(state.risky_actions.last().unwrap().target, "119");
    assert_eq!(state.risky_actions[0].target, (120 - NEWEST).to_string());
}

#[test]
fn the_newest_hits_stay_with_those_that_still_count_and_all_are_counted() {
    let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
    let mut push = |n: u64, verdict: &str, false_positive| {
        let hit = serde_json::json!({"iteration": n / 10, "false_positive": false_positive, "what": n.to_string(), "verdict": verdict});
        state.push_hit(serde_json::from_value(hit).unwrap());
    };
    push(0, "context", false);
    push(1, "deny", true);
    for n in 2..500 {
        push(n, "deny", false);
        push(n, "deny", false);
    }
    assert_eq!(state.hits(), (998, 1));
    let kept: Vec<u64> =
        state.detected_patterns.iter().map(|hit| hit.what.as_ref().unwrap().parse().unwrap()).collect();
    assert_eq!((kept.len(), &kept[..3], kept.last()), (NEWEST_STOPPED + 2, &[0, 1, 480][..], Some(&499)));
    assert!(state.detected_patterns[2..].iter().all(|hit| hit.times() == 2));
    let let_through = serde_json::json!({"verdict": "context"});
    for n in 0..500 {
        let mut hit: DetectedPattern = serde_json::from_value(let_through.clone()).unwrap();
        (hit.iteration, hit.what) = (100 + n, Some(n.to_string()));
        state.push_hit(hit);
    }
    assert_eq!((state.detected_patterns.len(), state.hits().0), (NEWEST_HITS, 1498));
}

#[test]
fn the_level_history_has_no_gap() {
    let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
    for level in [Level::Minimal, Level::Minimal, Level::Standard, Level::Aggressive] {
        state.set_level(level, "r", Timestamp::UNIX_EPOCH);
    }
    let steps: Vec<_> = state.reinforcement_history.iter().map(|c| (c.from_level, c.to_level)).collect();
    assert_eq!(
        steps,
        [
            (Level::Off, Level::Minimal),
            (Level::Minimal, Level::Standard),
            (Level::Standard, Level::Aggressive)
        ]
    );
}

/// A state with every field of ours that a file may lack.
fn full() -> Value {
    let time = "2026-01-02T03:04:05Z";
    let learning = json!({"failed": "f", "why": "w", "next": "n", "signature": "s", "error_type": null,
        "failing": ["t"]});
    let mut state = serde_json::to_value(LoopState::new("l", "t", Timestamp::UNIX_EPOCH)).unwrap();
    let fields = json!({
        "configuration": {"max_iterations": 3, "timeout_minutes": null, "commit_iterations": true,
            "scope": ["src/**"], "driver": "[\"agent\"]", "foreign": 1},
        "metrics": {"total_iterations": 1, "successful_iterations": 0, "failed_iterations": 1,
            "total_duration_seconds": 9, "total_tokens": 7, "total_cost_usd": 0.5, "foreign": 1},
        "baseline_metrics": {"captured_at": time, "test_count": 3, "coverage_percentage": 81.5,
            "branch_coverage_percentage": 70.25, "typescript_errors": 1, "type_errors": 2, "lint_errors": 3,
            "lint_warnings": 4, "custom_metrics": {"size": 5}, "inventory_test_count": 3,
            "test_count_note": "n", "sources": {"test_count": []},
            "accepted": [{"timestamp": time, "test_count_before": 3, "test_count": 2}], "foreign": 1},
        "iteration_history": [{"iteration": 1, "timestamp": time, "quality_score": 60.0, "quality_delta": 0.0,
            "artifacts": [], "metrics_snapshot": {}, "regression_detected": false, "recovery_attempted": false,
            "action": "", "result": "", "learnings": "", "quality_breakdown": {"validation": 1.0},
            "quality_facts": {"checks": []}, "delta_from_best": -1.5, "test_results": {"failed": 1},
            "learning": learning, "attempt": 2, "aborted": "why", "reverted_to": 1, "foreign": 1}],
        "regression_events": [{"event_id": "e", "timestamp": time, "iteration": 1,
            "regression_type": "test_deletion", "severity": "critical", "details": {},
            "recovery_protocol_invoked": false, "recovery_outcome": null, "human_gate_invoked": false,
            "human_decision": null, "display_id": "reg-001", "decided_at": time, "decided_via": "terminal",
            "decided_by": "ann", "false_positive": true, "false_positive_reason": "r", "reverted_to": 1,
            "foreign": 1}],
        "recovery_history": [{"recovery_id": "r", "timestamp": time, "iteration": 1, "trigger": "t",
            "protocol_steps": {}, "event_ids": ["e"], "gate_id": "g", "diagnostic_report": "d.md",
            "display_id": "rec-001", "foreign": 1}],
        "error_history": [{"timestamp": time, "iteration": 1, "error_type": "E", "message": "m",
            "signature": "s", "source": "call", "in_a_row": 2, "stack_trace": ["f"], "place": "a.py:1",
            "target": "pytest", "failing_tests": ["t"], "foreign": 1}],
        "human_gates": [{"gate_id": "g", "subject": "regression", "gate_type": "TERMINATE", "opened_at": time,
            "iteration": 1, "event_ids": ["e"], "message": "m", "choices": [], "decision": null,
            "pattern_ids": ["LP-001"], "lost": ["t"],
            "delegated": {"to": "bob", "by": null, "at": time, "reason": null}, "iteration_recorded": true,
            "foreign": 1}],
        "detected_patterns": [{"pattern_id": "LP-001", "pattern_name": "n", "iteration": 1, "timestamp": time,
            "severity": "low", "false_positive": false, "event_id": "h", "path": "a.py", "what": "w",
            "lost": ["t"], "verdict": "deny", "times": 2, "last_seen": time, "foreign": 1}],
        "legacy": {"note": 1}, "first_check": {"command": "c", "reason": "r", "failing": []},
        "baseline_snapshot": "b", "pre_iteration_snapshot": "p", "reinforcement_used": {"cause": ["id"]},
        "reinforcement_tokens": {"s1": 5}, "reinforcement_last": {"hook": "id"}, "compactions": 1,
        "transcripts": ["t"], "notified_events": ["e"],
        "reinforcement_raised": {"after": 1, "level": "STANDARD", "reason": "r"}, "next_iteration": 2,
        "remeasure_on_resume": true, "timeout_counts_from": time, "reflections_counted_from": 1,
        "ending": "success", "persistence_metrics": {"false_positive_rate": 0.5},
        "selection": {"iteration": 1},
        "selection_override": {"iteration": 1, "reason": "r", "at": time, "instead_of": 2},
        "rebuilt_from_log": {"lines": 9}, "foreign": {"any": ["thing"]},
    });
    let Value::Object(fields) = fields else { panic!() };
    state.as_object_mut().unwrap().extend(fields);
    state
}

#[test]
fn every_field_of_ours_is_read_and_written_again_as_it_was() {
    let mut state = full();
    let again = |state: &Value| serde_json::to_value(LoopState::deserialize(state).unwrap()).unwrap();
    assert_eq!(again(&state).to_string(), state.to_string());
    let read = LoopState::deserialize(&state).unwrap();
    let foreign = [
        &read.extra,
        &read.configuration.extra,
        &read.metrics.extra,
        &read.baseline_metrics.unwrap().extra,
        &read.iteration_history[0].extra,
        &read.regression_events[0].extra,
        &read.recovery_history[0].extra,
        &read.error_history[0].extra,
        &read.human_gates[0].extra,
        &read.detected_patterns[0].extra,
    ]
    .map(Map::len);
    assert_eq!(foreign, [1; 10], "only what others wrote is kept apart");
    // A null that was written stays, and what was not written is not made up.
    for (record, field) in [
        ("iteration_history", "learning"),
        ("iteration_history", "test_results"),
        ("regression_events", "decided_by"),
        ("recovery_history", "gate_id"),
        ("error_history", "place"),
    ] {
        state[record][0][field] = Value::Null;
    }
    assert_eq!(again(&state).to_string(), state.to_string());
}

#[test]
fn a_field_of_ours_of_the_wrong_type_costs_itself_alone() {
    let whole = full();
    let wrong = json!({"neither": ["one", 7]});
    let own = |record: &Value, first: &str| -> Vec<String> {
        record.as_object().unwrap().keys().skip_while(|key| *key != first).cloned().collect()
    };
    let pointers = [
        ("", "legacy"),
        ("/configuration", "commit_iterations"),
        ("/metrics", "total_tokens"),
        ("/baseline_metrics", "branch_coverage_percentage"),
        ("/iteration_history/0", "quality_breakdown"),
        ("/regression_events/0", "display_id"),
        ("/recovery_history/0", "event_ids"),
        ("/error_history/0", "signature"),
        ("/human_gates/0", "pattern_ids"),
        ("/detected_patterns/0", "event_id"),
    ];
    // These hold whatever JSON there is.
    let any = [
        "legacy",
        "reinforcement_used",
        "reinforcement_last",
        "persistence_metrics",
        "selection",
        "custom_metrics",
        "test_count_note",
        "sources",
        "quality_breakdown",
        "quality_facts",
        "test_results",
        "foreign",
    ];
    for (pointer, first) in pointers {
        for field in own(whole.pointer(pointer).unwrap(), first) {
            if any.contains(&field.as_str()) {
                continue;
            }
            let mut bad = whole.clone();
            bad.pointer_mut(pointer).unwrap()[&field] = wrong.clone();
            let read = LoopState::deserialize(&bad).unwrap_or_else(|error| panic!("{field}: {error}"));
            bad.pointer_mut(pointer).unwrap().as_object_mut().unwrap().shift_remove(&field);
            assert_eq!(serde_json::to_value(read).unwrap(), bad, "{pointer}/{field}");
        }
    }
}
