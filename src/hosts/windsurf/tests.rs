//! The adapter against events and answers as the client's documents have them.

use serde_json::{Value, json};

use super::*;
use crate::hosts::testing::{self, edited, shell};
use crate::model::event::EventKind;

fn event(name: &str, call: Value) -> Value {
    json!({"agent_action_name": name, "trajectory_id": "t1", "execution_id": "e1", "timestamp": "2026-01-01T00:00:00Z",
        "model_name": "m", "tool_info": call})
}

#[test]
fn each_kind_of_call_is_read() {
    let rows = [
        ("pre_run_command", json!({"command_line": "rm -rf src", "cwd": "/w"}), shell("cd /w && rm -rf src")),
        (
            "pre_write_code",
            json!({"file_path": "/w/a", "edits": [{"old_string": "x", "new_string": "y"}]}),
            edited("/w/a", &[("x", "y")]),
        ),
        (
            "pre_mcp_tool_use",
            json!({"mcp_server_name": "fs", "mcp_tool_name": "delete_file", "mcp_tool_arguments": {"path": "/w/a"}}),
            shell("rm -r -- /w/a"),
        ),
    ];
    for (name, call, action) in rows {
        let read = testing::read(&Windsurf, "", &event(name, call));
        let EventKind::PreToolUse(call) = &read.kind else { panic!("a call") };
        assert_eq!(call.action, action, "{name}");
        assert_eq!(read.session_id.as_deref(), Some("windsurf:t1"));
    }
}

#[test]
fn prompts_and_ends_are_read() {
    let prompt = testing::read(&Windsurf, "", &event("pre_user_prompt", json!({"user_prompt": "say hi"})));
    assert_eq!(prompt.kind, EventKind::UserPromptSubmit { prompt: "say hi".to_owned() });
    let stop = testing::read(&Windsurf, "stop", &event("", json!({"response": "done"})));
    assert!(matches!(stop.kind, EventKind::Stop { last_message, .. } if last_message == "done"));
    assert_eq!(stop.continuation_cap, Some(1), "no end of a turn is continued");
}

#[test]
fn a_refusal_is_an_exit_code_and_nothing_else_is_said() {
    let denied = testing::write(&Windsurf, "pre_run_command", Verdict::Deny("T".to_owned()), None);
    assert_eq!((denied.code, denied.stderr.as_str(), denied.stdout.as_str()), (2, "T", ""));
    assert!(testing::write(&Windsurf, "post_run_command", Verdict::Pass, None).is_silent());
}
