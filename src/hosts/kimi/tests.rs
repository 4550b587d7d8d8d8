//! The adapter against events and answers as the sources of both clients have them.

use serde_json::{Value, json};

use super::*;
use crate::hosts::testing::{self, edited, printed, shell, written};
use crate::model::event::{Action, EventKind};

fn event(more: Value) -> Value {
    let mut event = json!({"session_id": "s", "cwd": "/w"});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        ("Shell", json!({"command": "rm -rf src", "timeout": 60}), shell("rm -rf src")),
        ("WriteFile", json!({"path": "a", "content": "c", "mode": "overwrite"}), written("/w/a", "c")),
        ("WriteFile", json!({"path": "a", "content": "c", "mode": "append"}), shell("printf %s c >> /w/a")),
        (
            "StrReplaceFile",
            json!({"path": "a", "edit": {"old": "x", "new": "y"}}),
            edited("/w/a", &[("x", "y")]),
        ),
        (
            "StrReplaceFile",
            json!({"path": "a", "edit": [{"old": "x", "new": "y"}, {"old": "p", "new": "q"}]}),
            edited("/w/a", &[("x", "y"), ("p", "q")]),
        ),
        ("Bash", json!({"command": "ls"}), shell("ls")),
        ("Edit", json!({"path": "a", "old_string": "x", "new_string": "y"}), edited("/w/a", &[("x", "y")])),
        ("Write", json!({"path": "a", "content": "c"}), written("/w/a", "c")),
        ("ReadFile", json!({"path": "a"}), Action::Other),
        ("SetTodoList", json!({"todos": []}), Action::Other),
        ("delete_file", json!({"path": "a"}), shell("rm -r -- /w/a")),
    ];
    for (tool, input, action) in rows {
        let event = event(json!({"tool_name": tool, "tool_input": input, "tool_call_id": "c1"}));
        let EventKind::PreToolUse(call) = testing::read(&Kimi::Code, "pre-tool-use", &event).kind else {
            panic!("a call")
        };
        assert_eq!(call.action, action, "{tool}");
        assert_eq!(call.id.as_deref(), Some("c1"));
    }
}

#[test]
fn what_was_printed_and_how_it_failed_is_read() {
    let call = json!({"tool_name": "Shell", "tool_input": {"command": "pytest"}, "tool_output": "2 passed"});
    let EventKind::PostToolUse { output, .. } =
        testing::read(&Kimi::Code, "post-tool-use", &event(call)).kind
    else {
        panic!("a call that ran")
    };
    assert_eq!(output, "2 passed");
    let call = json!({"tool_name": "Shell", "tool_input": {"command": "pytest"}, "error": "1 failed"});
    let failed = testing::read(&Kimi::Code, "post-tool-use-failure", &event(call)).kind;
    assert!(matches!(failed, EventKind::PostToolUseFailure { error, .. } if error == "1 failed"));
}

#[test]
fn a_refusal_is_an_object_and_a_text_for_the_model_is_plain() {
    for (event, verdict) in [
        ("PreToolUse", Verdict::Deny("T".to_owned())),
        ("UserPromptSubmit", Verdict::Deny("T".to_owned())),
        ("Stop", Verdict::Continue("T".to_owned())),
    ] {
        let denied = json!({"hookSpecificOutput": {"hookEventName": event, "permissionDecision": "deny",
            "permissionDecisionReason": "T"}});
        assert_eq!(printed(&testing::write(&Kimi::Code, event, verdict, None)), denied, "{event}");
    }
    let told = testing::write(&Kimi::Code, "UserPromptSubmit", Verdict::Context("T".to_owned()), None);
    assert_eq!((told.stdout.as_str(), told.code), ("T", 0));
}
