//! What users of such guards have reported about the way between host and guard: each in its smallest form.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use steadfast::hosts::claude_code::registration::{REGISTRATIONS, hooks};

use crate::place::Place;
use crate::{answer, level_of};

/// Sends bytes as they are, with no variable of a host set; exit code and output.
fn raw(place: &Place, argument: &str, bytes: &[u8]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_steadfast-hook"))
        .arg(argument)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .current_dir(place.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).expect("all of it is read");
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_refusal_is_one_object_in_the_hosts_form_with_exit_0() {
    let place = Place::new();
    let said = answer(&place, "Bash", "s", "rm -rf tests").unwrap();
    let specific = &said["hookSpecificOutput"];
    assert_eq!(specific["hookEventName"], "PreToolUse");
    assert_eq!(specific["permissionDecision"], "deny");
    assert!(specific["permissionDecisionReason"].as_str().is_some_and(|reason| !reason.is_empty()));
    assert_eq!(said.get("permissionDecision"), None, "at the top it would be ignored");
}

#[test]
fn tools_without_a_shell_and_without_a_file_get_no_output() {
    let place = Place::new();
    for input in [
        json!({"hook_event_name": "PreToolUse", "tool_name": "mcp__x__y", "tool_input": {}}),
        json!({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "a"}}),
        json!({"hook_event_name": "PreToolUse", "tool_name": "Agent", "tool_input": {"prompt": "rm -rf /"}}),
        json!({"hook_event_name": "PreToolUse"}),
    ] {
        assert_eq!(
            raw(&place, "pre-tool-use", input.to_string().as_bytes()),
            (Some(0), String::new()),
            "{input}"
        );
    }
}

#[test]
fn no_variable_of_the_host_is_needed() {
    let place = Place::new();
    let input = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.root(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf tests"}, "tool_use_id": "t",
    });
    let (code, said) = raw(&place, "pre-tool-use", input.to_string().as_bytes());
    assert_eq!(code, Some(0));
    assert!(said.contains("\"deny\""), "{said}");
}

#[test]
fn bytes_that_are_no_text_do_not_hide_the_command() {
    let place = Place::new();
    let input = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.root(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf tests", "description": "DESCRIPTION"}, "tool_use_id": "t",
    });
    let text = input.to_string();
    let (before, after) = text.split_once("DESCRIPTION").unwrap();
    let bytes = [before.as_bytes(), b"\xff", after.as_bytes()].concat();
    let (code, said) = raw(&place, "pre-tool-use", &bytes);
    assert_eq!(code, Some(0));
    assert!(said.contains("\"deny\""), "{said}");
}

#[test]
fn another_hosts_spelling_of_the_envelope_is_read_too() {
    let place = Place::new();
    let input = json!({
        "hookEventName": "pre_tool_use", "sessionId": "s", "toolName": "run_terminal_command",
        "toolInput": {"command": "rm -rf tests"}, "cwd": place.root(),
    });
    let (code, said) = raw(&place, "pre-tool-use", input.to_string().as_bytes());
    assert_eq!(code, Some(0));
    assert!(said.contains("\"deny\""), "{said}");
}

#[test]
fn large_events_are_read_to_their_end() {
    let place = Place::new();
    let input = json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "cwd": place.root(), "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "tool_response": {"stdout": "x".repeat(8 << 20)}, "tool_use_id": "t",
    });
    assert_eq!(raw(&place, "post-tool-use", input.to_string().as_bytes()), (Some(0), String::new()));
    let command = format!(": '{}' && git reset --hard", "x".repeat(300 << 10));
    assert_eq!(level_of(answer(&place, "Bash", "s", &command)), "deny", "too long to read is not harmless");
}

#[test]
fn a_monitor_runs_a_shell_and_an_edit_that_drops_the_hook_is_refused() {
    let place = Place::new();
    assert_eq!(level_of(answer(&place, "Monitor", "s", "git commit --no-verify -m x")), "deny");
    place
        .write(".claude/settings.json", r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"/opt/steadfast-hook pre-tool-use","timeout":10}]}]}}"#);
    let edit = json!({
        "tool_name": "Edit", "tool_use_id": "t",
        "tool_input": {"file_path": place.path(".claude/settings.json"), "old_string": "/opt/steadfast-hook pre-tool-use", "new_string": "true"},
    });
    let said = place.fire("pre-tool-use", "s", edit).unwrap_or(Value::Null);
    assert_eq!(level_of(Some(said)), "deny");
}

#[test]
fn the_verdict_does_not_wait_for_a_quiet_machine() {
    let place = Place::new();
    let busy: Vec<_> = (0..8)
        .map(|_| {
            Command::new("sh").args(["-c", "while :; do :; done"]).stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    let levels: Vec<&str> = [
        "echo \"built at $(date +%s)\" && ls -la",
        "for f in a b c; do n=$(wc -l < \"$f\"); if [ \"$n\" -gt 10 ]; then echo \"$f $n\"; fi; done | sort | uniq -c | sort -rn | head",
        "rm -rf tests",
        "git push --force",
    ]
    .iter()
    .map(|command| level_of(answer(&place, "Bash", "s", command)))
    .collect();
    for mut process in busy {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert_eq!(levels, ["silent", "silent", "deny", "deny"]);
}

/// What the person hears when a session begins, with `settings` as the project's own.
fn heard_at_the_start(place: &Place, session: &str, settings: &Value) -> String {
    place.write(".claude/settings.json", settings.to_string());
    let said = place.fire("session-start", session, json!({"source": "startup"})).unwrap_or_default();
    assert!(said["hookSpecificOutput"].is_null(), "the model hears nothing of it: {said}");
    said["systemMessage"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_start_of_a_session_says_what_is_not_guarded() {
    let place = Place::new();
    let hook = env!("CARGO_BIN_EXE_steadfast-hook");
    let whole = json!({"hooks": hooks(hook)});
    assert_eq!(heard_at_the_start(&place, "whole", &whole), "");
    assert_eq!(
        heard_at_the_start(&place, "foreign", &json!({"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}})),
        ""
    );

    let mut partial = whole.clone();
    partial["hooks"].as_object_mut().unwrap().remove("PreToolUse");
    let heard = heard_at_the_start(&place, "partial", &partial);
    assert!(heard.contains("not for PreToolUse"), "{heard}");
    assert_eq!(heard_at_the_start(&place, "partial", &partial), "", "once a session");

    let mut narrow = whole.clone();
    narrow["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash|Edit");
    let heard = heard_at_the_start(&place, "narrow", &narrow);
    assert!(heard.contains("Monitor") && heard.contains("Write") && !heard.contains("Bash,"), "{heard}");

    let stale = json!({"hooks": hooks("/nowhere/steadfast-hook")});
    let heard = heard_at_the_start(&place, "stale", &stale);
    assert!(heard.contains("/nowhere/steadfast-hook, which is not there"), "{heard}");

    let failing = place.path("bin/steadfast-hook");
    place.write("bin/steadfast-hook", "#!/bin/sh\nexit 73\n");
    Command::new("chmod").args(["+x", failing.to_str().unwrap()]).status().unwrap();
    let heard = heard_at_the_start(&place, "failing", &json!({"hooks": hooks(failing.to_str().unwrap())}));
    assert!(heard.contains("exit code 73 after") && heard.contains(" ms"), "{heard}");

    place.write("aiwg.yml", "agent_persistence:\n  enabled: false\n");
    let heard = heard_at_the_start(&place, "off", &whole);
    assert!(heard.contains("switched off"), "{heard}");
}

#[test]
fn a_verdict_comes_long_before_the_time_limit() {
    let place = Place::new();
    let limit = REGISTRATIONS.iter().find(|one| one.event == "PreToolUse").unwrap().timeout_seconds;
    let started = Instant::now();
    assert_eq!(level_of(answer(&place, "Bash", "s", "git push --force && rm -rf tests")), "deny");
    // Unoptimized and on a busy machine, it is still far from being killed.
    assert!(started.elapsed().as_secs_f32() < limit as f32 / 4.0, "{:?}", started.elapsed());
}
