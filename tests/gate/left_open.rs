//! What a session without a loop leaves open, and what a person lets run by its code: neither is forgotten.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};

fn heard(answers: &[Option<Value>]) -> String {
    answers.iter().flatten().map(Value::to_string).collect()
}

fn denied(answer: Option<&Value>) -> bool {
    answer.is_some_and(|answer| answer["hookSpecificOutput"]["permissionDecision"] == "deny")
}

/// A session that has lost a test, was told so at so many ends of its turns, and ends; the next one begins.
fn next_session(turns: usize, reason: &str) -> (Place, Option<Value>) {
    let place = Place::new();
    place.start("s1");
    place.lose_by_script("s1").expect("the loss is seen");
    (0..turns).for_each(|_| _ = place.stop("s1"));
    place.fire("session-end", "s1", json!({"reason": reason}));
    let source = if reason == "clear" { "clear" } else { "startup" };
    let begun = place.fire("session-start", "s2", json!({"source": source}));
    (place, begun)
}

#[test]
fn the_next_session_goes_on_with_an_open_loss_and_a_person_decides_it() {
    for (turns, reason) in [(0, "other"), (1, "clear"), (3, "clear"), (4, "logout")] {
        let (place, begun) = next_session(turns, reason);
        let told = heard(&[begun]);
        assert!(told.contains("test_zero"), "{turns} {reason}: {told}");
        assert!(place.done(&["gate", "list"]).contains("test_zero"), "{turns} {reason}");
        assert!(!place.done(&["status", "--all"]).contains("completed"), "{turns} {reason}");
        screen(&at_terminal(&place, "gate reject", ""));
        assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS, "{turns} {reason}");
        assert!(!denied(place.edit("pre-tool-use", "s2", "def test_adds", "\n\ndef test_adds").as_ref()));
        let third = [place.stop("s2"), place.start("s3")];
        assert!(!heard(&third).contains("test_zero"), "{turns} {reason}: {third:?}");
    }
}

#[test]
fn what_is_back_before_the_next_session_asks_nobody() {
    let place = Place::new();
    place.start("s1");
    place.lose_by_script("s1").expect("the loss is seen");
    place.fire("session-end", "s1", json!({"reason": "other"}));
    place.write(TEST_FILE, TESTS);
    let begun = place.start("s2");
    assert!(!heard(&[begun]).contains("waits"), "it is back");
    assert!(!denied(place.edit("pre-tool-use", "s2", "def test_adds", "\n\ndef test_adds").as_ref()));
}

#[test]
fn a_session_that_was_there_before_is_accused_of_nothing() {
    let place = Place::new();
    ["s1", "s2"].iter().for_each(|session| _ = place.start(session));
    place.lose_by_script("s1").expect("the loss is seen");
    place.fire("session-end", "s1", json!({"reason": "other"}));
    let calls = [place.edit("pre-tool-use", "s2", "def test_adds", "\n\ndef test_adds"), place.stop("s2")];
    assert!(!heard(&calls).contains("test_zero"), "{calls:?}");
}

/// A call that loses the test, by its tool and input.
fn losing(place: &Place) -> Vec<(&'static str, Value)> {
    let path = place.path(TEST_FILE);
    vec![
        ("Edit", json!({"file_path": path, "old_string": ONE_TEST, "new_string": ""})),
        ("Write", json!({"file_path": path, "content": TESTS.replace(ONE_TEST, "")})),
        ("Bash", json!({"command": format!("rm {TEST_FILE}")})),
        ("Bash", json!({"command": "rm -r tests"})),
        ("Bash", json!({"command": format!("sed -i '/def test_zero/,+1d' {TEST_FILE}")})),
        ("Bash", json!({"command": format!("git rm -q {TEST_FILE}")})),
        ("Bash", json!({"command": format!("echo > {TEST_FILE}")})),
        ("Bash", json!({"command": format!("python3 - <<'X'\nimport os\nos.remove('{TEST_FILE}')\nX")})),
    ]
}

fn carry_out(place: &Place, tool: &str, input: &Value) {
    match tool {
        "Bash" => {
            let command = input["command"].as_str().unwrap();
            assert!(
                place.command("bash").args(["-c", command]).output().unwrap().status.success(),
                "{command}"
            );
        }
        _ => place.write(TEST_FILE, TESTS.replace(ONE_TEST, "")),
    }
}

#[test]
fn a_call_that_a_person_let_run_by_its_code_is_approved_afterwards() {
    let count = losing(&Place::new()).len();
    for at in 0..count * 2 {
        let (row, in_loop, typed) = (at % count, at < count, at % 2 == 0);
        let place = Place::new();
        if in_loop {
            place.start_loop("one");
        }
        place.start("s1");
        let (tool, input) = losing(&place).swap_remove(row);
        let fields = |id: &str| json!({"tool_name": tool, "tool_input": input, "tool_use_id": id, "tool_response": {}});
        let refused = place.fire("pre-tool-use", "s1", fields("toolu_1"));
        let told = heard(&[refused]);
        let Some((_, code)) = told.split_once("steadfast allow ") else {
            panic!("no code is shown for {tool} {input}: {told}");
        };
        let code: String = code.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        if typed {
            place.fire("user-prompt-submit", "s1", json!({"prompt": format!("steadfast allow {code}")}));
        } else {
            screen(&at_terminal(&place, &format!("allow {code}"), ""));
        }
        let allowed = place.fire("pre-tool-use", "s1", fields("toolu_2"));
        assert!(!denied(allowed.as_ref()), "{tool} {input}: {allowed:?}");
        carry_out(&place, tool, &input);
        let after = [place.fire("post-tool-use", "s1", fields("toolu_2")), place.stop("s1")];
        assert!(
            !heard(&after).contains("regression") && !heard(&after).contains("is gone"),
            "{tool} {input}: {after:?}"
        );
        assert!(place.done(&["gate", "list"]).contains("Nothing waits"), "{tool} {input}");
        if in_loop {
            place.write("done", "");
            place.stop("s1");
            assert_eq!(place.state("one")["status"], "completed", "{tool} {input}");
        }
    }
}
