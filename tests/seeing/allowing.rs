//! From a refusal to a rule, in one step.

use serde_json::Value;

use crate::place::{ONE_TEST, Place, TEST_FILE};
use crate::snapshot::assert_same;
use crate::terminal::{at_terminal, screen};
use crate::{code, denies, runs};

#[test]
fn a_command_is_allowed_from_now_on_in_the_same_session_too() {
    let place = Place::new();
    place.write("aiwg.yml", "# ours\nagent_persistence:\n  # how\n  detection: {mode: standard}\n");
    place.commit("Configuration");
    let command = "git push --force origin main";
    let refused = runs(&place, "s1", command);
    assert!(denies(&refused), "{refused}");
    let allowed = at_terminal(&place, &format!("allow {} --always", code(&refused)), "");
    assert_same(&place, "allow-always", &screen(&allowed));
    assert!(allowed.status.success());
    let written = std::fs::read_to_string(place.path("aiwg.yml")).unwrap();
    assert_eq!(
        written,
        format!(
            "# ours\nagent_persistence:\n  allowed_commands:\n    - \"{command}\"\n  # how\n  detection: {{mode: standard}}\n"
        )
    );
    for session in ["s1", "s2"] {
        let answer = runs(&place, session, command);
        assert!(!denies(&answer) && !answer.to_string().contains("aiwg.yml"), "{session}: {answer}");
    }
    assert!(
        denies(&runs(&place, "s1", "git push --force origin other")),
        "another command is judged as before"
    );
}

#[test]
fn a_command_that_loses_tests_is_allowed_for_their_file() {
    let place = Place::new();
    let refused = runs(&place, "s1", &format!("rm {TEST_FILE} && git push --force origin main"));
    let allowed = screen(&at_terminal(&place, &format!("allow {} --always", code(&refused)), ""));
    assert_same(&place, "allow-always-both", &allowed);
    assert!(!denies(&runs(&place, "s1", &format!("rm {TEST_FILE} && git push --force origin main"))));
    assert!(!denies(&runs(&place, "s1", &format!("git rm {TEST_FILE}"))));
    assert!(denies(&runs(&place, "s1", "git push --force origin other")));
}

#[test]
fn an_edit_is_allowed_in_its_file_from_now_on() {
    let place = Place::new();
    let refused = place.delete_test("s1").unwrap();
    let allowed = at_terminal(&place, &format!("allow {} --always", code(&refused)), "");
    assert_same(&place, "allow-always-edit", &screen(&allowed));
    assert!(!place.guards("s1") && !place.guards("s2"));
    place.write(
        "tests/test_more.py",
        "def test_more():\n    assert 1 + 1 == 2\n\n\ndef test_most():\n    assert 2 + 2 == 4\n",
    );
    place.commit("More");
    let other = place.path("tests/test_more.py");
    let input = serde_json::json!({"file_path": other, "old_string": "def test_more():\n    assert 1 + 1 == 2\n", "new_string": ""});
    let answer = place.fire(
        "pre-tool-use",
        "s1",
        serde_json::json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "t"}),
    );
    assert!(denies(&answer.unwrap_or_default()), "another file is judged as before");
}

#[test]
fn a_false_alarm_is_noted_and_counted() {
    let place = Place::new();
    let refused = place.delete_test("s1").unwrap();
    let noted = at_terminal(&place, &format!("allow {} --false-alarm 'it moved'", code(&refused)), "");
    assert_same(&place, "allow-false-alarm", &screen(&noted));
    assert!(!place.guards("s1"));
    let state = place.state(&place.only_loop());
    assert_eq!(state["detected_patterns"][0]["false_positive"], true, "{state:#}");
    assert_eq!(place.json(".aiwg/ralph/false-positives.json")["entries"][0]["reason"], "it moved");
}

#[test]
fn only_a_person_with_the_right_code_makes_a_rule() {
    let place = Place::new();
    let refused = runs(&place, "s1", "git push --force origin main");
    let code = code(&refused);
    let piped = place.steadfast(&["allow", &code, "--always"]);
    assert_eq!(piped.status.code(), Some(1));
    let wrong = at_terminal(&place, "allow AAAAAAAA --always", "");
    assert!(screen(&wrong).contains("this code is not one"), "{}", screen(&wrong));
    let wide = at_terminal(&place, &format!("allow {code} '--always=npm publish'"), "");
    assert!(screen(&wide).contains("would still be refused, so nothing was written"), "{}", screen(&wide));
    assert!(!place.path("aiwg.yml").exists());
    let named = at_terminal(&place, &format!("allow {code} '--always=git push --force'"), "");
    assert!(screen(&named).contains("Allowed from now on: git push --force"), "{}", screen(&named));
    let bare = at_terminal(&place, "allow --always", "");
    assert_eq!(bare.status.code(), Some(2));
}

#[test]
fn older_records_are_still_allowed_once() {
    let place = Place::new();
    let refused = place.delete_test("s1").unwrap();
    let code = code(&refused);
    let mut all: Value = place.json(".aiwg/ralph/allowances.json");
    all[0].as_object_mut().unwrap().remove("findings");
    place.unseal("none");
    place.write(".aiwg/ralph/allowances.json", all.to_string());
    let rule = at_terminal(&place, &format!("allow {code} --always"), "");
    assert!(screen(&rule).contains("refused once more it can be allowed"), "{}", screen(&rule));
    assert!(screen(&at_terminal(&place, &format!("allow {code}"), "")).contains("Allowed once"));
    assert!(place.edit("pre-tool-use", "s1", ONE_TEST, "").is_none_or(|answer| !denies(&answer)));
}
