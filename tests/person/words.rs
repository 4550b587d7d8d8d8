//! What is said to people and agents: the past tense after the fact, notes once and only where they help, and a loop's
//! texts that stay short.

use serde_json::{Value, json};

use crate::place::{Place, TEST_FILE, TESTS};

/// What the model reads beside a silent answer, or as the reason of one.
fn told(answer: &Option<Value>) -> String {
    let answer = answer.clone().unwrap_or_default();
    let output = &answer["hookSpecificOutput"];
    let texts = [&output["additionalContext"], &output["permissionDecisionReason"], &answer["reason"]];
    texts.iter().filter_map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
}

fn write(place: &Place, session: &str, path: &str, content: &str) -> String {
    let input = json!({"file_path": place.path(path), "content": content});
    let call = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "toolu_w"});
    told(&place.fire("pre-tool-use", session, call))
}

#[test]
fn the_note_on_test_files_is_said_once_a_session_and_not_of_new_files_or_fixtures() {
    let place = Place::new();
    place.write("tests/fixtures/cart.json", "{\"items\": 1}\n");
    place.write("tests/test_other.py", TESTS);
    place.commit("More");
    let changed = TESTS.replace("add(1, 2) == 3", "add(2, 1) == 3");
    assert_eq!(write(&place, "s1", "tests/test_new.py", TESTS), "", "a new file");
    assert_eq!(write(&place, "s1", "tests/fixtures/cart.json", "{\"items\": 2}\n"), "", "a fixture");
    let moved = json!({"tool_name": "Bash", "tool_use_id": "toolu_m",
        "tool_input": {"command": "git mv tests/test_other.py tests/test_moved.py"}});
    assert_eq!(told(&place.fire("pre-tool-use", "s1", moved)), "", "a rename");
    let note = write(&place, "s1", TEST_FILE, &changed);
    assert!(note.contains("is a test file") && note.lines().count() == 1 && note.len() < 250, "{note}");
    assert_eq!(write(&place, "s1", "tests/test_other.py", &changed), "", "said already");
    assert!(write(&place, "s2", TEST_FILE, &changed).contains("is a test file"), "another session");

    place.start_loop("one");
    place.start("s3");
    assert!(write(&place, "s3", TEST_FILE, &changed).contains("is a test file"));
    place.stop("s3");
    assert_eq!(write(&place, "s3", TEST_FILE, &changed), "", "not again in the next iteration");
}

#[test]
fn notes_off_silences_advice_and_nothing_else() {
    let place = Place::new();
    place.write("aiwg.yml", "agent_persistence:\n  notes: off\n");
    let changed = TESTS.replace("add(1, 2) == 3", "add(2, 1) == 3");
    assert_eq!(write(&place, "s1", TEST_FILE, &changed), "");
    let hides =
        json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "npm test || true"}});
    assert_eq!(place.fire("pre-tool-use", "s1", hides.clone()), None);
    assert!(place.guards("s1"), "what stops a call is said all the same");
    place.write("aiwg.yml", "agent_persistence:\n  notes: on\n");
    assert!(told(&place.fire("pre-tool-use", "s2", hides)).contains("SF-019"));
}

#[test]
fn what_has_happened_is_not_said_to_be_about_to() {
    let place = Place::new();
    place.write("tidy.py", "print('tidy')\n");
    place.start("s1");
    assert!(
        place
            .delete_test("s0")
            .is_some_and(|answer| answer.to_string().contains("1 of 3 tests would be gone"))
    );
    let answer = place.lose_by_script("s1").unwrap();
    let said = answer.to_string();
    assert!(said.contains("1 of 3 tests is gone"), "{said}");
    assert!(!said.contains("would be"), "{said}");
}

/// A loop whose check prints 400 tests that pass, and fails until there is a file `done`.
fn start_long_loop(place: &Place) {
    place.write(
        "check.sh",
        "i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo \"ok $i - adds $i\"; done\n\
         if test -f done; then echo '1..400'; echo '# pass 400'; else echo 'not ok 401 - adds all'; exit 1; fi\n",
    );
    place.commit("Check");
    place.start_loop("one");
}

#[test]
fn a_loop_goes_on_with_a_short_text_and_ends_with_the_runners_own_sum() {
    let place = Place::new();
    start_long_loop(&place);
    let start = place.start("s1").unwrap();
    assert!(start["systemMessage"].as_str().unwrap().contains("goes on in this session"), "{start}");
    for iteration in 1..=2 {
        place.write("calc.py", format!("def add(a, b):\n    return a - b + {iteration}\n"));
        let reason = told(&place.stop("s1"));
        assert!(reason.len() <= 1_500, "iteration {iteration}: {} bytes\n{reason}", reason.len());
        assert!(
            reason.contains("Iteration") && reason.contains("not ok 401") && !reason.contains("ok 17 - adds"),
            "{reason}"
        );
        for word in ["ralph-verifier", "debugger", "software-implementer", "block_and_escalate"] {
            assert!(!reason.contains(word), "{word}: {reason}");
        }
    }
    place.write("done", "");
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    let answer = place.stop("s1").unwrap();
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(told.contains("COMPLETE") && told.contains("# pass 400"), "{told}");
    assert!(!told.contains("ok 17 - adds") && told.lines().count() < 30, "{told}");
}

#[test]
fn a_session_hears_at_its_start_that_detection_is_off() {
    let place = Place::new();
    place.write("aiwg.yml", "agent_persistence:\n  detection: {mode: off}\n");
    let answer = place.start("s1").unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("switches its detection off"), "{answer}");
    place.write("aiwg.yml", "agent_persistence:\n  enabled: false\n");
    let answer = place.start("s2").unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("nothing is guarded"), "{answer}");
}
