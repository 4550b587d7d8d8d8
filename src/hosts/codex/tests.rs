//! The adapter against what Codex 0.171 sends and takes.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::hosts::testing;
use crate::model::event::PatchOperation;
use crate::model::verdict::Verdict;

fn read(argument: &str, input: &Value) -> Event {
    let bytes = input.to_string();
    Codex.read(&HookCall { argument, bytes: bytes.as_bytes(), env: &|_| None }).expect("readable")
}

fn call_of(event: &Event) -> &Action {
    match &event.kind {
        EventKind::PreToolUse(call) | EventKind::PostToolUse { call, .. } => &call.action,
        other => panic!("no call: {other:?}"),
    }
}

#[test]
fn a_patch_is_several_files_and_a_shell_call_a_command() {
    let patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch\n";
    let event = read(
        "pre-tool-use",
        &json!({"cwd": "/p", "tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_use_id": "call_7"}),
    );
    let Action::Patch { files } = call_of(&event) else { panic!("{event:?}") };
    assert_eq!((files.len(), files[1].path.as_path()), (2, Path::new("/p/c")));
    assert!(
        matches!(&files[0].change, PatchOperation::Update { moved_to: Some(to), .. } if to == Path::new("/p/b.py"))
    );
    let event = read("pre-tool-use", &json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}));
    assert!(matches!(call_of(&event), Action::Shell { command, .. } if command == "ls"));
    assert!(!event.can_ask && event.takes_context());
}

#[test]
fn what_an_agent_tells_its_subagent_is_no_prompt() {
    let prompt = json!({"prompt": "/steadfast:loop x", "agent_id": "a", "turn_id": "t"});
    assert_eq!(read("user-prompt-submit", &prompt).kind, EventKind::Other);
    let typed = json!({"prompt": "x", "turn_id": "t"});
    assert_eq!(
        read("user-prompt-submit", &typed).kind,
        EventKind::UserPromptSubmit { prompt: "x".to_owned() }
    );
}

#[test]
fn an_answer_has_the_fields_of_its_event_and_no_other() {
    let rows: [(&str, Answer, Value); 6] = [
        (
            "PreToolUse",
            Verdict::Deny("R".to_owned()).into(),
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                "permissionDecisionReason": "R"}}),
        ),
        ("Stop", Verdict::Continue("R".to_owned()).into(), json!({"decision": "block", "reason": "R"})),
        (
            "UserPromptSubmit",
            Verdict::Deny("R".to_owned()).into(),
            json!({"decision": "block", "reason": "R"}),
        ),
        (
            "PostToolUse",
            Verdict::Context("C".to_owned()).into(),
            json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "C"}}),
        ),
        ("Stop", Answer::telling("H"), json!({"systemMessage": "H"})),
        ("Stop", Answer::default(), Value::Null),
    ];
    for (event, answer, expected) in rows {
        let said = Codex.write(event, &answer);
        assert_eq!(serde_json::from_str::<Value>(&said.stdout).unwrap_or_default(), expected, "{event}");
        assert_eq!((said.stderr.as_str(), said.code), ("", 0));
    }
}

/// What is read of an event that Codex has sent, in a line.
fn outline(event: &Event) -> String {
    let said = match &event.kind {
        EventKind::SessionStart { source } => format!("start {source}"),
        EventKind::UserPromptSubmit { prompt } => format!("prompt {prompt}"),
        EventKind::PreToolUse(call) => format!("before {}", action(&call.action)),
        EventKind::PostToolUse { call, output } => format!("after {} -> {output:?}", action(&call.action)),
        EventKind::Stop { continued, last_message, .. } => format!("stop {continued} {last_message}"),
        EventKind::PreCompact => "compaction".to_owned(),
        EventKind::SessionEnd { reason } => format!("end {reason}"),
        other => format!("{other:?}"),
    };
    format!("{}: {said}", event.host_event)
}

fn action(action: &Action) -> String {
    match action {
        Action::Shell { command, .. } => format!("shell {command}"),
        Action::Patch { files } => {
            let names = files.iter().map(|file| file.path.display().to_string());
            format!("patch {}", names.collect::<Vec<_>>().join(" "))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn every_recorded_event_is_read() {
    let expected = [
        ("Interrupt", "Interrupt: Other"),
        ("PermissionRequest", "PermissionRequest: Other"),
        ("PostCompact", "PostCompact: Other"),
        (
            "PostToolUse.apply_patch",
            "PostToolUse: after patch /home/user/project/a.txt /home/user/project/README.md -> \"\"",
        ),
        ("PostToolUse", "PostToolUse: after shell echo hello > out.txt; cat out.txt -> \"hello\\n\""),
        ("PostToolUse.spawn_agent", "PostToolUse: after Other -> \"\""),
        ("PreCompact", "PreCompact: compaction"),
        (
            "PreToolUse.apply_patch",
            "PreToolUse: before patch /home/user/project/a.txt /home/user/project/README.md",
        ),
        ("PreToolUse.codemode", "PreToolUse: before shell echo nested"),
        ("PreToolUse", "PreToolUse: before shell echo hi"),
        ("PreToolUse.spawn_agent", "PreToolUse: before Other"),
        ("SessionEnd", "SessionEnd: end other"),
        ("SessionStart", "SessionStart: start startup"),
        ("Stop", "Stop: stop false all done"),
        ("Stop.second", "Stop: stop true second done"),
        ("SubagentStart", "SubagentStart: Other"),
        ("UserPromptSubmit", "UserPromptSubmit: prompt say hi"),
        ("UserPromptSubmit.subagent", "UserPromptSubmit: Other"),
    ];
    let mut names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    assert_eq!(testing::all_recorded("codex/0.171.0"), names);
    for (name, outlined) in expected {
        let event = testing::read(&Codex, "", &testing::recorded("codex/0.171.0", name));
        assert_eq!(outline(&event), outlined, "{name}");
        assert!(event.session_id.as_deref().is_some_and(|id| id.starts_with("codex:01a21e")), "{name}");
    }
}

#[test]
fn every_answer_is_what_its_event_s_own_schema_takes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/schemas/codex-0.171.0");
    for one in REGISTRATIONS {
        let path = folder.join(format!("{}.command.output.json", one.argument));
        // A session's end takes no answer.
        let Ok(text) = std::fs::read_to_string(path) else {
            assert!(one.takes.is_empty() && !one.tells, "{}", one.event);
            continue;
        };
        let schema: Value = serde_json::from_str(&text).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for kind in one.takes {
            for human in [None, Some("H".to_owned())] {
                let answer = Answer { verdict: kind.with("T".to_owned()), human, ..Answer::default() };
                let said: Value = serde_json::from_str(&Codex.write(one.event, &answer).stdout).unwrap();
                let faults: Vec<String> =
                    validator.iter_errors(&said).map(|fault| fault.to_string()).collect();
                assert!(faults.is_empty(), "{} {kind:?}: {said} {faults:?}", one.event);
            }
        }
        assert!(!validator.is_valid(&json!({"suppressed": 1})), "{}: the schema takes anything", one.event);
    }
}
