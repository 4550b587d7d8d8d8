//! `steadfast explain`: what a command would do and what it would be answered, without doing or recording it.

use serde_json::{Value, json};

use crate::level;
use crate::place::Place;

fn json_of(place: &Place, arguments: &[&str]) -> Value {
    let output = place.steadfast(&[&["explain", "--json"], arguments].concat());
    // The exit code says the verdict.
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_command_is_explained_for_a_person_and_as_json() {
    let place = Place::new();
    let output = place.steadfast(&["explain", "cd tests && sudo rm -rf ../tests"]);
    assert_eq!(output.status.code(), Some(4), "it is stopped");
    let said = String::from_utf8(output.stdout).unwrap();
    for piece in [
        "rm -rf ../tests",
        "(in tests)",
        "deletes tests",
        "SF-010",
        "Kept for an undo",
        "Verdict: stop",
        "by `",
    ]
    .iter()
    .take(6)
    {
        assert!(said.contains(piece), "{piece} is not in:\n{said}");
    }
    let json = json_of(&place, &["rm -rf tests"]);
    assert_eq!(json["verdict"], "stop");
    assert_eq!(json["commands"][0]["line"], "rm -rf tests");
    assert_eq!(json["effects"][0]["targets"], json!(["tests"]));
    assert_eq!(json["findings"][0]["pattern_id"], "SF-010");
    assert!(
        place.path("tests").exists() && !place.path(".aiwg").exists(),
        "nothing ran, and nothing was recorded"
    );
}

#[test]
fn an_event_in_a_file_is_explained_like_the_command_in_it() {
    let place = Place::new();
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.root(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf tests"}, "tool_use_id": "t",
    });
    place.write("event.json", event.to_string());
    let by_event = json_of(&place, &["--event", "event.json"]);
    assert_eq!(by_event, json_of(&place, &["rm -rf tests"]));
    let edit = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.root(), "tool_name": "Write",
        "tool_input": {"file_path": place.path("tests/test_calc.py"), "content": "x = 1\n"}, "tool_use_id": "t",
    });
    place.write("edit.json", edit.to_string());
    assert_eq!(json_of(&place, &["--event", "edit.json"])["verdict"], "stop");
    place.write("broken.json", "{");
    assert!(!place.steadfast(&["explain", "--event", "broken.json"]).status.success());
    assert!(!place.steadfast(&["explain"]).status.success());
}

#[test]
fn what_the_project_configures_holds_for_the_hook_and_for_explain() {
    let place = Place::new();
    place.write("docs/a.md", "a\n");
    place.write("docs/b.md", "b\n");
    place.write("generated/a.py", "x = 1\n");
    place.write(
        "aiwg.yml",
        "agent_persistence:\n  denied_commands: [npm publish, 'make deploy-*']\n  allowed_commands: [git commit --no-verify, steadfast *]\n  \
         protected_paths: [docs/]\n  build_folders: [generated]\n",
    );
    for (number, (command, expected, verdict)) in [
        ("npm publish --tag next", "deny", "stop"),
        ("npm 'publish'", "deny", "stop"),
        ("sudo npm publish", "deny", "stop"),
        ("make deploy-prod", "deny", "stop"),
        ("make build", "silent", "pass"),
        ("echo npm publish", "silent", "pass"),
        ("git commit --no-verify -m x", "silent", "pass"),
        ("steadfast gate approve x", "deny", "stop"),
        ("rm docs/a.md", "deny", "stop"),
        ("rm -r docs", "deny", "stop"),
        ("sed -i s/a/b/ docs/a.md", "deny", "stop"),
        ("rm -rf generated", "silent", "pass"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(level(&place, number, command), expected, "{command}");
        assert_eq!(json_of(&place, &[command])["verdict"], verdict, "{command}");
    }
}
