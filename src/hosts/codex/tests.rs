//! The adapter against what Codex 0.171 sends and takes.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::event::{Action, FileChange};
use crate::model::verdict::Verdict;

fn read(argument: &str, input: &Value) -> Event {
    let bytes = input.to_string();
    Codex.read(&Call { argument, bytes: bytes.as_bytes(), env: &|_| None }).expect("readable")
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
        matches!(&files[0].change, FileChange::Update { moved_to: Some(to), .. } if to == Path::new("/p/b.py"))
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
