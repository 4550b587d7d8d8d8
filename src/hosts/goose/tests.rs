//! The adapter against events and answers as the client's source has them.

use serde_json::json;

use super::*;
use crate::hosts::testing::{self, edited, printed, read_with, shell, written};
use crate::model::event::{Action, EventKind};

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        ("developer__shell", json!({"command": "rm -rf src"}), shell("rm -rf src")),
        ("shell", json!({"command": "ls"}), shell("ls")),
        ("edit", json!({"path": "a", "before": "x", "after": "y"}), edited("/w/a", &[("x", "y")])),
        ("write", json!({"path": "a", "content": "c"}), written("/w/a", "c")),
        (
            "developer__text_editor",
            json!({"command": "write", "path": "a", "file_text": "c"}),
            written("/w/a", "c"),
        ),
        (
            "developer__text_editor",
            json!({"command": "str_replace", "path": "a", "old_str": "x", "new_str": "y"}),
            edited("/w/a", &[("x", "y")]),
        ),
        ("developer__text_editor", json!({"command": "view", "path": "a"}), Action::Other),
        ("tree", json!({"path": "a"}), Action::Other),
        ("files__delete_file", json!({"path": "a"}), shell("rm -r -- /w/a")),
        ("files__frobnicate", json!({"path": "a"}), Action::Foreign { paths: vec!["/w/a".into()] }),
    ];
    for (tool, input, action) in rows {
        let event = json!({"event": "PreToolUse", "session_id": "s", "matcher_context": tool, "tool_name": tool,
            "tool_input": input, "tool_call_id": "c1", "working_dir": "/w"});
        let read = testing::read(&Goose, "", &event);
        let EventKind::PreToolUse(call) = &read.kind else { panic!("a call") };
        assert_eq!(call.action, action, "{tool}");
        assert_eq!((call.id.as_deref(), read.session_id.as_deref()), (Some("c1"), Some("goose:s")));
    }
}

#[test]
fn prompts_outputs_and_ends_are_read() {
    let prompt = json!({"event": "UserPromptSubmit", "session_id": "s", "message": "say hi"});
    assert_eq!(
        testing::read(&Goose, "", &prompt).kind,
        EventKind::UserPromptSubmit { prompt: "say hi".to_owned() }
    );
    let ran = json!({"event": "PostToolUse", "tool_name": "shell", "tool_input": {"command": "ls"},
        "tool_output": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]});
    let EventKind::PostToolUse { output, .. } = testing::read(&Goose, "", &ran).kind else {
        panic!("it ran")
    };
    assert_eq!(output, "a\nb");
    let stop = json!({"event": "Stop", "session_id": "s", "last_assistant_message": "done"});
    let read = read_with(&Goose, "", &stop, &[("GOOSE_STOP_HOOK_BLOCK_CAP", "3")]);
    assert_eq!(read.continuation_cap, Some(3));
    assert!(matches!(read.kind, EventKind::Stop { last_message, .. } if last_message == "done"));
}

#[test]
fn only_a_refusal_or_a_banner_is_said() {
    let blocked = json!({"decision": "block", "reason": "T"});
    let denied = testing::write(&Goose, "PreToolUse", Verdict::Deny("T".to_owned()), None);
    let continued = testing::write(&Goose, "Stop", Verdict::Continue("T".to_owned()), None);
    assert_eq!((printed(&denied), printed(&continued)), (blocked.clone(), blocked));
    let told = testing::write(&Goose, "SessionStart", Verdict::Pass, Some("H"));
    assert_eq!(printed(&told), json!({"banner": "H"}));
    assert!(testing::write(&Goose, "PreToolUse", Verdict::Pass, None).is_silent());
}
