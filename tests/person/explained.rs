//! `steadfast explain`: by id, by logged event and from stdin, with an exit code for each verdict.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::place::Place;
use crate::{as_person, json_in, run_in, said};

#[test]
fn each_verdict_has_its_exit_code() {
    let place = Place::new();
    let root = place.root();
    for (command, code) in [("git status", 0), ("npm test || true", 3), ("rm -rf tests", 4)] {
        assert_eq!(run_in(&place, &root, &["explain", command]).0, Some(code), "{command}");
    }
    let (code, said) = run_in(&place, &root, &["explain", "--event", "nowhere.json"]);
    assert!(code == Some(1) && said.contains("cannot read nowhere.json"), "{said}");
    let (code, said) = run_in(&place, &root, &["explain"]);
    assert!(code == Some(1) && said.contains("nothing to explain"), "{said}");
}

#[test]
fn a_command_or_an_event_may_stand_on_stdin() {
    let place = Place::new();
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.root(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf tests"}, "tool_use_id": "t",
    });
    for (arguments, text) in [
        (&["explain"][..], "rm -rf tests\n".to_owned()),
        (&["explain", "-"], "rm -rf tests".to_owned()),
        (&["explain", "-"], event.to_string()),
        (&["explain", "--event", "-"], event.to_string()),
    ] {
        let mut command = as_person(&place, &place.root());
        let mut child = command.args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{arguments:?} {text}: {}", said(&output));
        assert!(said(&output).contains("SF-010"), "{arguments:?} {text}: {}", said(&output));
    }
}

#[test]
fn a_pattern_is_explained_by_its_id_and_an_unknown_one_is_an_error() {
    let place = Place::new();
    let root = place.root();
    for id in ["LP-001", "sf-010", "LP-P002"] {
        let (code, said) = run_in(&place, &root, &["explain", id]);
        assert!(code == Some(0) && said.contains("Instead: "), "{id}: {said}");
        assert!(!said.contains("What runs"), "{id}: {said}");
    }
    assert_eq!(json_in(&place, &root, &["explain", "LP-001"]).1["pattern_id"], "LP-001");
    let (code, said) = run_in(&place, &root, &["explain", "LP-999"]);
    assert!(code == Some(1) && said.contains("no pattern is called"), "{said}");
}

#[test]
fn why_a_call_was_stopped_is_told_from_the_log() {
    let place = Place::new();
    let root = place.root();
    let (code, said) = run_in(&place, &root, &["explain", "--last"]);
    assert!(code == Some(1) && said.contains("was stopped yet"), "{said}");
    place.fire(
        "pre-tool-use",
        "s1",
        json!({"tool_name": "Bash", "tool_use_id": "toolu_01A",
        "tool_input": {"command": "rm -rf tests"}}),
    );
    place.fire(
        "pre-tool-use",
        "s1",
        json!({"tool_name": "Bash", "tool_use_id": "toolu_02B",
        "tool_input": {"command": "ls > list.txt"}}),
    );
    for arguments in [&["explain", "--last"][..], &["explain", "toolu_01A"]] {
        let (code, said) = run_in(&place, &root, arguments);
        assert_eq!(code, Some(4), "{said}");
        for piece in ["rm -rf tests", "denied", "SF-010", "Why: ", "Instead: ", "toolu_01A"] {
            assert!(said.contains(piece), "{arguments:?}: {piece} is not in\n{said}");
        }
    }
    let (code, json) = json_in(&place, &root, &["explain", "--last"]);
    assert_eq!((code, &json["verdict"], &json["answer"]), (Some(4), &json!("stop"), &json!("deny")));
    let seq = json["seq"].to_string();
    assert_eq!(json_in(&place, &root, &["explain", "--log", &seq]).1, json);
    let (code, said) = run_in(&place, &root, &["explain", "toolu_09Z"]);
    assert!(code == Some(1) && said.contains("no call toolu_09Z"), "{said}");
}

#[test]
fn explain_says_that_nothing_is_guarded_where_it_is_not() {
    let place = Place::new();
    let root = place.root();
    assert!(run_in(&place, &root, &["explain", "rm -rf tests"]).1.contains("Not guarded: "));
    place.done(&["install"]);
    assert!(!run_in(&place, &root, &["explain", "rm -rf tests"]).1.contains("Not guarded"));
    place.write("aiwg.yml", "agent_persistence:\n  enabled: false\n");
    let (code, said) = run_in(&place, &root, &["explain", "rm -rf tests"]);
    assert!(code == Some(0) && said.contains("switched off by aiwg.yml"), "{said}");
}
