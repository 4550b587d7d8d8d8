//! What is said of a loop fits what became of it: its attempts, its losses, its progress, its end.

use std::fs;

use serde_json::{Value, json};

use crate::place::{Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};

fn looping() -> Place {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place
}

/// A turn that changes the source, and ends with this output.
fn turn(place: &Place, n: usize, output: &str) {
    place.write_by_call("calc.py", &format!("def add(a, b):\n    return a - b + {n}\n"));
    place.write("why", output);
    place.stop("s1");
}

fn open_gates(place: &Place) -> usize {
    let gates = place.state("one")["human_gates"].as_array().cloned().unwrap_or_default();
    gates.iter().filter(|gate| gate["decision"].is_null()).count()
}

/// A loop whose second iteration was rejected for a lost test, and is under way again.
fn rejected_once() -> Place {
    let place = looping();
    turn(&place, 1, "TypeError: x\n");
    place.lose_by_script("s1");
    at_terminal(&place, "gate reject --reason no", "");
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    place
}

#[test]
fn a_rejected_attempt_has_no_verification_and_the_next_one_no_file_of_it() {
    let place = rejected_once();
    place.write_by_call("calc.py", "def add(a, b):\n    return a + b\n");
    place.write("done", "");
    place.stop("s1");
    let state = place.state("one");
    assert_eq!(state["status"], "completed");
    let artifacts = state["iteration_history"].as_array().unwrap().last().unwrap()["artifacts"].to_string();
    assert!(!artifacts.contains(TEST_FILE), "{artifacts}");
    let report = fs::read_to_string(place.directory("one").join("analytics/report.md")).unwrap();
    for part in [
        "| Iterations | 2, and 1 attempt that a person took back |",
        "### Iteration 2: taken back by a person",
        "### Iteration 2: passed (",
        "test_deletion (critical): rejected by a person",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert_eq!(report.matches("`sh check.sh` passed").count(), 1, "{report}");
}

#[test]
fn a_loss_that_a_person_accepted_at_last_is_not_called_reverted() {
    let place = rejected_once();
    place.lose_by_script("s1");
    at_terminal(&place, "gate approve --reason yes", "");
    let said = place.done(&["status", "one", "--regressions"]);
    assert_eq!(said.matches("Reverted").count(), 1, "{said}");
    assert!(said.contains("human approved") && said.contains("human rejected"), "{said}");
}

/// An output with so many errors.
type Printer = fn(usize) -> String;

/// What tools print of so many errors.
const PRINTED: &[(&str, Printer)] = &[
    ("a compiler", |count| {
        let line = |n| {
            format!("src/a.ts({n}1,1): error TS2322: Type 'string' is not assignable to type 'number'.\n")
        };
        (0..count).map(line).collect()
    }),
    ("a linter", |count| {
        let lines: String =
            (0..count).map(|n| format!("  {n}:1  error  'v{n}' is not defined  no-undef\n")).collect();
        format!("/x/src/a.js\n{lines}\n✖ {count} problems ({count} errors, 0 warnings)\n")
    }),
    ("a count alone", |count| format!("{count} errors found\n")),
];

#[test]
fn fewer_errors_are_no_standstill_and_as_many_are_one() {
    for (what, printed) in PRINTED {
        for (counts, gates) in [([9, 8, 7, 6], 0), ([9, 9, 9, 9], 1)] {
            let place = looping();
            for (n, count) in counts.into_iter().enumerate() {
                turn(&place, n, &printed(count));
            }
            assert_eq!(open_gates(&place), gates, "{what}, {counts:?}");
        }
    }
}

#[test]
fn with_its_loop_a_question_ends() {
    let place = looping();
    place.lose_by_script("s1");
    assert_eq!(open_gates(&place), 1);
    place.done(&["loop", "abort", "one"]);
    let state = place.state("one");
    assert_eq!((&state["status"], open_gates(&place)), (&json!("aborted"), 0));
    assert_eq!(state["regression_events"][0]["human_decision"], "abort");
    let told = screen(&at_terminal(&place, "gate reject --reason late", ""));
    assert!(told.contains("nothing waits"), "{told}");
    assert_ne!(fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS, "the changes stay");
}

#[test]
fn the_name_that_status_shows_of_a_session_is_taken() {
    let place = Place::new();
    place.start("abcd1234-5678");
    let input = json!({"file_path": place.path("new.py"), "content": "x = 1\n"});
    let fields = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "toolu_w"});
    place.fire("pre-tool-use", "abcd1234-5678", fields);
    let id = place.only_loop();
    let all = place.done(&["loop", "abort", "--all"]);
    assert!(all.contains("No loop is left to end") && all.contains(&id), "{all}");
    assert!(place.done(&["status", "abcd1234"]).contains("abcd1234"));
    place.done(&["loop", "abort", "abcd1234"]);
    assert_eq!(place.state(&id)["status"], "aborted");
}

#[test]
fn the_log_has_an_iteration_once_each_higher_level_once_and_what_changed_between_turns() {
    let place = looping();
    for n in 1..=6 {
        turn(
            &place,
            n,
            &format!("{}Error: it is wrong\n", ["Type", "Range", "Key", "Name", "Eval", "URI"][n - 1]),
        );
        place.fire("session-start", "s1", json!({"source": "compact"}));
    }
    place.write("check2.py", "import os\n");
    place.write("calc.py", "def add(a, b):\n    return 7\n");
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    let log = place.log("one");
    let of =
        |hook: &str| -> Vec<Value> { log.iter().filter(|line| line["hook_name"] == hook).cloned().collect() };
    let begun: Vec<u64> = of("pre_iteration").iter().filter_map(|line| line["iteration"].as_u64()).collect();
    let mut once = begun.clone();
    once.dedup();
    assert_eq!(begun, once);
    let raised = of("reinforcement_escalation");
    assert!(!raised.is_empty(), "the threshold of the third iteration fires the hook");
    for line in &raised {
        let entry =
            line["outcomes"].as_array().unwrap().iter().find(|it| it["action"] == "log_escalation").unwrap();
        assert_ne!(entry["from"], entry["to"], "{line}");
    }
    let noted = json!(of("UserPromptSubmit")).to_string();
    assert!(noted.contains("changed_since_the_last_turn") && noted.contains("calc.py"), "{noted}");
}

#[test]
fn several_files_that_go_by_name_are_worth_a_word() {
    let place = Place::new();
    for n in 0..5 {
        place.write(&format!("pages/page{n}.py"), format!("def show():\n    return {n}\n"));
    }
    place.commit("Pages");
    place.start("s1");
    for (count, is_told) in [(2, false), (3, true)] {
        let names: Vec<String> = (0..count).map(|n| format!("pages/page{n}.py")).collect();
        let command = format!("rm {}", names.join(" "));
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("t{count}")});
        let answer = place.fire("pre-tool-use", "s1", fields).unwrap_or_default().to_string();
        assert_eq!(answer.contains("this deletes 3 files that git tracks"), is_told, "{count}: {answer}");
        assert!(!answer.contains("permissionDecision\":\"deny"), "{answer}");
    }
}
