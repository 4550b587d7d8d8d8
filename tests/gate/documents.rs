//! The worked examples and tests of the documents, replayed on real loops.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};

/// A loop after so many iterations that each failed otherwise.
pub(crate) fn after(iterations: u32, prepare: impl FnOnce(&Place)) -> Place {
    let place = Place::new();
    prepare(&place);
    place.start_loop("one");
    place.start("s1");
    for n in 1..=iterations {
        place.write("why", format!("src/cart.ts(3,7): error TS23{n:02}: fault {}\n", "x".repeat(n as usize)));
        assert!(place.stop("s1").unwrap()["hookSpecificOutput"].is_object(), "iteration {n} goes on");
    }
    place
}

/// Gives the finished iterations these scores, as if they had been measured.
pub(crate) fn score(place: &Place, scores: &[f64]) {
    let path = place.directory("one").join("state.json");
    let mut state = place.state("one");
    let mut before = None;
    for (n, score) in scores.iter().enumerate() {
        let record = &mut state["iteration_history"][n];
        record["quality_score"] = json!(score);
        record["quality_delta"] = json!(before.map_or(0.0, |before| score - before));
        before = Some(*score);
    }
    let best = scores.iter().copied().fold(0.0, f64::max);
    let at = scores.iter().position(|score| *score == best).unwrap();
    let snapshot = state["iteration_history"][at]["snapshot_path"].clone();
    state["best_iteration"] = json!({"iteration": at + 1, "quality_score": best, "snapshot_path": snapshot,
        "updated_at": state["last_updated"], "selection_reason": format!("Highest quality score ({best:.0}%)")});
    state["last_iteration_quality"] = json!(before);
    std::fs::write(path, state.to_string()).unwrap();
}

#[test]
fn the_fifth_iteration_is_reminded_aggressively() {
    let place = after(3, |_| ());
    score(&place, &[50.0, 56.0, 62.0]);
    place.write("why", "src/cart.ts(3,7): error TS2399: another fault\n");
    let answer = place.stop("s1").unwrap();
    let state = place.state("one");
    assert_eq!((&state["iteration"], &state["iteration_count"]), (&json!(5), &json!(5)));
    assert_eq!(state["reinforcement_level"], "AGGRESSIVE");
    let history = state["reinforcement_history"].as_array().unwrap();
    let fifth = history.iter().find(|entry| entry["iteration"] == 5).unwrap();
    assert_eq!((&fifth["from_level"], &fifth["to_level"]), (&json!("STANDARD"), &json!("AGGRESSIVE")));
    assert!(fifth["reason"].as_str().unwrap().contains("Iteration 5 threshold"), "{fifth}");
    // Each entry begins where the one before ended.
    assert!(history.windows(2).all(|pair| pair[0]["to_level"] == pair[1]["from_level"]), "{history:?}");
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    for part in ["ITERATION #5 - Stuck Loop Risk", "4 attempts", "STOP", "WHY", "alternative", "ESCALATE"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    for part in ["deleted", "features", "shortcuts", "another fault"] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

#[test]
fn a_projects_own_thresholds_are_the_reasons_and_off_says_nothing() {
    let reinforced = |settings: &str| {
        let file = format!("agent_persistence:\n  reinforcement:\n{settings}");
        let place = after(5, |place| place.write("aiwg.yml", file));
        let history = place.state("one")["reinforcement_history"].as_array().unwrap().clone();
        let last = place.stop("s1").unwrap()["hookSpecificOutput"]["additionalContext"].clone();
        let entries = history.iter().map(|entry| {
            let [level, reason] =
                ["to_level", "reason"].map(|field| entry[field].as_str().unwrap().to_owned());
            format!("{} {level} {reason}", entry["iteration"])
        });
        (entries.collect::<Vec<_>>(), last.as_str().unwrap_or_default().to_owned())
    };
    let (history, _) = reinforced(
        "    default_level: STANDARD\n    escalation_thresholds:\n      iteration_2: AGGRESSIVE\n",
    );
    assert_eq!(history.last().unwrap(), "2 AGGRESSIVE Iteration 2 threshold reached", "{history:?}");
    // Thresholds that the project has not set take nothing back of where it begins.
    let (history, _) = reinforced("    default_level: AGGRESSIVE\n");
    let lowered = ["MINIMAL", "STANDARD"].map(|level| history.iter().skip(1).any(|it| it.contains(level)));
    assert_eq!(lowered, [false, false], "{history:?}");
    let (history, told) = reinforced("    default_level: \"OFF\"\n");
    assert!(history.iter().all(|entry| !entry.contains("AGGRESSIVE")), "{history:?}");
    assert!(!told.contains("Stuck Loop Risk") && !told.contains("Tried before"), "{told}");
}

#[test]
fn two_tests_deleted_in_the_third_iteration_are_one_regression_that_a_person_decides() {
    let place = after(2, |_| ());
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "t1",
        "tool_response": {"stdout": "", "stderr": ""}});
    place.fire("pre-tool-use", "s1", call.clone());
    let left = TESTS.replace(ONE_TEST, "");
    place.write(TEST_FILE, left.split("\ndef test_negative").next().unwrap());
    place.fire("post-tool-use", "s1", call);
    let state = place.state("one");
    let events = state["regression_events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(
        (&events[0]["regression_type"], &events[0]["iteration"]),
        (&json!("test_deletion"), &json!(3))
    );
    assert_eq!(events[0]["details"]["diff"]["deleted_tests"].as_array().unwrap().len(), 2);
    assert_eq!(state["recovery_attempts"], 1);
    assert_eq!(events[0]["human_gate_invoked"], true);
}

#[test]
fn the_best_iteration_is_selected_and_not_the_last() {
    let place = after(4, |_| ());
    score(&place, &[60.0, 85.0, 83.0, 80.0]);
    place.done(&["loop", "abort", "one"]);
    let state = place.state("one");
    assert_eq!(state["selected_iteration"], 2);
    assert_eq!(state["best_iteration"]["quality_score"], 85.0);
    assert!(state["best_iteration"]["selection_reason"].as_str().unwrap().contains("Highest quality"));
    let report =
        std::fs::read_to_string(place.path(state["completion_report_path"].as_str().unwrap())).unwrap();
    assert!(report.contains("85") && report.contains("Highest quality"), "{report}");
}

const LOGIN: &str = "test/unit/auth/login.test.ts";
const LOST: [&str; 2] = ["should validate email format", "should reject weak passwords"];

/// A hundred and fifty tests, those two among them.
fn login_tests() -> String {
    let names = LOST.iter().map(|name| (*name).to_owned()).chain((0..148).map(|n| format!("case {n}")));
    let tests = names
        .map(|name| format!("test(\"{name}\", () => {{\n  expect(login(\"{name}\")).toBe(true);\n}});\n"));
    format!("import {{ login }} from \"../../../src/auth/login\";\n\n{}", tests.collect::<String>())
}

/// The second worked example: an agent deletes two failing tests in the seventh iteration.
fn seventh() -> (Place, Value) {
    let place = after(6, |place| {
        std::fs::remove_file(place.path(TEST_FILE)).unwrap();
        place.write(LOGIN, login_tests());
        place.write("src/auth/login.ts", "export const login = (name: string) => name.length > 3;\n");
        place.commit("150 tests");
    });
    score(&place, &[60.0, 85.0, 83.0, 81.0, 79.0, 77.0]);
    let failed = format!(
        "Exit code 1\nFAIL {LOGIN}\n  ● {}\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: true\n    Received: false\n\n      at Object.<anonymous> ({LOGIN}:4:10)\n\nTests:       1 failed, 149 passed, 150 total\n",
        LOST[0]
    );
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "npx jest"}, "tool_use_id": "t0", "error": failed,
        "is_interrupt": false});
    place.fire("post-tool-use-failure", "s1", call);
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "node tidy.js"}, "tool_use_id": "t1",
        "tool_response": {"stdout": "", "stderr": ""}});
    place.fire("pre-tool-use", "s1", call.clone());
    let kept: Vec<String> = login_tests()
        .split("test(")
        .filter(|test| !LOST.iter().any(|lost| test.starts_with(&format!("\"{lost}\""))))
        .map(str::to_owned)
        .collect();
    place.write(LOGIN, kept.join("test("));
    let answer = place.fire("post-tool-use", "s1", call).expect("the loss is seen");
    (place, answer)
}

#[test]
fn two_failing_tests_deleted_in_the_seventh_iteration_lead_to_a_rejection_and_back_to_the_sixth() {
    let (place, answer) = seventh();
    let panel = answer["systemMessage"].as_str().unwrap();
    for part in [
        "REGRESSION DETECTED - Iteration 7",
        "Test deletion detected:",
        "- Previous: 150 tests",
        "- Current: 148 tests",
    ] {
        assert!(panel.contains(part), "{part} in {panel}");
    }
    for lost in LOST {
        assert!(panel.contains(&format!("- {LOGIN}: {lost}")), "{lost} in {panel}");
    }
    for part in ["NOT acceptable", "[1] Reject iteration 7", "[2] Continue", "NOT RECOMMENDED", "[3] Abort"] {
        assert!(panel.contains(part), "{part} in {panel}");
    }
    let state = place.state("one");
    let recovery = &state["recovery_history"][0];
    assert_eq!(recovery["trigger"], "regression_detected: test_deletion");
    let steps = &recovery["protocol_steps"];
    let names: Vec<&String> = steps.as_object().unwrap().keys().collect();
    assert_eq!(names, ["pause", "diagnose", "adapt", "escalate"]);
    let actions = steps["pause"]["actions"].to_string();
    assert!(
        actions.contains("Blocked pending file operations") && actions.contains("iteration-007-pre-revert"),
        "{actions}"
    );
    assert_eq!(steps["diagnose"]["diagnosis"], "reward_hacking");
    assert_eq!(steps["diagnose"]["root_cause"], "Agent deleted failing tests instead of fixing code");
    assert!(steps["diagnose"]["confidence"].as_f64().unwrap() >= 0.95, "{steps:#}");
    assert_eq!(steps["adapt"]["strategy"], "escalate_to_human_gate");
    assert_eq!(steps["escalate"]["gate_type"], "TERMINATE");
    place.stop("s1");

    let output = at_terminal(&place, "gate", "1\n");
    assert!(output.status.success(), "{}", screen(&output));
    assert_eq!(std::fs::read_to_string(place.path(LOGIN)).unwrap(), login_tests());
    let state = place.state("one");
    let event = &state["regression_events"][0];
    for (field, value) in [
        ("iteration", json!(7)),
        ("regression_type", json!("test_deletion")),
        ("severity", json!("critical")),
        ("recovery_protocol_invoked", json!(true)),
        ("recovery_outcome", json!("escalated")),
        ("human_gate_invoked", json!(true)),
        ("human_decision", json!("reject")),
    ] {
        assert_eq!(event[field], value, "{field} in {event:#}");
    }
    assert_eq!(event["details"]["baseline_value"], 150);
    assert_eq!(event["details"]["current_value"], 148);
    assert_eq!((&state["iteration"], &state["reinforcement_level"]), (&json!(6), &json!("AGGRESSIVE")));
    let last = state["reinforcement_history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["reason"], "Regression detected in iteration 7");
    assert_eq!(state["status"], "running");
    assert_eq!(state["recovery_attempts"], 1);
    shown(&place);
    let next = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"})).unwrap();
    let told = next["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("rejected") && told.contains("iteration 6"), "{told}");
    assert_eq!(place.state("one")["iteration"], 7);
}

/// What the status says of it.
fn shown(place: &Place) {
    let persistence = place.done(&["status", "one", "--persistence"]);
    for part in [
        "Baseline Metrics: 150 tests",
        "Regression Events: 1 (critical: test_deletion)",
        "Reinforcement Level: AGGRESSIVE",
        "Recovery Attempts: 1",
        "Best Iteration: 2 (quality: 85%)",
    ] {
        assert!(persistence.contains(part), "{part} in {persistence}");
    }
    let regressions = place.done(&["status", "one", "--regressions"]);
    for part in [
        "[reg-001] Iteration 7 - test_deletion (CRITICAL)",
        "- 2 tests deleted",
        "- Recovery: escalated, human rejected",
        "- Reverted to iteration 6",
    ] {
        assert!(regressions.contains(part), "{part} in {regressions}");
    }
    let quality = place.done(&["status", "one", "--quality"]);
    let line = |n: u32| {
        let start = format!("Iteration {n}: ");
        quality.lines().find(|line| line.trim_start().starts_with(&start)).unwrap_or_default().to_owned()
    };
    for (n, score) in [(1, 60), (2, 85), (3, 83), (4, 81), (5, 79), (6, 77)] {
        assert!(line(n).contains(&format!("{score}% ")) && line(n).contains('░'), "{n} in {quality}");
    }
    assert!(line(2).contains("BEST") && line(7).contains("REGRESSION"), "{quality}");
}
