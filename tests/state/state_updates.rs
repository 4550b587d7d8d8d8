//! Each hook changes the fields that the documents name for it, and of ours only those listed here.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, changed};

/// What one step may do to the state.
struct Step {
    /// The hooks that fire in it.
    hooks: &'static [&'static str],
    /// Fields that the documents name and that change here.
    named: &'static [&'static str],
    /// Fields that the documents name and that keep their value here, or are only there when there was something to
    /// keep.
    unmoved: &'static [&'static str],
    /// Our own totals and marks, which go with them.
    ours: &'static [&'static str],
}

impl Step {
    fn check(&self, place: &Place, before: &Value, lines: usize) {
        let id = place.only_loop();
        let after = place.state(&id);
        let mut found = changed(before, &after);
        found.retain(|field| field != "last_updated" && !self.unmoved.contains(&field.as_str()));
        let mut expected: Vec<&str> = self.named.iter().chain(self.ours).copied().collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{:?}: {after:#}", self.hooks);
        let log = place.log(&id);
        let fired: Vec<&str> = log[lines..].iter().filter_map(|line| line["hook_name"].as_str()).collect();
        for hook in self.hooks {
            assert!(fired.contains(hook), "{hook} is not in {fired:?}");
        }
    }
}

/// A place with a claimed loop, in its first iteration.
fn looping() -> Place {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place
}

/// Fires something and compares the state before and after.
fn step(place: &Place, step: &Step, act: impl FnOnce()) {
    let id = place.only_loop();
    let (before, lines) = (place.state(&id), place.log(&id).len());
    act();
    step.check(place, &before, lines);
}

#[test]
fn loop_start_sets_the_baseline_and_begins_the_lists() {
    let place = Place::new();
    place.start_loop("one");
    let state = place.state("one");
    assert_eq!(state["baseline_metrics"]["test_count"], 3, "{state:#}");
    assert_eq!(state["detection_enabled"], true);
    assert_eq!(state["reinforcement_level"], "MINIMAL");
    assert_eq!(state["iteration_history"], json!([]));
    assert_eq!(state["regression_events"], json!([]));
    // All else is as in a loop that nothing happened to yet.
    place.write(".aiwg/ralph/loops/empty/state.json", r#"{"loop_id": "empty"}"#);
    let shown: Value = serde_json::from_str(&place.done(&["status", "empty", "--json"])).unwrap();
    let differing = changed(&shown["loops"][0], &state);
    let expected = [
        "baseline_metrics",
        "baseline_snapshot",
        "completion_criteria",
        "detection_enabled",
        "first_check",
        "last_updated",
        "loop_id",
        "reinforcement_history",
        "started_at",
        "task",
        "working_directory",
    ];
    assert_eq!(differing, expected);
}

#[test]
fn pre_iteration_counts_the_iteration() {
    let place = Place::new();
    place.start_loop("one");
    let expected = Step {
        hooks: &["pre_iteration"],
        named: &["iteration_count"],
        unmoved: &["reinforcement_level", "pre_iteration_snapshot"],
        ours: &[
            "iteration",
            "reinforcement_last",
            "reinforcement_tokens",
            "reinforcement_used",
            "session_id",
        ],
    };
    step(&place, &expected, || {
        place.start("s1");
    });
    assert_eq!(place.state("one")["iteration_count"], 1);
}

#[test]
fn a_risky_call_is_noted_before_it_and_a_harmless_one_is_not() {
    let place = looping();
    let risky = Step {
        hooks: &["pre_tool_call"],
        named: &["last_risky_action", "risky_actions"],
        unmoved: &[],
        ours: &["risky_actions_total"],
    };
    step(&place, &risky, || {
        place.edit("pre-tool-use", "s1", "add(0, 0) == 0", "add(0, 0) == 0 + 0");
    });
    let denied =
        Step { ours: &["detected_patterns", "detected_patterns_total", "risky_actions_total"], ..risky };
    step(&place, &denied, || assert!(place.guards("s1")));
    let harmless = Step { hooks: &["pre_tool_call"], named: &[], unmoved: &[], ours: &[] };
    step(&place, &harmless, || {
        let input = json!({"file_path": place.path("notes.txt"), "content": "x\n"});
        place.fire(
            "pre-tool-use",
            "s1",
            json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "t"}),
        );
    });
}

#[test]
fn post_tool_call_keeps_the_call() {
    let place = looping();
    place.edit("pre-tool-use", "s1", "add(0, 0) == 0", "0 == add(0, 0)");
    let text = std::fs::read_to_string(place.path(crate::place::TEST_FILE)).unwrap();
    place.write(crate::place::TEST_FILE, text.replace("add(0, 0) == 0", "0 == add(0, 0)"));
    let expected = Step {
        hooks: &["post_tool_call"],
        named: &["tool_call_history"],
        unmoved: &[],
        ours: &["tool_calls_counted", "tool_calls_total"],
    };
    step(&place, &expected, || {
        place.edit("post-tool-use", "s1", "add(0, 0) == 0", "0 == add(0, 0)");
    });
}

#[test]
fn regression_detected_opens_an_event_and_counts_the_recovery() {
    let place = looping();
    let expected = Step {
        hooks: &["post_tool_call", "regression_detected"],
        named: &[
            "recovery_attempts",
            "recovery_history",
            "recovery_in_progress",
            "regression_events",
            "tool_call_history",
        ],
        unmoved: &[],
        ours: &[
            "detected_patterns",
            "detected_patterns_total",
            "human_gates",
            "notified_events",
            "regression_detected",
            "tool_calls_counted",
            "tool_calls_total",
        ],
    };
    let id = place.only_loop();
    let (before, lines) = (place.state(&id), place.log(&id).len());
    assert!(place.lose_by_script("s1").is_some());
    expected.check(&place, &before, lines);
    let state = place.state("one");
    assert_eq!((&state["recovery_attempts"], &state["recovery_in_progress"]), (&json!(1), &json!(true)));
    // What was lost comes back: the recovery is over and still counted.
    place.write(crate::place::TEST_FILE, crate::place::TESTS);
    place.stop("s1");
    let state = place.state("one");
    assert_eq!((&state["recovery_attempts"], &state["recovery_in_progress"]), (&json!(1), &json!(false)));
    assert_eq!(state["regression_events"][0]["recovery_outcome"], "success", "{state:#}");
}

#[test]
fn post_iteration_appends_one_iteration_and_the_next_begins() {
    let place = looping();
    let expected = Step {
        // Its verification has failed, which is an error.
        hooks: &["post_iteration", "on_error", "pre_iteration"],
        named: &[
            "best_iteration",
            "error_count",
            "error_history",
            "iteration_count",
            "iteration_history",
            "last_error",
            "last_iteration_quality",
            "metrics.total_iterations",
        ],
        unmoved: &[
            "regression_detected",
            "reinforcement_level",
            "pre_iteration_snapshot",
            "metrics.total_duration_seconds",
        ],
        ours: &[
            "consecutive_same_error",
            "continuations",
            "iteration",
            "metrics.failed_iterations",
            "progress.completion_checks",
            "progress.last_completion_check",
            "reinforcement_last",
            "reinforcement_tokens",
            "reinforcement_used",
        ],
    };
    step(&place, &expected, || assert!(place.stop("s1").is_some()));
    let state = place.state("one");
    assert_eq!(state["iteration_history"].as_array().map(Vec::len), Some(1));
    assert_eq!((&state["metrics"]["total_iterations"], &state["iteration_count"]), (&json!(1), &json!(2)));
}

#[test]
fn reinforcement_rises_with_the_third_iteration() {
    let place = looping();
    place.stop("s1");
    let before = place.state("one");
    // Another failure: the same one twice would raise the level further.
    place.write("why", "cannot find the pump\n");
    place.stop("s1");
    let after = place.state("one");
    let fields = changed(&before, &after);
    for named in ["reinforcement_level", "reinforcement_history"] {
        assert!(fields.iter().any(|field| field == named), "{named} is not in {fields:?}");
    }
    assert_eq!((&after["iteration"], &after["reinforcement_level"]), (&json!(3), &json!("STANDARD")));
}

#[test]
fn loop_complete_ends_the_detection_and_leaves_the_best_iteration() {
    for success in [true, false] {
        let place = looping();
        place.stop("s1");
        let best = place.state("one")["best_iteration"].clone();
        assert!(best.is_object());
        let expected = Step {
            hooks: &["loop_complete"],
            named: &["completion_report_path", "detection_enabled", "selected_iteration"],
            unmoved: &[],
            ours: &["completed_at", "ending", "persistence_metrics", "selection", "status"],
        };
        if success {
            place.write("done", "");
            place.stop("s1");
            let state = place.state("one");
            assert_eq!((&state["status"], &state["detection_enabled"]), (&json!("completed"), &json!(false)));
            assert_eq!(state["metrics"]["successful_iterations"], 1);
        } else {
            step(&place, &expected, || {
                place.done(&["loop", "abort", "one"]);
            });
            assert_eq!(place.state("one")["best_iteration"], best);
        }
        // Finished is finished: nothing more changes it.
        let state = place.state("one");
        place.stop("s1");
        place.edit("pre-tool-use", "s1", ONE_TEST, "");
        assert_eq!(place.state("one"), state);
    }
}
