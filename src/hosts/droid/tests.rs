//! The adapter against events and answers as the client's documents and its binary describe them.

use serde_json::json;

use super::*;
use crate::hosts::testing::{self, edited, printed, shell, written};
use crate::model::event::{Action, EventKind};
use crate::model::verdict::Verdict;

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        ("Execute", json!({"command": "rm -rf src"}), shell("rm -rf src")),
        ("Create", json!({"file_path": "a", "content": "c"}), written("/w/a", "c")),
        ("Edit", json!({"file_path": "a", "old_str": "x", "new_str": "y"}), edited("/w/a", &[("x", "y")])),
        (
            "MultiEdit",
            json!({"file_path": "a", "changes": [{"old_str": "x", "new_str": "y"}, {"old_str": "p", "new_str": "q"}]}),
            edited("/w/a", &[("x", "y"), ("p", "q")]),
        ),
        ("Read", json!({"file_path": "a"}), Action::Other),
        ("TodoWrite", json!({"todos": []}), Action::Other),
        ("mcp__fs__delete_file", json!({"path": "a"}), shell("rm -r -- /w/a")),
    ];
    for (tool, input, action) in rows {
        let event =
            json!({"cwd": "/w", "permission_mode": "auto-low", "tool_name": tool, "tool_input": input});
        let read = testing::read(&Droid, "pre-tool-use", &event);
        let EventKind::PreToolUse(call) = &read.kind else { panic!("a call") };
        assert_eq!(call.action, action, "{tool}");
        assert!(!read.can_ask, "a mode that lets calls through by itself");
    }
}

#[test]
fn the_modes_that_ask_are_asked_in() {
    for (mode, asks) in [("off", true), ("spec", true), ("auto-high", false)] {
        let input = json!({"permission_mode": mode});
        assert_eq!(testing::read(&Droid, "pre-tool-use", &input).can_ask, asks, "{mode}");
    }
}

#[test]
fn answers_are_in_the_clients_words() {
    let text = || "T".to_owned();
    let denied = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "T"}});
    assert_eq!(printed(&testing::write(&Droid, "PreToolUse", Verdict::Deny(text()), None)), denied);
    for (event, verdict) in [("PostToolUse", Verdict::Feedback(text())), ("Stop", Verdict::Continue(text()))]
    {
        let blocked = json!({"decision": "block", "reason": "T", "systemMessage": "H"});
        assert_eq!(printed(&testing::write(&Droid, event, verdict, Some("H"))), blocked, "{event}");
    }
}
