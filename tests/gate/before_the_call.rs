//! What was there before the agent's own work on a file: it stays when that work is taken back, and so does what a person
//! approved; what can't be told apart is named and asks for force.

use serde_json::json;

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};
use crate::write_by_call;

const THEIRS: &str = "def add(a, b):\n    return b + a\n";
const OTHER_TESTS: &str = "from calc import add\n\ndef test_small():\n    assert add(5, 1) == 6\n\ndef test_big():\n    assert add(100, 1) == 101\n";
const ANOTHER: &str = "\ndef test_big():\n    assert add(100, 1) == 101\n";

fn text(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path(path)).unwrap_or_default()
}

fn open_gates(place: &Place) -> usize {
    let state = place.state("one");
    let gates = state["human_gates"].as_array().cloned().unwrap_or_default();
    gates.iter().filter(|gate| gate["decided_at"].is_null()).count()
}

fn looping() -> Place {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place
}

fn reject(place: &Place) -> String {
    screen(&at_terminal(place, "gate reject", ""))
}

fn prompt(place: &Place) {
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
}

/// A script of the agent's that leaves these files; an empty text removes one.
fn script(place: &Place, id: &str, files: &[(&str, &str)]) {
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 work.py"}, "tool_use_id": id, "tool_response": {},
    });
    place.fire("pre-tool-use", "s1", fields.clone());
    for (path, text) in files {
        match *text {
            "" => std::fs::remove_file(place.path(path)).unwrap(),
            text => place.write(path, text),
        }
    }
    place.fire("post-tool-use", "s1", fields);
}

#[test]
fn what_somebody_wrote_before_the_agents_own_change_of_a_file_stays() {
    for is_told in [false, true] {
        let place = looping();
        place.stop("s1");
        place.write("calc.py", THEIRS);
        place.write("made/new.py", "ours = 1\n");
        place.write("gone.py", "g = 1\n");
        place.write(TEST_FILE, format!("{TESTS}{ANOTHER}"));
        if is_told {
            prompt(&place);
        }
        write_by_call(&place, "s1", "calc.py", &format!("{THEIRS}\n\nx = 1\n"));
        write_by_call(&place, "s1", "made/new.py", "ours = 1\ntheirs = 2\n");
        script(&place, "toolu_gone", &[("gone.py", "")]);
        let lost = format!("{TESTS}{ANOTHER}").replace(ONE_TEST, "");
        script(&place, "toolu_lose", &[(TEST_FILE, &lost)]);
        assert_eq!(open_gates(&place), 1);
        let shown = reject(&place);
        assert_eq!(open_gates(&place), 0, "{shown}");
        assert_eq!(text(&place, "calc.py"), THEIRS, "{shown}");
        assert_eq!(text(&place, "made/new.py"), "ours = 1\n", "{shown}");
        assert_eq!(text(&place, "gone.py"), "g = 1\n", "{shown}");
        assert_eq!(text(&place, TEST_FILE), format!("{TESTS}{ANOTHER}"), "{shown}");
        assert!(shown.contains("stays in: calc.py"), "{shown}");
    }
}

#[test]
fn what_somebody_wrote_between_two_changes_of_the_agent_asks_for_force() {
    let place = looping();
    write_by_call(&place, "s1", "calc.py", "def add(a, b):\n    return a - b - 1\n");
    place.write("calc.py", THEIRS);
    write_by_call(&place, "s1", "calc.py", &format!("{THEIRS}\n\nx = 1\n"));
    place.lose_by_script("s1");
    let shown = reject(&place);
    assert!(shown.contains("calc.py") && shown.contains("--force"), "{shown}");
    assert!(text(&place, "calc.py").starts_with(THEIRS) && open_gates(&place) == 1, "{shown}");
}

#[test]
fn a_loss_from_before_the_agents_change_is_not_kept_in_silence() {
    let place = looping();
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    prompt(&place);
    let shown = reject(&place);
    assert_eq!(text(&place, TEST_FILE), TESTS, "{shown}");
}

#[test]
fn a_file_that_came_right_after_a_call_is_not_the_calls() {
    let place = looping();
    for number in 0..8 {
        write_by_call(&place, "s1", &format!("new{number}/of_agent.py"), "x = 1\n");
        place.write(&format!("new{number}/of_person.md"), "mine\n");
    }
    place.lose_by_script("s1");
    let shown = reject(&place);
    for number in 0..8 {
        assert!(place.path(&format!("new{number}/of_person.md")).exists(), "{number}: {shown}");
        assert!(!place.path(&format!("new{number}/of_agent.py")).exists(), "{number}: {shown}");
    }
}

#[test]
fn what_a_person_approved_stays_when_another_loss_is_rejected() {
    let place = looping();
    place.stop("s1");
    place.lose_by_script("s1");
    let approved = text(&place, TEST_FILE);
    screen(&at_terminal(&place, "gate approve", ""));
    prompt(&place);
    let less = approved.replace("def test_adds():\n    assert add(1, 2) == 3\n", "");
    script(&place, "toolu_second", &[(TEST_FILE, &less), ("more.py", "x = 1\n")]);
    assert_eq!(open_gates(&place), 1);
    let shown = reject(&place);
    assert_eq!((text(&place, TEST_FILE), open_gates(&place)), (approved, 0), "{shown}");
    assert!(!place.path("more.py").exists(), "{shown}");
    // In another file than the second loss it stays as well.
    let place = looping();
    place.write("tests/test_two.py", OTHER_TESTS);
    place.commit("Two");
    place.stop("s1");
    place.lose_by_script("s1");
    let approved = text(&place, TEST_FILE);
    screen(&at_terminal(&place, "gate approve", ""));
    prompt(&place);
    script(&place, "toolu_two", &[("tests/test_two.py", &OTHER_TESTS.replace(ANOTHER, ""))]);
    let shown = reject(&place);
    assert_eq!(
        (text(&place, TEST_FILE), text(&place, "tests/test_two.py")),
        (approved, OTHER_TESTS.to_owned()),
        "{shown}"
    );
}

#[test]
fn a_loss_that_an_undone_rejection_brings_back_is_asked_about() {
    let place = looping();
    write_by_call(&place, "s1", "more.py", "x = 1\n");
    place.lose_by_script("s1");
    let shown = reject(&place);
    let shown = shown.replace(['\r', '\n'], "");
    let (_, address) = shown.split_once("undo --tool-call ").expect(&shown);
    let address = address.split('`').next().unwrap();
    place.done(&["undo", "--tool-call", address]);
    assert!(!text(&place, TEST_FILE).contains("test_zero") && place.path("more.py").exists());
    place.write("done", "");
    prompt(&place);
    place.stop("s1");
    assert_eq!((place.state("one")["status"].as_str(), open_gates(&place)), (Some("running"), 1));
    screen(&at_terminal(&place, "gate approve", ""));
    prompt(&place);
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed");
}

#[test]
fn a_call_that_is_undone_and_redone_loses_what_it_lost() {
    let place = looping();
    place.lose_by_script("s1");
    place.done(&["undo", "--tool-call", "toolu_script"]);
    assert_eq!((text(&place, TEST_FILE), open_gates(&place)), (TESTS.to_owned(), 0));
    place.done(&["undo", "--last"]);
    assert!(!text(&place, TEST_FILE).contains("test_zero"));
    prompt(&place);
    // A person has brought the loss back and knows of it.
    assert_eq!(open_gates(&place), 0);
    assert!(!text(&place, TEST_FILE).contains("test_zero"));
}
