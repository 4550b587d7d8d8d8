//! One-time codes: offered for every refused call, taken as a plain prompt too, and never sent to the model.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE};
use crate::{decision, reason};

fn denied_edit(place: &Place) -> Option<Value> {
    place.edit("pre-tool-use", "s1", ONE_TEST, "")
}

fn code(answer: &Value) -> String {
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(told.lines().count() <= 12 && told.starts_with("Steadfast: "), "{told}");
    let code = told.split("/steadfast:allow ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(!reason(answer).contains(&code), "the model reads the code");
    code
}

fn typed(place: &Place, prompt: &str) -> Option<Value> {
    place.fire("user-prompt-submit", "s1", json!({"prompt": prompt}))
}

#[test]
fn a_refused_edit_names_the_file_and_is_allowed_once() {
    for form in ["/steadfast:allow CODE", "steadfast allow CODE", "CODE", " CODE\n"] {
        let place = Place::new();
        let answer = denied_edit(&place).unwrap();
        assert!(answer["systemMessage"].as_str().unwrap().contains(TEST_FILE), "{answer}");
        let said = typed(&place, &form.replace("CODE", &code(&answer))).unwrap();
        assert_eq!(said["decision"], "block", "{form}: {said}");
        assert!(said["reason"].as_str().unwrap().contains("allowed once"), "{form}: {said}");
        let other = place.edit("pre-tool-use", "s1", "add(1, 2) == 3", "True").unwrap_or_default();
        assert_eq!(decision(&other), "deny", "another edit is another call");
        let allowed = denied_edit(&place).unwrap_or_default();
        assert_eq!(decision(&allowed), "", "{form}: {allowed}");
        assert_eq!(decision(&denied_edit(&place).unwrap()), "deny", "once is once");
    }
}

#[test]
fn of_a_call_that_was_refused_again_a_person_is_told_that_the_newest_code_counts() {
    let place = Place::new();
    let first = code(&denied_edit(&place).unwrap());
    let second = code(&denied_edit(&place).unwrap());
    let said = typed(&place, &format!("/steadfast:allow {first}")).unwrap();
    assert!(said["reason"].as_str().unwrap().contains("shown last counts"), "{said}");
    let said = typed(&place, &format!("/steadfast:allow {second}")).unwrap();
    assert!(said["reason"].as_str().unwrap().contains("allowed once"), "{said}");
}

#[test]
fn no_prompt_that_holds_a_code_is_sent_to_the_model() {
    let place = Place::new();
    let code = code(&denied_edit(&place).unwrap());
    let small = code.to_lowercase();
    for prompt in [
        format!("please allow {code}"),
        format!("! steadfast allow {code}"),
        format!("/allow {code}."),
        small,
    ] {
        if !prompt.bytes().any(|byte| byte.is_ascii_digit()) && prompt.len() == code.len() {
            continue;
        }
        let said = typed(&place, &prompt).unwrap_or_default();
        assert_eq!(said["decision"], "block", "{prompt}: {said}");
    }
    assert_eq!(typed(&place, "Write the FUNCTION now, please"), None, "other words are no code");
}

#[test]
fn a_gate_names_decision_and_command_first_in_at_most_twelve_lines() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    let answer = place.lose_by_script("s1").unwrap();
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(told.lines().count() <= 12, "{told}");
    let first = told.lines().next().unwrap();
    assert!(first.contains("decision") && first.contains("/steadfast:gate reject "), "{first}");
    let code = first.rsplit(' ').next().unwrap().to_owned();
    let kept = typed(&place, &format!("let us reject it: {code}")).unwrap_or_default();
    assert_eq!(kept["decision"], "block", "{kept}");

    let held = denied_edit(&place).unwrap();
    assert!(reason(&held).lines().next().unwrap().contains("`steadfast gate`"), "{held}");
    let told = held["systemMessage"].as_str().unwrap();
    assert!(told.contains(TEST_FILE) && told.contains("/steadfast:gate reject"), "{told}");
    let decided = typed(&place, &format!("steadfast gate reject {code}")).unwrap();
    assert!(decided["reason"].as_str().unwrap().contains("Rejected"), "{decided}");
}

#[test]
fn the_end_of_a_turn_says_what_is_open_in_few_lines_and_not_whole_again() {
    let place = Place::new();
    place.lose_by_script("s1").unwrap();
    let said = |answer: Option<Value>| {
        answer.unwrap()["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
    };
    let (first, second) = (said(place.stop("s1")), said(place.stop("s1")));
    for told in [&first, &second] {
        let line = told.lines().next().unwrap();
        assert!(
            line.starts_with("Steadfast: 1 regression is open") && line.contains("`steadfast gate`"),
            "{line}"
        );
        assert!(told.contains("test_zero"), "{told}");
    }
    let own = |told: &str| told.split("\n\n").next().unwrap().lines().count();
    assert!(own(&first) <= 12 && own(&second) < own(&first), "{first}\n---\n{second}");
}
