//! What is looked for, what was found, and a person who says that it was no fault.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Patterns without cases: a loop's contract, the settings or the disk decide them, and their own tests play that.
const ONLY_A_SESSION_SHOWS: &[&str] = &["SF-003", "SF-004", "SF-005", "SF-006", "SF-007", "SF-015"];

#[test]
fn every_pattern_is_listed_and_shown_by_each_of_its_names() {
    let place = Place::new();
    let all = read(&place.done(&["patterns", "list", "--json"]));
    let all = all["patterns"].as_array().unwrap();
    assert!(all.len() >= 25, "{}", all.len());
    let list = place.done(&["patterns"]);
    for pattern in all {
        let id = pattern["pattern_id"].as_str().unwrap();
        assert!(list.contains(id), "{id} is not in {list}");
        let shown = read(&place.done(&["patterns", "show", &id.to_lowercase(), "--json"]));
        assert_eq!(shown["pattern_id"], *id);
        for part in ["what", "why", "instead"] {
            assert!(!shown[part].as_str().unwrap().is_empty(), "{id} {part}");
        }
        let count = |part: &str| shown[part].as_array().map_or(0, Vec::len);
        let enough = count("catches") >= 3 && count("spares") >= 3;
        assert!(enough || ONLY_A_SESSION_SHOWS.contains(&id), "{id}");
        let name = pattern["pattern_name"].as_str().unwrap();
        assert_eq!(read(&place.done(&["patterns", "show", name, "--json"]))["pattern_name"], *name);
    }
    let aliases = all.iter().flat_map(|pattern| pattern["aliases"].as_array().unwrap());
    for alias in aliases.filter_map(Value::as_str) {
        assert!(place.steadfast(&["patterns", "show", alias]).status.success(), "{alias}");
    }
    // Each numbering that the documents and their rules use leads to a pattern.
    for (alias, id) in [
        ("LP-T001", "LP-001"),
        ("lp-t002", "LP-003"),
        ("LP-T005", "LP-014"),
        ("LP-F002", "LP-F001"),
        ("LP-F004", "LP-016"),
        ("LP-C002", "LP-C001"),
        ("LP-A001", "LP-019"),
        ("LP-TODO", "LP-019"),
        ("LP-A002", "LP-F001"),
        ("LP-A003", "LP-A003"),
        ("LP-A004", "LP-A004"),
        ("LP-P001", "LP-022"),
        ("LP-P002", "LP-P002"),
        ("LP-D001", "LP-D001"),
        ("LP-D002", "LP-D001"),
        ("Test Deletion", "LP-001"),
    ] {
        let shown = read(&place.done(&["patterns", "show", alias, "--json"]));
        assert_eq!(shown["pattern_id"], id, "{alias}");
    }
    let text = place.done(&["patterns", "show", "LP-001"]);
    for part in ["What: ", "Why: ", "Instead: ", "Catches 1 of ", "Spares 1 of ", "diff --git a/", "\n-"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let unknown = place.steadfast(&["patterns", "show", "LP-999"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no pattern is called \"LP-999\""));
}

#[test]
fn a_false_alarm_is_marked_closed_counted_and_silent_from_then_on() {
    let place = Place::new();
    assert_eq!(place.done(&["patterns", "hits"]), "Nothing was found in this project yet.\n");
    let told = place.lose_by_script(SESSION).expect("the loss is seen").to_string();
    assert!(told.contains("LP-001"), "{told}");
    assert_eq!(place.steadfast(&["check"]).status.code(), Some(1));
    let id = place.only_loop();
    let hits = read(&place.done(&["patterns", "hits", "--json"]));
    let hits = hits["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 1, "{hits:#?}");
    assert_eq!((&hits[0]["pattern_id"], &hits[0]["lost"]), (&json!("LP-001"), &json!(["test_zero"])));
    let event = hits[0]["event_id"].as_str().unwrap();
    assert!(place.done(&["patterns", "hits"]).starts_with(event.split('-').next().unwrap()));

    let mark = ["patterns", "false-positive", &event[..8], "--reason", "zero is covered elsewhere"];
    let mut agent = place.command_of_steadfast();
    let refused = agent.args(mark).env("CLAUDECODE", "1").stdin(Stdio::null()).output().unwrap();
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("only a person"));
    assert_eq!(place.state(&id)["detected_patterns"][0]["false_positive"], false);
    for wrong in [
        &["patterns", "false-positive", "ffffffff", "--reason", "x"][..],
        &["patterns", "false-positive", event, "--reason", " "],
    ] {
        assert_eq!(place.steadfast(wrong).status.code(), Some(1), "{wrong:?}");
    }

    let said = place.done(&mark);
    assert!(said.contains("1 hit marked, 1 regression closed; 100 %"), "{said}");
    let state = place.state(&id);
    assert_eq!(state["detected_patterns"][0]["false_positive"], true);
    assert_eq!(state["persistence_metrics"]["false_positive_rate"], 1.0);
    assert_eq!(state["persistence_metrics"]["false_positive_count"], 1);
    assert_eq!(state["regression_events"][0]["human_decision"], "approve");
    assert!(place.done(&["patterns", "hits"]).contains("[false alarm]"));
    let log = place.log(&id);
    assert!(log.iter().any(|line| line["outcomes"][0]["reason"] == "zero is covered elsewhere"), "{log:#?}");

    assert_eq!(place.steadfast(&["check"]).status.code(), Some(0), "the same finding is silent in a check");
    place.write(TEST_FILE, TESTS);
    let other = "22222222-2222-4333-8444-555555555555";
    assert!(!place.guards(other), "and in another session");
    let another =
        TESTS.replace(ONE_TEST, "").replace("\ndef test_negative():\n    assert add(-1, -2) == -3\n", "");
    fs::write(place.path(TEST_FILE), another).unwrap();
    let check = place.steadfast(&["check"]);
    assert_eq!(check.status.code(), Some(1), "another loss in the same file is not");
    assert!(String::from_utf8_lossy(&check.stdout).contains("test_negative"));
}

#[test]
fn a_call_that_is_tried_over_and_over_is_one_hit_that_counts() {
    let place = Place::new();
    for _ in 0..3 {
        assert!(place.guards(SESSION));
    }
    let id = place.only_loop();
    let state = place.state(&id);
    let hits = state["detected_patterns"].as_array().unwrap();
    assert_eq!(hits.len(), 1, "{hits:#?}");
    assert_eq!(hits[0]["times"], 3);
    assert!(hits[0]["last_seen"].as_str() > hits[0]["timestamp"].as_str(), "{hits:#?}");
    assert_eq!(state["risky_actions_total"], 3, "each call is a risky one");
    place.done(&["patterns", "false-positive", hits[0]["event_id"].as_str().unwrap(), "--reason", "x"]);
    let metrics = &place.state(&id)["persistence_metrics"];
    assert_eq!((&metrics["false_positive_count"], &metrics["true_positive_count"]), (&json!(3), &json!(0)));
}

#[test]
fn a_regression_is_called_a_false_alarm_by_its_own_id() {
    let place = Place::new();
    place.lose_by_script(SESSION);
    let state = place.state(&place.only_loop());
    let event = state["regression_events"][0]["event_id"].as_str().unwrap();
    let said = place.done(&["patterns", "false-positive", event, "--reason", "wrong", "--json"]);
    let said = read(&said);
    assert_eq!((&said["hits"], &said["regressions_closed"]), (&json!(1), &json!(1)));
}
