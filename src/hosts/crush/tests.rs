//! The adapter against events and answers as the client's source has them.

use serde_json::json;

use super::*;
use crate::hosts::testing::{self, edited, printed, shell, written};
use crate::model::event::{Action, EventKind};

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        ("bash", json!({"command": "rm -rf src", "description": "d"}), shell("rm -rf src")),
        ("bash", json!({"command": "ls", "working_dir": "sub"}), shell("cd sub && ls")),
        (
            "edit",
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
            edited("/w/a", &[("x", "y")]),
        ),
        (
            "multiedit",
            json!({"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}),
            edited("/w/a", &[("x", "y")]),
        ),
        ("write", json!({"file_path": "a", "content": "c"}), written("/w/a", "c")),
        ("download", json!({"url": "u", "file_path": "a"}), Action::Foreign { paths: vec!["/w/a".into()] }),
        ("view", json!({"file_path": "a"}), Action::Other),
        ("agent", json!({"prompt": "delete src"}), Action::Other),
        ("mcp_github_create_issue", json!({"owner": "o", "title": "t"}), Action::Foreign { paths: vec![] }),
    ];
    for (tool, input, action) in rows {
        let event = json!({"event": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_name": tool, "tool_input": input});
        let read = testing::read(&Crush, "", &event);
        let EventKind::PreToolUse(call) = &read.kind else { panic!("a call") };
        assert_eq!(call.action, action, "{tool}");
        assert!(!read.drops_context, "the model reads it with the call's result");
    }
}

#[test]
fn answers_are_in_the_clients_words() {
    let text = || "T".to_owned();
    let write = |verdict| testing::write(&Crush, "PreToolUse", verdict, None);
    assert_eq!(printed(&write(Verdict::Deny(text()))), json!({"decision": "deny", "reason": "T"}));
    assert_eq!(printed(&write(Verdict::Context(text()))), json!({"context": "T"}));
    assert!(write(Verdict::Pass).is_silent());
}
