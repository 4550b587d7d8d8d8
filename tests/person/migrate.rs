//! `steadfast migrate`: loops of the ralph-loop plugin and of AIWG, taken over or left with a reason.

use std::fs;

use serde_json::{Value, json};

use crate::place::{CRITERIA, Place};
use crate::{json_in, run_in};

const PLUGIN: &str = ".claude/ralph-loop.local.md";

fn plugin_file(place: &Place) -> Vec<u8> {
    let text = "---\nactive: true\niteration: 4\nsession_id: 1b2c\nmax_iterations: 20\n\
                completion_promise: \"ALL GREEN\"\nstarted_at: \"2026-01-15T10:30:00Z\"\n---\n\nMake add add.\n";
    place.write(PLUGIN, text);
    text.as_bytes().to_vec()
}

fn migrated(place: &Place, arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, said) = json_in(place, &place.root(), &[&["migrate"], arguments].concat());
    let schema: Value = serde_json::from_str(&place.done(&["schema", "migration"])).unwrap();
    let fits = jsonschema::validator_for(&schema).unwrap().is_valid(&said);
    assert!(fits, "{said:#}");
    (code, said)
}

#[test]
fn a_loop_of_the_plugin_needs_a_command_and_its_file_stays() {
    let place = Place::new();
    let file = plugin_file(&place);
    let (code, said) = migrated(&place, &[]);
    assert_eq!((code, &said["taken"]), (Some(1), &json!([])), "{said:#}");
    let why = said["left"][0]["says"].as_str().unwrap();
    assert!(why.contains("<promise>ALL GREEN</promise>") && why.contains("--until"), "{why}");

    let until = ["--until", CRITERIA];
    let (code, said) = migrated(&place, &[&until[..], &["--dry-run"]].concat());
    assert_eq!((code, said["taken"].as_array().unwrap().len()), (Some(0), 1), "{said:#}");
    assert!(!place.path(".aiwg").exists(), "a dry run writes nothing");

    let (code, said) = migrated(&place, &until);
    assert_eq!(code, Some(0), "{said:#}");
    let id = said["taken"][0]["loop_id"].as_str().unwrap().to_owned();
    let state = place.json(&format!(".aiwg/ralph/loops/{id}/state.json"));
    assert_eq!(state["task"], "Make add add.");
    assert_eq!(state["completion_criteria"], CRITERIA);
    assert_eq!(
        (&state["configuration"]["max_iterations"], &state["status"]),
        (&json!(20), &json!("running"))
    );
    assert_eq!(fs::read(place.path(PLUGIN)).unwrap(), file, "the old file stays");
    let left = said["left"].to_string();
    assert!(
        left.contains("what it has done so far (3 iterations)") && left.contains("cancel-ralph"),
        "{left}"
    );

    let (code, said) = migrated(&place, &until);
    assert_eq!((code, &said["taken"]), (Some(0), &json!([])), "a second run takes nothing: {said:#}");
    assert!(said["left"].to_string().contains(&format!("as loop {id}")), "{said:#}");
}

#[test]
fn loops_of_aiwg_come_with_their_criteria_and_configuration_is_read_as_it_is() {
    let place = Place::new();
    let current = json!({"active": true, "task": "Mend add", "completion": CRITERIA, "maxIterations": 7, "currentIteration": 2,
        "iterations": [{"number": 1, "action": "looked", "result": "red", "learnings": "none"}]});
    place.write(".aiwg/ralph/current-loop.json", current.to_string());
    let other = json!({"loop_id": "ralph-x-00000000", "task": "Mend sub", "status": "paused", "iteration": 3,
        "completion_criteria": CRITERIA, "configuration": {"max_iterations": 9}});
    place.write(".aiwg/ralph/loops/ralph-x-00000000/state.json", other.to_string());
    place.write("aiwg.yml", "agent_persistence:\n  enabled: true\n  detektion: {mode: off}\n");
    place
        .write(".claude/settings.json", json!({"enabledPlugins": {"ralph-loop@official": true}}).to_string());
    let (code, said) = run_in(&place, &place.root(), &["migrate"]);
    assert_eq!(code, Some(0), "{said}");
    for part in [
        "current-loop.json: is now loop",
        "steadfast loop resume ralph-x-00000000",
        "detektion",
        "claude plugin disable ralph-loop@official",
    ] {
        assert!(said.replace("\n  ", " ").contains(part), "{part}: {said}");
    }
    let (_, status) = json_in(&place, &place.root(), &["status"]);
    let tasks: Vec<&str> =
        status["loops"].as_array().unwrap().iter().filter_map(|one| one["task"].as_str()).collect();
    assert!(tasks.contains(&"Mend add") && tasks.contains(&"Mend sub"), "{status:#}");
    let mirror = place.json(".aiwg/ralph/loops/ralph-x-00000000/state.json");
    assert_eq!(mirror, other, "what is another's stays");
}

#[test]
fn where_nothing_is_nothing_is_done_and_an_ended_loop_is_left() {
    let place = Place::new();
    let (code, said) = run_in(&place, &place.root(), &["migrate"]);
    assert!(code == Some(0) && said.starts_with("Nothing of AIWG"), "{said}");
    place.write(PLUGIN, "---\nactive: false\n---\n\nx\n");
    let (code, said) = run_in(&place, &place.root(), &["migrate", "--until", CRITERIA]);
    assert!(code == Some(0) && said.contains("is over"), "{said}");
    place.write(PLUGIN, "no head at all\n");
    let (code, said) = run_in(&place, &place.root(), &["migrate"]);
    assert!(code == Some(1) && said.contains("has no head"), "{said}");
}

#[test]
fn an_agent_takes_over_nothing() {
    let place = Place::new();
    plugin_file(&place);
    let output = crate::as_person(&place, &place.root())
        .env("CLAUDECODE", "1")
        .args(["migrate", "--until", CRITERIA])
        .output()
        .unwrap();
    assert!(crate::said(&output).contains("only a person can take over a loop"));
    assert!(!place.path(".aiwg").exists());
}
