//! The adapter against what Copilot CLI 1.0.102 sends and takes.

use serde_json::{Value, json};

use super::*;
use crate::hosts::testing;
use crate::model::event::{Action, EventKind};
use crate::model::verdict::Verdict;

fn read(argument: &str, input: &Value) -> Event {
    let bytes = input.to_string();
    Copilot.read(&HookCall { argument, bytes: bytes.as_bytes(), env: &|_| None }).expect("readable")
}

fn said(event: &str, verdict: Verdict) -> Value {
    serde_json::from_str(&Copilot.write(event, &verdict.into()).stdout).unwrap_or_default()
}

#[test]
fn an_event_in_camel_case_is_known_by_its_fields() {
    let rows = [
        (json!({"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "ls"}}), "PreToolUse"),
        (json!({"sessionId": "s", "toolName": "bash", "toolArgs": {}, "toolResult": {}}), "PostToolUse"),
        (json!({"sessionId": "s", "toolName": "bash", "permissionSuggestions": []}), "PermissionRequest"),
        (json!({"sessionId": "s", "stopReason": "end_turn", "stop_hook_active": false}), "Stop"),
        (json!({"sessionId": "s", "prompt": "x"}), "UserPromptSubmit"),
        (json!({"sessionId": "s", "source": "new", "initialPrompt": "x"}), "SessionStart"),
        (json!({"sessionId": "s", "reason": "complete"}), "SessionEnd"),
    ];
    for (input, expected) in rows {
        let event = read("", &input);
        assert_eq!(
            (event.host_event.as_str(), event.session_id.as_deref()),
            (expected, Some("copilot:s")),
            "{input}"
        );
    }
}

#[test]
fn arguments_of_a_tool_may_come_as_a_text() {
    for arguments in [json!({"command": "ls"}), json!("{\"command\":\"ls\"}")] {
        let event =
            read("pre-tool-use", &json!({"sessionId": "s", "toolName": "bash", "toolArgs": arguments}));
        let EventKind::PreToolUse(call) = event.kind else { panic!("{event:?}") };
        assert!(matches!(&call.action, Action::Shell { command, .. } if command == "ls"), "{arguments}");
    }
}

#[test]
fn its_own_editing_tools_are_edits() {
    let edit = json!({"path": "/p/a.py", "old_str": "a", "new_str": "b"});
    for tool in ["Edit", "edit", "str_replace_editor"] {
        let event = read("pre-tool-use", &json!({"tool_name": tool, "tool_input": edit}));
        let EventKind::PreToolUse(call) = event.kind else { panic!("{event:?}") };
        assert!(
            matches!(&call.action, Action::Edit { path, .. } if path.ends_with("a.py")),
            "{tool}: {call:?}"
        );
    }
    let create = json!({"path": "/p/a.py", "file_text": "x"});
    for tool in ["Write", "create"] {
        let event = read("pre-tool-use", &json!({"tool_name": tool, "tool_input": create}));
        let EventKind::PreToolUse(call) = event.kind else { panic!("{event:?}") };
        assert!(matches!(&call.action, Action::Write { content, .. } if content == "x"), "{tool}: {call:?}");
    }
}

#[test]
fn what_is_read_at_the_top_stands_below_too() {
    let deny = said("PreToolUse", Verdict::Deny("R".to_owned()));
    assert_eq!(
        (&deny["permissionDecision"], &deny["permissionDecisionReason"]),
        (&json!("deny"), &json!("R"))
    );
    assert_eq!(deny["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(deny["hookSpecificOutput"]["hookEventName"], "PreToolUse");
    let context = said("PostToolUse", Verdict::Context("C".to_owned()));
    assert_eq!(
        (&context["additionalContext"], &context["hookSpecificOutput"]["additionalContext"]),
        (&json!("C"), &json!("C"))
    );
    assert_eq!(said("Stop", Verdict::Continue("R".to_owned()))["decision"], "block");
    assert!(Copilot.write("PreToolUse", &Answer::default()).is_silent());
}

#[test]
fn a_request_for_a_permission_is_answered_flat() {
    let deny = said("PermissionRequest", Verdict::Deny("R".to_owned()));
    assert_eq!(deny, json!({"behavior": "deny", "message": "R"}));
}

#[test]
fn every_recorded_event_is_read() {
    let shell = "shell echo hello > out.txt; cat out.txt";
    let printed = "hello\n<shellId: 0 completed with exit code 0>";
    let rows: [(&str, &str, &str, &str); 16] = [
        ("PermissionRequest", "PermissionRequest", shell, ""),
        ("PostToolUse", "PostToolUse", shell, printed),
        ("PreToolUse", "PreToolUse", shell, ""),
        ("SessionEnd", "SessionEnd", "complete", ""),
        ("SessionStart", "SessionStart", "startup", ""),
        ("Stop", "Stop", "false", ""),
        ("Stop.second", "Stop", "true", ""),
        ("UserPromptSubmit.afterStopBlock", "UserPromptSubmit", "STOP-REASON keep going", ""),
        ("UserPromptSubmit", "UserPromptSubmit", "say hi", ""),
        ("camel-agentStop", "Stop", "false", ""),
        ("camel-permissionRequest", "PermissionRequest", shell, ""),
        ("camel-postToolUse", "PostToolUse", shell, printed),
        ("camel-preToolUse", "PreToolUse", shell, ""),
        ("camel-sessionEnd", "SessionEnd", "complete", ""),
        ("camel-sessionStart", "SessionStart", "startup", ""),
        ("camel-userPromptSubmitted", "UserPromptSubmit", "say hi", ""),
    ];
    let mut names: Vec<&str> = rows.iter().map(|row| row.0).collect();
    names.sort_unstable();
    assert_eq!(testing::all_recorded("copilot/1.0.102"), names);
    let shell_of = |action: &Action| match action {
        Action::Shell { command, .. } => format!("shell {command}"),
        other => format!("{other:?}"),
    };
    for (name, event_name, said, output) in rows {
        let event = testing::read(&Copilot, "", &testing::recorded("copilot/1.0.102", name));
        let (told, printed) = match &event.kind {
            EventKind::PreToolUse(call) => (shell_of(&call.action), String::new()),
            EventKind::PostToolUse { call, output } => (shell_of(&call.action), output.clone()),
            EventKind::SessionStart { source } => (source.clone(), String::new()),
            EventKind::SessionEnd { reason } => (reason.clone(), String::new()),
            EventKind::UserPromptSubmit { prompt } => (prompt.clone(), String::new()),
            EventKind::Stop { continued, .. } => (continued.to_string(), String::new()),
            other => (format!("{other:?}"), String::new()),
        };
        assert_eq!(
            (event.host_event.as_str(), told.as_str(), printed.as_str()),
            (event_name, said, output),
            "{name}"
        );
    }
}
