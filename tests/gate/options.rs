//! What a gate offers besides its three decisions: history, other ways, a whitelist, another person.

use serde_json::{Value, json};

use crate::decisions::with_open_gate;
use crate::place::{Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};

fn gate(place: &Place) -> Value {
    place.state("one")["human_gates"][0].clone()
}

/// Whether an edit that deletes this text of the tests is denied.
fn guards(place: &Place, session: &str, text: &str) -> bool {
    let answer = place.edit("pre-tool-use", session, text, "").unwrap_or_default();
    answer["hookSpecificOutput"]["permissionDecision"] == "deny"
}

const NEGATIVE: &str = "\ndef test_negative():\n    assert add(-1, -2) == -3\n";

#[test]
fn a_whitelist_silences_its_pattern_in_its_file_until_it_ends() {
    let (place, _) = with_open_gate(1);
    let refused = place.steadfast(&["gate", "whitelist", "x", "--reason", "r"]);
    assert!(!refused.status.success(), "no person sits there");
    let event = place.state("one")["regression_events"][0]["event_id"].as_str().unwrap().to_owned();
    let output = at_terminal(&place, &format!("gate whitelist {event} --reason generated"), "");
    assert!(output.status.success(), "{}", screen(&output));
    assert!(screen(&output).contains("LP-001 is silent in that file for 90 days"), "{}", screen(&output));
    let (gate, file) = (gate(&place), place.json(".aiwg/ralph/false-positives.json"));
    assert_eq!((&gate["decision"], &gate["subject"]), (&json!("approve"), &json!("false_positive")));
    let entry = &file["entries"][0];
    assert_eq!((&entry["scope"], &entry["reason"]), (&json!("file"), &json!("generated")));
    // Another test of the file may go too, one of another file may not.
    assert!(!guards(&place, "s1", NEGATIVE));
    let other = "tests/test_other.py";
    place.write(other, TESTS.replace("test_", "test_other_"));
    let input = json!({"file_path": place.path(other), "old_string": "def test_other_zero", "new_string": "def zero"});
    let call = json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": "t7"});
    let answer = place.fire("pre-tool-use", "s1", call).unwrap_or_default();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    std::fs::remove_file(place.path(other)).unwrap();
    // It ends by itself.
    let text = std::fs::read_to_string(place.path(".aiwg/ralph/false-positives.json")).unwrap();
    let mut ended: Value = serde_json::from_str(&text).unwrap();
    ended["entries"][0]["expires_at"] = json!("2020-01-01T00:00:00Z");
    place.write(".aiwg/ralph/false-positives.json", ended.to_string());
    place.unseal("one");
    assert!(guards(&place, "s1", NEGATIVE));
}

#[test]
fn the_picker_shows_history_and_other_ways_and_takes_a_whitelist_with_a_reason() {
    let (place, _) = with_open_gate(1);
    let output = at_terminal(&place, "gate", "h\no\nw\nw the cases are generated\n");
    let shown = screen(&output);
    for part in [
        "What led to it",
        "test_zero",
        "What was decided before",
        "A reason is needed",
        "Noted as a false alarm",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_eq!(gate(&place)["decision"], "approve", "{shown}");
    assert_eq!(
        place.json(".aiwg/ralph/false-positives.json")["entries"][0]["reason"],
        "the cases are generated"
    );
}

#[test]
fn what_is_legitimate_is_silent_alone_and_a_violation_is_taken_back() {
    let (place, _) = with_open_gate(1);
    let output = at_terminal(&place, "gate", "legitimate it was a duplicate\n");
    assert!(output.status.success(), "{}", screen(&output));
    assert!(guards(&place, "s1", NEGATIVE), "the other test is guarded as before");

    let (place, _) = with_open_gate(1);
    let output = at_terminal(&place, "gate", "retry\nviolation\n");
    assert!(screen(&output).contains("\"retry\" is no answer here"), "{}", screen(&output));
    assert_eq!(gate(&place)["decision"], "reject");
    assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
    // A rejection offers other ways.
    let next = place.start("s2").unwrap_or_default().to_string();
    let notice = place.state("one")["pending_notice"].to_string() + &next;
    assert!(notice.contains("another way") && notice.contains("\\n- "), "{notice}");
}

#[test]
fn a_gate_is_left_to_another_person_and_stays_open() {
    let (place, _) = with_open_gate(1);
    place.write(
        "aiwg.yml",
        "agent_persistence:\n  notify:\n    command: 'echo \"$STEADFAST_DELEGATED_TO $STEADFAST_TITLE\" > ../told'\n",
    );
    assert!(!place.steadfast(&["gate", "delegate", "grace"]).status.success(), "no person sits there");
    let output = at_terminal(&place, "gate delegate grace --reason 'she wrote it'", "");
    assert!(screen(&output).contains("Left to grace; the gate stays open."), "{}", screen(&output));
    let told = place.root().parent().unwrap().join("told");
    let begun = std::time::Instant::now();
    while !std::fs::read_to_string(&told).is_ok_and(|text| text.ends_with('\n')) {
        assert!(begun.elapsed().as_secs() < 20, "grace was never told");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(std::fs::read_to_string(&told).unwrap().starts_with("grace 🛑 REGRESSION DETECTED"));
    assert!(gate(&place)["decision"].is_null());
    assert_eq!(gate(&place)["delegated"]["to"], "grace");
    let last = place.log("one").pop().unwrap();
    assert_eq!(last["outcomes"][0]["delegated_to"], "grace", "{last}");
    assert!(place.done(&["gate", "list"]).contains("Left to grace."));
    assert!(guards(&place, "s1", NEGATIVE), "nothing is written meanwhile");
}
