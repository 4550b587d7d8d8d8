//! What a rejection takes back, what it leaves, and what the attempt after it inherits: nothing.

use serde_json::{Value, json};

use crate::decisions::with_open_gate;
use crate::place::{Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};
use crate::write_by_call;

fn text(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path(path)).unwrap()
}

fn open_gates(place: &Place, id: &str) -> usize {
    let state = place.state(id);
    let gates = state["human_gates"].as_array().cloned().unwrap_or_default();
    gates.iter().filter(|gate| gate["decision"].is_null()).count()
}

fn losses(place: &Place) -> usize {
    place.state("one")["regression_events"].as_array().map_or(0, Vec::len)
}

/// A person is slower than a tick of the file system's clock.
fn a_moment() {
    std::thread::sleep(std::time::Duration::from_millis(50));
}

#[test]
fn what_a_person_wrote_stays_and_is_named() {
    for before_the_loss in [false, true] {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        write_by_call(&place, "s1", "left.py", "x = 1\n");
        let write = || {
            a_moment();
            place.write("notes.md", "mine\n");
            place.write("calc.py", "def add(a, b):\n    return b + a  # mine\n");
            a_moment();
        };
        if before_the_loss {
            write();
        }
        place.lose_by_script("s1");
        if !before_the_loss {
            write();
        }
        let diff = place.done(&["gate", "diff"]);
        assert!(diff.contains("left.py") && !diff.contains("notes.md"), "{diff}");
        let shown = screen(&at_terminal(&place, "gate reject", ""));
        assert!(shown.contains("notes.md") && shown.contains("calc.py"), "{shown}");
        assert_eq!(text(&place, "notes.md"), "mine\n");
        assert!(text(&place, "calc.py").contains("# mine"));
        assert_eq!(text(&place, TEST_FILE), TESTS);
        assert!(!place.path("left.py").exists(), "{shown}");
    }
}

#[test]
fn a_file_that_a_person_removed_stays_away_and_is_named() {
    let place = Place::new();
    place.write("old.md", "old\n");
    place.commit("Old");
    place.start_loop("one");
    place.start("s1");
    write_by_call(&place, "s1", "left.py", "x = 1\n");
    place.lose_by_script("s1");
    a_moment();
    std::fs::remove_file(place.path("old.md")).unwrap();
    a_moment();
    let shown = screen(&at_terminal(&place, "gate reject", ""));
    assert!(shown.contains("old.md"), "{shown}");
    assert!(!place.path("old.md").exists(), "{shown}");
    assert!(!place.path("left.py").exists() && text(&place, TEST_FILE) == TESTS, "{shown}");
}

#[test]
fn a_file_that_somebody_changed_after_the_agent_asks_for_force() {
    let (place, _) = with_open_gate(2);
    a_moment();
    place.write("calc.py", "def add(a, b):\n    return b + a  # mine\n");
    place.write("notes.md", "mine\n");
    let shown = screen(&at_terminal(&place, "gate reject", ""));
    for part in ["calc.py", "notes.md", "--force", "nothing was taken back"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(open_gates(&place, "one"), 1);
    assert!(place.path("left.py").exists() && text(&place, "calc.py").contains("# mine"));
    let shown = screen(&at_terminal(&place, "gate reject --force", ""));
    assert!(shown.contains("Rejected"), "{shown}");
    assert!(text(&place, "calc.py").ends_with("# 1\n"));
    assert!(shown.contains("though others have changed it") && !place.path("notes.md").exists(), "{shown}");
    // All that was replaced can come back.
    place.done(&["undo", "--last", "--force"]);
    assert!(text(&place, "calc.py").contains("# mine") && text(&place, "notes.md") == "mine\n");
}

#[test]
fn another_loops_work_stays_whether_forced_or_not() {
    for command in ["gate reject", "gate reject --force"] {
        let place = Place::new();
        for (id, session) in [("one", "s1"), ("two", "s2")] {
            place.start_loop(id);
            place.start(session);
        }
        write_by_call(&place, "s2", "of_two.py", "y = 2\n");
        write_by_call(&place, "s2", "calc.py", "def add(a, b):\n    return a + b  # two\n");
        write_by_call(&place, "s1", "of_one.py", "x = 1\n");
        place.lose_by_script("s1");
        let shown = screen(&at_terminal(&place, command, ""));
        assert!(shown.contains("Rejected"), "{shown}");
        assert_eq!((text(&place, TEST_FILE), open_gates(&place, "one")), (TESTS.to_owned(), 0));
        assert!(!place.path("of_one.py").exists(), "{shown}");
        assert!(place.path("of_two.py").exists() && text(&place, "calc.py").contains("# two"), "{shown}");
        place.stop("s2");
        assert_eq!(open_gates(&place, "two"), 0);
    }
}

#[test]
fn an_attempt_after_a_rejection_stands_for_itself() {
    let (place, _) = with_open_gate(2);
    at_terminal(&place, "gate reject", "");
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    write_by_call(&place, "s1", "calc.py", "def add(a, b):\n    return a + b\n");
    place.stop("s1");
    let state = place.state("one");
    let redone = state["iteration_history"].as_array().unwrap().last().unwrap().clone();
    let found = (&redone["iteration"], &redone["attempt"], &redone["regression_detected"]);
    assert_eq!(found, (&json!(2), &json!(2), &json!(false)), "{state:#}");
    assert_eq!(
        (&redone["recovery_attempted"], &state["regression_detected"]),
        (&json!(false), &json!(false))
    );
    let kept = state["iteration_history"].as_array().unwrap().iter().filter(|it| it["reverted_to"].is_null());
    let highest = kept.filter_map(|it| it["quality_score"].as_f64()).fold(0.0, f64::max);
    assert_eq!(state["best_iteration"]["quality_score"].as_f64(), Some(highest));
    let lines = place.done(&["status", "one", "--quality"]);
    assert_eq!(lines.matches("Iteration 2:").count(), 1, "{lines}");
    assert_eq!(lines.matches("BEST").count(), 1, "{lines}");
    let json: Value = serde_json::from_str(&place.done(&["best", "one", "--json"])).unwrap();
    assert_eq!(json["total_iterations"], 2, "{json}");
}

#[test]
fn what_was_put_back_is_no_loss_and_what_is_lost_again_is_one() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.stop("s1");
    let more = "from calc import add\n\n\ndef test_more():\n    assert add(4, 4) == 8\n";
    write_by_call(&place, "s1", "test_more.py", more);
    place.lose_by_script("s1");
    at_terminal(&place, "gate reject", "");
    assert!(!place.path("test_more.py").exists());
    assert_eq!((losses(&place), open_gates(&place, "one")), (1, 0));
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    place.stop("s1");
    assert_eq!((losses(&place), open_gates(&place, "one")), (1, 0), "what was put back is no loss");
    place.lose_by_script("s1");
    assert_eq!((losses(&place), open_gates(&place, "one")), (2, 1), "the same loss is found again");
}

#[test]
fn a_state_that_is_committed_is_nobodys_work() {
    let place = Place::new();
    place.start_loop("one");
    place.git(&["add", "--all", "--force", ".aiwg"]);
    place.commit("with the state");
    place.start("s1");
    write_by_call(&place, "s1", "calc.py", "def add(a, b):\n    return a * b\n");
    place.stop("s1");
    place.lose_by_script("s1");
    let state = place.state("one");
    assert!(!state["iteration_history"].to_string().contains("/state.json"), "{state:#}");
    assert_eq!(losses(&place), 1);
    place.done(&["loop", "abort", "one", "--revert"]);
    assert_eq!(place.state("one")["status"], "aborted");
    assert_eq!(text(&place, TEST_FILE), TESTS);
}

#[test]
fn tests_that_another_loop_has_lost_are_missed_and_are_no_loss_of_this_one() {
    for answer in ["reject", "approve"] {
        let place = Place::new();
        let counting =
            "n=$(grep -c '^def test_' tests/test_calc.py)\necho \"== $n passed in 0.1s ==\"\ntest -f done\n";
        place.write("check.sh", counting);
        place.commit("Count");
        for (id, session) in [("one", "s1"), ("two", "s2")] {
            place.start_loop(id);
            place.start(session);
        }
        place.lose_by_script("s1").expect("the loss is seen");
        write_by_call(&place, "s2", "done", "yes\n");
        let mut told = String::new();
        for turn in 0..2 {
            write_by_call(&place, "s2", "more.py", &format!("x = {turn}\n"));
            told += &place.stop("s2").unwrap_or_default().to_string();
        }
        assert!(told.contains("loop one has lost") && told.contains("test_zero"), "{told}");
        let two = place.state("two");
        assert_eq!((open_gates(&place, "two"), &two["status"]), (0, &json!("running")), "{told}");
        assert!(two["regression_events"].as_array().is_none_or(Vec::is_empty), "{two:#}");
        let shown = screen(&at_terminal(&place, &format!("gate {answer}"), ""));
        assert!(place.path("done").exists() && place.path("more.py").exists(), "{shown}");
        place.fire("user-prompt-submit", "s2", json!({"prompt": "go on"}));
        place.stop("s2");
        assert_eq!(place.state("two")["status"], "completed", "{answer}: {shown}");
    }
}

#[test]
fn after_a_rejection_all_hear_of_the_same_iteration_and_nothing_is_called_open() {
    let (place, _) = with_open_gate(2);
    at_terminal(&place, "gate reject --reason 'keep the test'", "");
    let shown = place.done(&["status", "one"]);
    assert!(shown.contains("Iteration: 2 of") && shown.contains("0 open regressions"), "{shown}");
    assert!(!shown.contains("(s)") && !shown.contains("regression open"), "{shown}");
    place.fire("session-end", "s1", json!({"reason": "clear"}));
    let begun = place.fire("session-start", "s2", json!({"source": "clear"})).unwrap();
    let agent = begun["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    let person = begun["systemMessage"].as_str().unwrap();
    for told in [agent, person] {
        assert!(told.contains("iteration 2 of"), "{told}");
    }
    assert!(place.done(&["status", "one"]).contains("Iteration: 2 of"));
}

#[test]
fn the_reason_of_a_decision_is_read_later() {
    let (place, _) = with_open_gate(1);
    assert!(place.done(&["gate", "history"]).contains("Nothing in this loop."));
    at_terminal(&place, "gate reject --reason 'keep the test'", "");
    for arguments in [&["gate", "history"][..], &["gate", "history", "one"]] {
        let shown = place.done(arguments);
        assert!(shown.contains("reject by ada") && shown.contains("keep the test"), "{shown}");
    }
    assert!(!place.steadfast(&["gate", "history", "another"]).status.success());
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    place.write("done", "");
    place.stop("s1");
    let state = place.state("one");
    assert_eq!(state["status"], "completed", "{state:#}");
    let report = text(&place, state["completion_report_path"].as_str().unwrap());
    let report = text(&place, ".aiwg/ralph/loops/one/analytics/report.md") + &report;
    assert!(report.contains("## Decisions of persons") && report.contains(": keep the test"), "{report}");
}
