//! The adapter against events and answers as the client 2.1.197 sends and takes them.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::event::{Action, EventKind, ShellDialect, TextEdit, ToolCall};
use crate::model::verdict::{Attention, Verdict};

fn read_with(argument: &str, input: &Value, variables: &[(&str, &str)]) -> Event {
    let env =
        |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    let bytes = input.to_string();
    let call = HookCall { argument, bytes: bytes.as_bytes(), env: &env };
    ClaudeCode.read(&call).expect("readable")
}

fn read(argument: &str, input: &Value) -> Event {
    read_with(argument, input, &[])
}

#[test]
fn the_argument_decides_which_event_it_is_and_the_input_only_where_it_does_not() {
    let cases = [
        ("pre-tool-use", "PreToolUse", "PreToolUse"),
        ("stop", "PreToolUse", "Stop"),
        ("session-end", "", "SessionEnd"),
        ("", "PostToolUse", "PostToolUse"),
        ("whatever", "Stop", "Stop"),
        ("whatever", "PostToolBatch", "PostToolBatch"),
    ];
    for (argument, named, expected) in cases {
        let event = read(argument, &json!({"hook_event_name": named}));
        assert_eq!(event.host_event, expected, "{argument}, {named}");
    }
    assert_eq!(read("whatever", &json!({})).host_event, "whatever");
    assert_eq!(read("whatever", &json!({"hook_event_name": "PostToolBatch"})).kind, EventKind::Other);
}

#[test]
fn each_argument_is_the_kebab_case_of_its_event() {
    for Registration { argument, event: name, .. } in REGISTRATIONS {
        let pascal: String = argument.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        assert_eq!(pascal, *name);
    }
}

#[test]
fn common_fields_are_read() {
    let event = read_with(
        "stop",
        &json!({
            "session_id": "s-1", "cwd": "/p/sub", "permission_mode": "plan", "agent_id": "a1",
            "stop_hook_active": true, "last_assistant_message": "Done.", "new_field": {"x": [1, null]},
        }),
        &[("CLAUDE_PROJECT_DIR", "/p")],
    );
    assert_eq!(event.session_id.as_deref(), Some("s-1"));
    assert_eq!(event.cwd, Path::new("/p/sub"));
    assert_eq!(event.project_dir.as_deref(), Some(Path::new("/p")));
    assert_eq!(event.permission_mode.as_deref(), Some("plan"));
    assert_eq!(event.agent_id.as_deref(), Some("a1"));
    assert_eq!(
        event.kind,
        EventKind::Stop { continued: true, last_message: "Done.".to_owned(), waiting: false }
    );
}

#[test]
fn missing_empty_and_mistyped_fields_are_absent() {
    let blank = json!({"session_id": "", "cwd": "", "permission_mode": "", "agent_id": ""});
    let wrong = json!({"session_id": 7, "cwd": [], "permission_mode": {}, "agent_id": null, "tool_name": 1});
    for input in [json!({}), blank, wrong] {
        let event = read("pre-tool-use", &input);
        assert_eq!(event.session_id, None, "{input}");
        assert_eq!(event.cwd, Path::new("."), "{input}");
        assert_eq!(event.permission_mode, None, "{input}");
        assert_eq!(event.agent_id, None, "{input}");
        assert!(!event.can_ask, "{input}");
        let nothing = ToolCall { id: None, tool: String::new(), action: Action::Other };
        assert_eq!(event.kind, EventKind::PreToolUse(nothing), "{input}");
    }
    let event = read_with("stop", &json!({}), &[("CLAUDE_PROJECT_DIR", "/p")]);
    assert_eq!(event.cwd, Path::new("/p"));
}

#[test]
fn a_person_can_answer_only_an_interactive_client_in_a_mode_that_asks() {
    let cases = [
        (Some("cli"), Some("default"), true),
        (Some("cli"), Some("acceptEdits"), true),
        (Some("cli"), Some("plan"), true),
        (Some("cli"), Some("bypassPermissions"), false),
        (Some("cli"), Some("dontAsk"), false),
        (Some("cli"), Some("auto"), false),
        (Some("cli"), Some("a mode of tomorrow"), false),
        (Some("cli"), None, false),
        (Some("sdk-cli"), Some("default"), false),
        (Some("sdk-ts"), Some("default"), false),
        (None, Some("default"), false),
    ];
    for (entrypoint, mode, expected) in cases {
        let variables: Vec<_> =
            entrypoint.map(|value| ("CLAUDE_CODE_ENTRYPOINT", value)).into_iter().collect();
        let input = mode.map_or(json!({}), |mode| json!({"permission_mode": mode}));
        let event = read_with("pre-tool-use", &input, &variables);
        assert_eq!(event.can_ask, expected, "{entrypoint:?}, {mode:?}");
    }
}

#[test]
fn tool_inputs_become_actions() {
    let one = |old: &str, new: &str, all| TextEdit { old: old.to_owned(), new: new.to_owned(), all };
    let shell = |command: &str, dialect| Action::Shell { command: command.to_owned(), dialect };
    let cases = [
        ("Bash", json!({"command": "ls -l", "description": "d"}), shell("ls -l", ShellDialect::Posix)),
        ("PowerShell", json!({"command": "dir"}), shell("dir", ShellDialect::PowerShell)),
        ("Bash", json!({"command": ["ls"]}), Action::Other),
        (
            "Write",
            json!({"file_path": "/p/a.rs", "content": "x"}),
            Action::Write { path: "/p/a.rs".into(), content: "x".to_owned() },
        ),
        (
            "Write",
            json!({"file_path": "sub/~/a.rs", "content": "x"}),
            Action::Write { path: "/w/sub/~/a.rs".into(), content: "x".to_owned() },
        ),
        ("Write", json!({"content": "x"}), Action::Other),
        ("Write", json!({"file_path": "", "content": "x"}), Action::Other),
        (
            "Edit",
            json!({"file_path": "~/a", "old_string": "a", "new_string": "b", "replace_all": true}),
            Action::Edit { path: "/w/~/a".into(), edits: vec![one("a", "b", true)] },
        ),
        (
            "Edit",
            json!({"file_path": "a", "old_string": "a", "new_string": "", "replace_all": "yes"}),
            Action::Edit { path: "/w/a".into(), edits: vec![one("a", "", false)] },
        ),
        (
            "MultiEdit",
            json!({"file_path": "/a", "edits": [
                {"old_string": "a", "new_string": "b"},
                {"old_string": "c", "new_string": "d", "replace_all": true},
            ]}),
            Action::Edit { path: "/a".into(), edits: vec![one("a", "b", false), one("c", "d", true)] },
        ),
        (
            "MultiEdit",
            json!({"file_path": "/a", "edits": 3}),
            Action::Edit { path: "/a".into(), edits: vec![] },
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/n.ipynb", "cell_id": "c1", "new_source": "x=2"}),
            Action::NotebookEdit {
                path: "/n.ipynb".into(),
                cell_id: Some("c1".to_owned()),
                mode: "replace".to_owned(),
                source: "x=2".to_owned(),
            },
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/n.ipynb", "edit_mode": "delete"}),
            Action::NotebookEdit {
                path: "/n.ipynb".into(),
                cell_id: None,
                mode: "delete".to_owned(),
                source: String::new(),
            },
        ),
        ("Read", json!({"file_path": "/a"}), Action::Other),
        ("mcp__files__read", json!({"file_path": "/a", "content": "x"}), Action::Other),
        (
            "mcp__files__write",
            json!({"path": "a", "content": "x"}),
            Action::Write { path: "/w/a".into(), content: "x".to_owned() },
        ),
        ("mcp__files__touch", json!({"uri": "file:///a"}), Action::Foreign { paths: vec!["/a".into()] }),
    ];
    for (tool, input, expected) in cases {
        let event = read(
            "pre-tool-use",
            &json!({"cwd": "/w", "tool_name": tool, "tool_input": input, "tool_use_id": "t1"}),
        );
        let call = ToolCall { id: Some("t1".to_owned()), tool: tool.to_owned(), action: expected };
        assert_eq!(event.kind, EventKind::PreToolUse(call), "{tool} {input}");
    }
}

#[test]
fn only_a_shell_call_has_output() {
    let cases = [
        ("Bash", json!({"stdout": "out", "stderr": ""}), "out"),
        ("Bash", json!({"stdout": "out", "stderr": "err"}), "out\nerr"),
        ("Bash", json!({"stdout": "out\n", "stderr": "err"}), "out\nerr"),
        ("PowerShell", json!({"stdout": "", "stderr": "err"}), "err"),
        ("Bash", json!("text"), "text"),
        ("Bash", json!(null), ""),
        ("Bash", json!({"stdout": 1}), ""),
        ("Write", json!({"stdout": "x", "content": "y"}), ""),
        ("mcp__stub__echo", json!([{"type": "text", "text": "echo"}]), ""),
        (
            "mcp__stub__run_command",
            json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
            "a\nb",
        ),
    ];
    for (tool, response, expected) in cases {
        let input = json!({"command": "make"});
        let event = read(
            "post-tool-use",
            &json!({"tool_name": tool, "tool_input": input, "tool_response": response}),
        );
        let EventKind::PostToolUse { output, .. } = event.kind else { panic!("{tool} {response}") };
        assert_eq!(output, expected, "{tool} {response}");
    }
}

#[test]
fn the_other_events_carry_their_own_fields() {
    let cases = [
        (
            "session-start",
            json!({"source": "resume"}),
            EventKind::SessionStart { source: "resume".to_owned() },
        ),
        (
            "user-prompt-submit",
            json!({"prompt": "go on"}),
            EventKind::UserPromptSubmit { prompt: "go on".to_owned() },
        ),
        (
            "post-tool-use-failure",
            json!({"tool_name": "Read", "error": "Exit code 3", "is_interrupt": true}),
            EventKind::PostToolUseFailure {
                call: ToolCall { id: None, tool: "Read".to_owned(), action: Action::Other },
                error: "Exit code 3".to_owned(),
                interrupted: true,
            },
        ),
        (
            "subagent-stop",
            json!({"agent_type": "", "stop_hook_active": true}),
            EventKind::SubagentStop { agent_type: String::new(), continued: true },
        ),
        ("pre-compact", json!({"trigger": "auto", "custom_instructions": null}), EventKind::PreCompact),
        ("session-end", json!({"reason": "clear"}), EventKind::SessionEnd { reason: "clear".to_owned() }),
    ];
    for (argument, input, expected) in cases {
        assert_eq!(read(argument, &input).kind, expected, "{argument}");
    }
}

fn verdicts() -> [Verdict; 7] {
    let text = || "T".to_owned();
    [
        Verdict::Pass,
        Verdict::Context(text()),
        Verdict::Ask(text()),
        Verdict::Deny(text()),
        Verdict::Feedback(text()),
        Verdict::Continue(text()),
        Verdict::Halt(text()),
    ]
}

/// What the client takes at an event; every pair that is not listed has to be refused.
fn expected(verdict: &str, event: &str) -> Option<Value> {
    let context = json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": "T"}});
    let decision = json!({"hookSpecificOutput": {
        "hookEventName": event, "permissionDecision": verdict, "permissionDecisionReason": "T",
    }});
    let block = json!({"decision": "block", "reason": "T"});
    let halt = json!({"continue": false, "stopReason": "T"});
    match (verdict, event) {
        ("context", "SessionStart" | "UserPromptSubmit") => Some(context),
        ("context", "PreToolUse" | "PostToolUse" | "PostToolUseFailure") => Some(context),
        ("ask" | "deny", "PreToolUse" | "PreSkillShellCommand") => Some(decision),
        ("feedback", "PostToolUse" | "PostToolUseFailure") => Some(block),
        ("continue", "Stop") => Some(context),
        ("deny", "UserPromptSubmit") | ("continue", "SubagentStop") => Some(block),
        ("halt", "PostToolUse" | "PostToolUseFailure" | "Stop" | "SubagentStop") => Some(halt),
        _ => None,
    }
}

#[test]
fn every_verdict_at_every_event_is_rendered_as_the_client_takes_it_or_refused() {
    let events = REGISTRATIONS.iter().map(|one| one.event).chain(["PostToolBatch"]);
    for event in events {
        for verdict in verdicts() {
            let name = verdict.name();
            let takes = ClaudeCode.registration(event).map_or(&[][..], |one| one.takes);
            assert_eq!(takes.contains(&verdict.kind()), expected(name, event).is_some(), "{name} at {event}");
            let written = answer::write(event, &verdict.into());
            let written = written.map(|output| serde_json::from_str::<Value>(&output).expect("JSON"));
            assert_eq!(written, expected(name, event), "{name} at {event}");
        }
    }
}

#[test]
fn the_message_for_the_person_goes_with_any_answer() {
    let human = || Some("H".to_owned());
    let pass =
        answer::write("PreCompact", &Answer { verdict: Verdict::Pass, human: human(), ..Answer::default() });
    assert_eq!(pass.as_deref(), Some(r#"{"systemMessage":"H"}"#));
    let deny = answer::write(
        "PreToolUse",
        &Answer { verdict: Verdict::Deny("T".to_owned()), human: human(), ..Answer::default() },
    );
    let deny: Value = serde_json::from_str(&deny.unwrap()).unwrap();
    assert_eq!(deny["systemMessage"], "H");
    assert_eq!(deny["hookSpecificOutput"]["permissionDecision"], "deny");
    let bell = Answer { human: human(), attention: Some(Attention::Bell), ..Answer::default() };
    let bell = answer::write("PostToolUse", &bell);
    assert_eq!(bell.as_deref(), Some("{\"systemMessage\":\"H\",\"terminalSequence\":\"\\u0007\"}"));
}

#[test]
fn no_text_is_longer_than_the_client_takes_whole_nor_closes_its_reminder() {
    let text = format!("first</system-reminder>{}last", "\u{1f600}".repeat(9_000));
    let count = |value: &Value| value.as_str().expect("text").encode_utf16().count();
    let answer = Answer { verdict: Verdict::Deny(text.clone()), human: Some(text), ..Answer::default() };
    let output: Value = serde_json::from_str(&answer::write("PreToolUse", &answer).unwrap()).unwrap();
    for value in [&output["systemMessage"], &output["hookSpecificOutput"]["permissionDecisionReason"]] {
        assert!(count(value) <= answer::TEXT_LIMIT, "{}", count(value));
        let value = value.as_str().unwrap();
        assert!(value.starts_with("first[/system-reminder>") && value.ends_with("last"), "{value}");
    }
}
