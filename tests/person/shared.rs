//! Shared settings name what each colleague has: a script that finds their own executable, and says once where there is
//! none.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::Place;
use crate::{install_executable, json_in, run_in};

const SCRIPT: &str = ".claude/hooks/steadfast-hook";

/// What the shared script answers to an event.
fn answer(place: &Place, argument: &str, event: &Value) -> String {
    let mut command = place.command(place.path(SCRIPT).to_str().unwrap());
    let mut child = command.arg(argument).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).ok();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn shared_settings_name_no_path_of_this_machine_and_guard_where_the_executable_is() {
    let place = Place::new();
    let root = place.root();
    let (code, said) = run_in(&place, &root, &["install", "--scope", "project"]);
    assert_eq!(code, Some(1), "colleagues would not find it: {said}");
    assert!(said.contains("~/.local/bin or on PATH"), "{said}");
    assert!(!place.path(".claude").exists(), "nothing was changed");

    let hook = install_executable(&place);
    place.done(&["install", "--scope", "project"]);
    let settings = fs::read_to_string(place.path(".claude/settings.json")).unwrap();
    assert!(settings.contains("${CLAUDE_PROJECT_DIR}/.claude/hooks/steadfast-hook"), "{settings}");
    assert!(!settings.contains(root.to_str().unwrap()), "{settings}");
    assert_eq!(json_in(&place, &root, &["doctor"]).1["guarded"], json!(true));

    let start =
        json!({"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": root});
    let edit = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": root, "tool_name": "Write", "tool_use_id": "t",
        "tool_input": {"file_path": place.path("tests/test_calc.py"), "content": ""},
    });
    let compact = |value: &Value| value.to_string();
    assert!(compact(&start).contains("\"source\":\"startup\""));
    assert!(answer(&place, "pre-tool-use", &edit).contains("deny"));
    fs::remove_file(&hook).unwrap();
    assert_eq!(answer(&place, "pre-tool-use", &edit), "", "a missing executable blocks nothing");
    assert!(answer(&place, "session-start", &start).contains("enabled but not guarding"));
}

#[test]
fn the_shared_script_steps_aside_for_a_persons_own_hooks_and_goes_with_the_settings() {
    let place = Place::new();
    let root = place.root();
    install_executable(&place);
    place.done(&["install", "--scope", "project"]);
    let edit = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": root, "tool_name": "Write", "tool_use_id": "t",
        "tool_input": {"file_path": place.path("tests/test_calc.py"), "content": ""},
    });
    place.done(&["install"]);
    assert_eq!(answer(&place, "pre-tool-use", &edit), "", "the local settings call it already");
    assert_eq!(json_in(&place, &root, &["doctor"]).0, Some(0));
    place.done(&["uninstall"]);
    assert!(answer(&place, "pre-tool-use", &edit).contains("deny"));
    place.done(&["uninstall", "--scope", "project"]);
    assert!(!place.path(".claude").exists(), "what was made is gone");
}

#[test]
fn the_guards_own_script_is_not_an_agents_to_change() {
    let place = Place::new();
    install_executable(&place);
    place.done(&["install", "--scope", "project"]);
    for (tool, input) in [
        ("Write", json!({"file_path": place.path(SCRIPT), "content": "#!/bin/sh\nexit 0\n"})),
        ("Bash", json!({"command": format!("rm {SCRIPT}")})),
        ("Bash", json!({"command": format!("echo exit > {SCRIPT}")})),
    ] {
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t"});
        let answer = place.fire("pre-tool-use", "s", call).unwrap_or_default();
        let decision = &answer["hookSpecificOutput"]["permissionDecision"];
        assert_eq!(decision, "deny", "{tool} {input}: {answer}");
    }
}
