//! Patterns that only the figures of a loop show, through its iterations.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

/// A loop whose check prints a table of coverage: of lines, and of branches.
fn place(lines: &str, branches: &str) -> Place {
    place_with(lines, branches, &[])
}

/// The same in a project that had more files when the loop began.
fn place_with(lines: &str, branches: &str, files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    for (path, text) in files {
        place.write(path, text);
    }
    place.write("check.sh", "cat cov.txt why 2>/dev/null; test -f done\n");
    coverage(&place, lines, branches);
    place.write("why", "0\n");
    place.commit("Check");
    place.start_bounded("one", "30");
    place.start(SESSION);
    place
}

fn coverage(place: &Place, lines: &str, branches: &str) {
    let table = format!("All files | {lines} | {branches} | 100 | {lines} |\n");
    place.write("cov.txt", table);
}

/// The patterns of the regressions, and whether they are open.
fn regressions(place: &Place) -> Vec<(String, bool)> {
    let state = place.state("one");
    let events = state["regression_events"].as_array().cloned().unwrap_or_default();
    let is_open = |event: &Value| event["recovery_outcome"].is_null() && event["human_decision"].is_null();
    let pattern = |event: &Value| event["details"]["pattern_id"].as_str().unwrap_or_default().to_owned();
    events.iter().map(|event| (pattern(event), is_open(event))).collect()
}

#[test]
fn falls_of_coverage_are_found_by_their_size_and_kind() {
    let cases = [
        (("92", "80"), ("70", "80"), &["LP-009"][..]),
        (("92", "80"), ("85", "60"), &["LP-010"]),
        (("85", "80"), ("80", "80"), &["LP-010"]),
        (("92", "80"), ("90", "69"), &["LP-011"]),
        (("92", "80"), ("91.8", "75"), &[]),
        (("92", "80"), ("95", "85"), &[]),
    ];
    for (before, after, expected) in cases {
        let place = place(before.0, before.1);
        place.stop(SESSION);
        assert_eq!(regressions(&place), []);
        coverage(&place, after.0, after.1);
        place.stop(SESSION);
        let found = regressions(&place);
        let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, expected, "{before:?} -> {after:?}: {found:?}");
        if expected == ["LP-011"] {
            coverage(&place, "92", "79.9");
            place.stop(SESSION);
            assert_eq!(regressions(&place), [("LP-011".to_owned(), false)], "the branches are back");
        }
    }
}

#[test]
fn a_pass_that_weaker_tests_and_less_coverage_bought_is_no_pass() {
    let place = place("92", "80");
    place.stop(SESSION);
    // A loss that is advice: one of the assertions goes with other words of the test.
    let weaker = TESTS.replace("add(0, 0) == 0", "add(0, 0) != 7");
    assert_ne!(weaker, TESTS);
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_1",
        "tool_response": {"stdout": "", "stderr": ""},
    });
    place.fire("pre-tool-use", SESSION, fields.clone());
    place.write(TEST_FILE, &weaker);
    place.fire("post-tool-use", SESSION, fields);
    coverage(&place, "91", "80");
    place.write("done", "");
    place.stop(SESSION);
    let state = place.state("one");
    let hits: Vec<&str> = state["detected_patterns"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|hit| hit["pattern_id"].as_str())
        .collect();
    assert!(hits.contains(&"LP-022"), "{hits:?} {:?}", regressions(&place));
    assert_ne!(state["status"], "completed");
    assert!(ONE_TEST.contains("zero"));
}

#[test]
fn a_loop_that_gains_nothing_in_ten_iterations_asks_a_person() {
    let place = place("92", "80");
    for number in 0..14 {
        place.write("why", format!("Error: failure of kind {}\n", ["a", "b", "c", "d", "e"][number % 5]));
        place.write("calc.py", format!("def add(a, b):\n    return a - b - {number}\n"));
        place.stop(SESSION);
        let state = place.state("one");
        let stuck =
            state["detected_patterns"].as_array().unwrap().iter().any(|hit| hit["pattern_id"] == "LP-020");
        assert_eq!(stuck, number >= 10, "{number}: {}", state["human_gates"]);
        if stuck {
            assert_eq!(state["human_gates"].as_array().unwrap().len(), 1, "{}", state["human_gates"]);
            break;
        }
    }
}

/// A call of a tool with both its events, done in between unless it is denied. What the agent is told.
fn call(place: &Place, tool: &str, input: &Value, printed: &str, work: impl FnOnce()) -> (bool, String) {
    let fields = json!({
        "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_9",
        "tool_response": {"stdout": printed, "stderr": ""},
    });
    let before = place.fire("pre-tool-use", SESSION, fields.clone()).unwrap_or_default();
    if before["hookSpecificOutput"]["permissionDecision"] == "deny" {
        return (false, before.to_string());
    }
    work();
    (true, format!("{before}{}", place.fire("post-tool-use", SESSION, fields).unwrap_or_default()))
}

#[test]
fn recorded_answers_weigh_more_after_a_run_that_failed_and_nothing_once_the_code_changed() {
    const DATA: &str = "tests/fixtures/sums.json";
    let cases = "[{\"name\": \"small\", \"input\": [1, 2], \"expected\": 3}, {\"name\": \"large\", \"input\": [70, 8], \"expected\": 78}]\n";
    let bent = cases.replace("78}", "62}");
    let place = place("92", "80");
    place.write(DATA, cases);
    place.commit("Data");
    let write = |text: &str| {
        let input = json!({"file_path": place.path(DATA), "content": text});
        call(&place, "Write", &input, "", || place.write(DATA, text))
    };
    let (done, told) = write("[]\n");
    assert!(!done && told.contains("LP-024"), "emptied: {told}");
    let (done, told) = write(&bent);
    assert!(done && told.contains("LP-024"), "advice: {told}");
    place.write(DATA, cases);
    let run = json!({"command": "npx jest"});
    call(&place, "Bash", &run, "Tests:       1 failed, 2 passed, 3 total\nTime: 1 s\n", || {});
    let (done, told) = write(&bent);
    assert!(!done && told.contains("right after tests failed"), "made to fit: {told}");
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    let (done, told) = write(&bent);
    assert!(done && !told.contains("LP-024"), "the code changed first: {told}");
}

#[test]
fn what_a_test_expects_is_not_fitted_to_what_the_last_run_got() {
    const TESTS: &str = "tests/test_sums.py";
    const FAILED: &str = "============================= test session starts ==============================
collected 2 items

tests/test_sums.py F.                                                    [100%]

=================================== FAILURES ===================================
___________________________________ test_add ___________________________________

    def test_add():
>       assert add(1, 2) == 3
E       assert -1 == 3
E        +  where -1 = add(1, 2)

tests/test_sums.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_sums.py::test_add - assert -1 == 3
========================= 1 failed, 1 passed in 0.02s ==========================
";
    let tests = "from calc import add, sub\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_sub():\n    assert sub(3, 1) == 2\n";
    let (fitted, other) = (tests.replace("== 3", "== -1"), tests.replace("== 2", "== 4"));
    let place = place_with("92", "80", &[(TESTS, tests)]);
    let write = |text: &str| {
        let input = json!({"file_path": place.path(TESTS), "content": text});
        call(&place, "Write", &input, "", || place.write(TESTS, text))
    };
    let (done, told) = write(&fitted);
    assert!(!done && told.contains("`add` of `calc.py` is as it was"), "no run is known: {told}");
    call(&place, "Bash", &json!({"command": "pytest"}), FAILED, || {});
    let (done, told) = write(&other);
    assert!(done && !told.contains("last run"), "a test that passed: {told}");
    place.write(TESTS, tests);
    let (done, told) = write(&fitted);
    assert!(!done && told.contains("it failed in the last run"), "made to fit: {told}");
    place.write("calc.py", "def add(a, b):\n    return -a * b\n");
    let (done, told) = write(&fitted);
    assert!(done && !told.contains("last run"), "the code changed since: {told}");
}

#[test]
fn an_agent_that_gives_up_while_the_verification_fails_is_recorded_and_goes_on() {
    let rows = [
        ("", "I can't fix this; giving up.", false, Some("medium")),
        ("", "I am not giving up: the next step is clear.", false, None),
        ("", "I'm out of ideas, and it passes.", true, None),
        ("{LP-A004: off}", "I can't fix this; giving up.", false, None),
        ("{LP-A004: low}", "I can't fix this; giving up.", false, Some("low")),
    ];
    for (severities, words, passes, expected) in rows {
        let place = place("92", "80");
        if !severities.is_empty() {
            place.write("aiwg.yml", format!("agent_persistence:\n  pattern_severity: {severities}\n"));
        }
        if passes {
            place.write("done", "");
        }
        let answer =
            place.fire("stop", SESSION, json!({"last_assistant_message": words, "stop_hook_active": false}));
        let state = place.state("one");
        let hits = state["detected_patterns"].as_array().cloned().unwrap_or_default();
        let hit = hits.iter().find(|hit| hit["pattern_id"] == "LP-A004");
        assert_eq!(hit.and_then(|hit| hit["severity"].as_str()), expected, "{severities} {words}: {hits:?}");
        if !passes {
            assert!(
                answer.unwrap()["hookSpecificOutput"]["additionalContext"].is_string(),
                "it goes on: {words}"
            );
            assert_eq!((&state["status"], &state["iteration"]), (&json!("running"), &json!(2)));
        }
    }
}

#[test]
fn a_severity_is_told_of_no_pattern_and_counts_for_one_of_a_loops_figures() {
    let of = |severities: &str| {
        let place = place("92", "80");
        place.write("aiwg.yml", format!("agent_persistence:\n  pattern_severity: {severities}\n"));
        place.stop(SESSION);
        coverage(&place, "70", "80");
        place.stop(SESSION);
        regressions(&place).into_iter().map(|(id, _)| id).collect::<Vec<_>>()
    };
    assert_eq!(of("{LP-009: off}"), [""; 0]);
    assert_eq!(of("{LP-003: off}"), ["LP-009"]);
    let place = Place::new();
    place.write("aiwg.yml", "agent_persistence:\n  pattern_severity:\n    LP-001: high\n    lp-999: low\n");
    let told = place.start(SESSION).unwrap()["systemMessage"].as_str().unwrap().to_owned();
    assert!(told.contains("aiwg.yml line 4, column 5: pattern_severity.LP-999 names no pattern"), "{told}");
    let output = place.steadfast(&["config", "check"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && printed.contains("pattern_severity.LP-999 names no pattern"),
        "{printed}"
    );
    place.write(
        "aiwg.yml",
        "agent_persistence:\n  pattern_severity: {LP-001: high, lp-t003: low, LP-A004: off}\n",
    );
    assert!(place.done(&["config", "check"]).contains("is fine"));
}
