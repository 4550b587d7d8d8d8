//! A loop that does not get on, from the third equal failure to a person's answer.

use serde_json::{Value, json};

use crate::looping;
use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};

fn fail(place: &Place, command: &str, error: &str) -> Option<Value> {
    let call = json!({
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1", "error": error,
        "is_interrupt": false,
    });
    place.fire("post-tool-use-failure", "s1", call)
}

pub(crate) fn stuck() -> (Place, Value) {
    let place = looping(false);
    let mut last = None;
    for n in 1..=3 {
        last = fail(
            &place,
            "node cart.js",
            &format!("Exit code 1\nTypeError: price is undefined\n    at total (/app/cart.js:{n}:9)"),
        );
    }
    (place, last.expect("an answer"))
}

#[test]
fn the_third_equal_error_halts_the_loop_and_asks_a_person() {
    let (place, answer) = stuck();
    let human = answer["systemMessage"].as_str().unwrap();
    for part in [
        "STUCK LOOP DETECTED - Iteration 1",
        "TypeError: price is undefined",
        "Recovery attempts: 0",
        "guidance",
        "different approach",
        "Abort",
        "by hand",
    ] {
        assert!(human.contains(part), "{part} in {human}");
    }
    let state = place.state("one");
    assert_eq!((&state["stuck_loop_detected"], &state["recovery_in_progress"]), (&json!(true), &json!(true)));
    assert_eq!((&state["error_count"], &state["last_error"]["place"]), (&json!(3), &json!("/app/cart.js:3")));
    let recovery = &state["recovery_history"][0];
    assert_eq!(recovery["trigger"], "stuck_loop_detected: 3 consecutive failures");
    assert!(
        recovery["protocol_steps"]["pause"]["actions"].to_string().contains("pre-revert"),
        "{recovery:#}"
    );
    let ids: Vec<&Value> =
        state["human_gates"][0]["choices"].as_array().unwrap().iter().map(|c| &c["id"]).collect();
    assert_eq!(ids, ["continue", "abort", "manual_fix"]);
    let report =
        std::fs::read_to_string(place.path(recovery["diagnostic_report"].as_str().unwrap())).unwrap();
    for part in [
        "TypeError: price is undefined",
        "/app/cart.js:3",
        "`node cart.js`",
        "## Changed files",
        "## Errors",
        "steadfast gate",
        "manual_fix",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    let write = json!({"tool_name": "Write", "tool_input": {"file_path": place.path("a.py"), "content": "1"}, "tool_use_id": "t"});
    assert_eq!(
        place.fire("pre-tool-use", "s1", write).unwrap()["hookSpecificOutput"]["permissionDecision"],
        "deny"
    );
    assert!(place.stop("s1").unwrap_or_default()["hookSpecificOutput"].is_null());
    assert!(place.log("one").iter().any(|line| line["hook_name"] == "stuck_loop_detected"));
}

/// A stuck loop, in which a call that had begun before takes a test with it.
fn stuck_with_a_loss() -> (Place, Value) {
    let place = looping(false);
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "t9",
        "tool_response": {"stdout": "", "stderr": ""}});
    place.fire("pre-tool-use", "s1", call.clone());
    for _ in 0..3 {
        fail(&place, "node cart.js", "Exit code 1\nTypeError: price is undefined");
    }
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    let answer = place.fire("post-tool-use", "s1", call).expect("the loss is seen");
    (place, answer)
}

#[test]
fn a_loss_beside_a_standstill_is_a_question_of_its_own() {
    let decisions = |place: &Place| -> Vec<(Value, Value)> {
        let gates = place.state("one")["human_gates"].as_array().unwrap().clone();
        gates.iter().map(|gate| (gate["subject"].clone(), gate["decision"].clone())).collect()
    };
    let (place, answer) = stuck_with_a_loss();
    let human = answer["systemMessage"].as_str().unwrap();
    assert!(human.contains("REGRESSION DETECTED") && human.contains("test_zero"), "{human}");
    let output = at_terminal(&place, "gate", "1\n");
    assert!(screen(&output).contains("Another question is open"), "{}", screen(&output));
    assert_eq!(
        decisions(&place),
        [(json!("stuck_loop"), json!("continue")), (json!("regression"), Value::Null)]
    );
    assert_eq!(place.state("one")["regression_events"][0]["human_decision"], Value::Null);
    assert!(place.guards("s1"), "the other question still holds writing back");
    at_terminal(&place, "gate", "1\n");
    assert_eq!(place.state("one")["regression_events"][0]["human_decision"], "reject");
    assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
    let next = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"})).unwrap();
    let told = next["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("different strategy") && told.contains("rejected"), "{told}");

    // What is lost comes back: the question about it ends, the one about the standstill does not.
    let (place, _) = stuck_with_a_loss();
    place.write(TEST_FILE, TESTS);
    place.stop("s1");
    assert_eq!(decisions(&place)[0], (json!("stuck_loop"), Value::Null));
    assert!(place.guards("s1"));

    // With its loop everything ends.
    let (place, _) = stuck_with_a_loss();
    at_terminal(&place, "gate", "2\n");
    assert!(decisions(&place).iter().all(|(_, decision)| decision == "abort"), "{:?}", decisions(&place));
    assert_eq!(place.state("one")["status"], "aborted");
}

#[test]
fn failures_that_differ_in_their_test_or_file_are_no_standstill() {
    let place = looping(false);
    for n in 0..4 {
        place.write(
            "why",
            format!("FAILED tests/test_calc.py::test_{n} - assert {n} == 3\n1 failed in 0.1s\n"),
        );
        let answer = place.stop("s1").unwrap();
        let told = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
        assert!(told.contains("Continuing to iteration") && !told.contains("in a row"), "{n}: {answer}");
    }
    for file in ["a", "b", "c", "d"] {
        fail(&place, "node cart.js", &format!("Exit code 1\nError: Cannot find module './{file}'"));
    }
    assert!(place.state("one")["human_gates"].as_array().unwrap().is_empty());
}

#[test]
fn three_different_errors_are_no_standstill_and_guidance_is_never_twice_the_same() {
    let place = looping(false);
    let mut texts = Vec::new();
    for error in ["TypeError: a", "RangeError: b", "SyntaxError: c", "TypeError: a", "TypeError: a"] {
        let answer = fail(&place, "node cart.js", &format!("Exit code 1\n{error}"));
        texts
            .extend(answer.map(|answer| {
                answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
            }));
    }
    assert!(place.state("one")["human_gates"].as_array().unwrap().is_empty());
    let different: std::collections::BTreeSet<&String> = texts.iter().collect();
    assert!(texts.len() >= 3 && different.len() == texts.len(), "{texts:#?}");
    for (text, error) in texts.iter().zip(["TypeError", "RangeError", "SyntaxError"]) {
        assert!(text.contains(error) && text.contains("SOURCE CODE"), "the first of its kind: {text}");
    }
    // A long message leaves room for where to look.
    let place = looping(false);
    let long = format!(
        "Exit code 1\nTypeError: {}\n    at total (/app/cart.js:4:9)",
        "no such price here ".repeat(20)
    );
    fail(&place, "node cart.js", &long);
    let answer = fail(&place, "node cart.js", &long).unwrap();
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("/app/cart.js:4") && told.contains("SOURCE CODE"), "{told}");
    // In a session of its own, which can't be stuck, each repetition reads differently until all is said.
    let place = Place::new();
    let write = json!({"tool_name": "Write", "tool_input": {"file_path": place.path("a.py"), "content": "1"}, "tool_use_id": "t"});
    place.fire("pre-tool-use", "s1", write);
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..8 {
        let answer = fail(&place, "node cart.js", "Exit code 1\nTypeError: a");
        texts
            .extend(answer.map(|answer| {
                answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
            }));
    }
    let different: std::collections::BTreeSet<&String> = texts.iter().collect();
    assert!(texts.len() >= 3 && texts.len() < 7 && different.len() == texts.len(), "{texts:#?}");
}

#[test]
fn the_same_failing_verification_three_times_is_stuck_and_progress_is_not() {
    let place = looping(false);
    for _ in 0..2 {
        assert!(place.stop("s1").unwrap()["hookSpecificOutput"].is_object());
    }
    let third = place.stop("s1").unwrap();
    assert!(
        third["hookSpecificOutput"].is_null() && third["systemMessage"].as_str().unwrap().contains("STUCK"),
        "{third}"
    );

    let place = Place::new();
    place.write("check.sh", "cat fault; exit 1\n");
    place.start_loop("one");
    place.start("s1");
    for n in 0..5 {
        place.write("fault", format!("src/a.c:3:1: error: fault {}\n", "x".repeat(n)));
        let answer = place.stop("s1").unwrap();
        assert!(answer["hookSpecificOutput"].is_object(), "{n}: {answer}");
    }
}

#[test]
fn a_person_lets_it_go_on_with_another_approach() {
    let (place, _) = stuck();
    let output = at_terminal(&place, "gate", "1\n");
    assert!(output.status.success(), "{}", screen(&output));
    let state = place.state("one");
    assert_eq!(
        (&state["status"], &state["stuck_loop_detected"], &state["consecutive_same_error"]),
        (&json!("running"), &json!(false), &json!(0))
    );
    let next = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"})).unwrap();
    let told = next["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("different strategy") && told.contains("TypeError: price is undefined"), "{told}");
    fail(&place, "node cart.js", "Exit code 1\nTypeError: price is undefined");
    assert_eq!(place.state("one")["consecutive_same_error"], 1, "it counts from one again");
    assert!(
        place.state("one")["human_gates"]
            .as_array()
            .unwrap()
            .iter()
            .all(|gate| !gate["decided_at"].is_null())
    );
}

#[test]
fn a_person_mends_it_by_hand_or_ends_it() {
    let (place, _) = stuck();
    let output = at_terminal(&place, "gate manual-fix", "");
    assert!(output.status.success(), "{}", screen(&output));
    assert_eq!(place.state("one")["status"], "paused");
    place.write(TEST_FILE, format!("{TESTS}\ndef test_more():\n    assert add(1, 1) == 2\n"));
    place.done(&["loop", "resume", "one"]);
    let state = place.state("one");
    assert_eq!(
        (&state["status"], &state["baseline_metrics"]["test_count"]),
        (&json!("running"), &json!(4)),
        "{state:#}"
    );

    let (place, _) = stuck();
    let output = at_terminal(&place, "gate", "2\n");
    assert!(output.status.success(), "{}", screen(&output));
    let state = place.state("one");
    assert_eq!(state["status"], "aborted");
    assert!(state["completion_report_path"].is_string());
}
