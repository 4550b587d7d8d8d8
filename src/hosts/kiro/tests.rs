//! The adapter against events and answers as the client's documents have them.

use serde_json::json;

use super::*;
use crate::hosts::testing::{self, edited, shell, written};
use crate::model::event::{Action, EventKind};

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        ("execute_bash", json!({"command": "rm -rf src"}), shell("rm -rf src")),
        ("shell", json!({"command": "ls"}), shell("ls")),
        ("fs_write", json!({"command": "create", "path": "/w/a", "file_text": "c"}), written("/w/a", "c")),
        (
            "fs_write",
            json!({"command": "str_replace", "path": "a", "old_str": "x", "new_str": "y"}),
            edited("/w/a", &[("x", "y")]),
        ),
        ("fs_write", json!({"command": "append", "path": "a", "new_str": "c"}), shell("printf %s c >> /w/a")),
        (
            "write",
            json!({"command": "insert", "path": "a", "insert_line": 1, "new_str": "c"}),
            Action::Foreign { paths: vec!["/w/a".into()] },
        ),
        ("fs_read", json!({"operations": [{"mode": "Line", "path": "a"}]}), Action::Other),
        ("@postgres/execute_sql", json!({"sql": "DROP TABLE t"}), shell("psql -c 'DROP TABLE t'")),
    ];
    for (tool, input, action) in rows {
        let event =
            json!({"hook_event_name": "preToolUse", "cwd": "/w", "tool_name": tool, "tool_input": input});
        let EventKind::PreToolUse(call) = testing::read(&Kiro, "", &event).kind else { panic!("a call") };
        assert_eq!(call.action, action, "{tool}");
    }
}

#[test]
fn a_session_is_the_clients_process_where_nothing_names_it() {
    let of = |input| testing::read(&Kiro, "session-start", &input).session_id;
    assert!(of(json!({"cwd": "/w"})).is_some_and(|id| id.starts_with("kiro:process-")));
    assert_eq!(of(json!({"session_id": "s"})).as_deref(), Some("kiro:s"));
}

#[test]
fn what_was_printed_is_read() {
    let event = json!({"cwd": "/w", "tool_name": "execute_bash", "tool_input": {"command": "pytest"},
        "tool_response": {"success": true, "result": ["2 passed"]}});
    let EventKind::PostToolUse { output, .. } = testing::read(&Kiro, "post-tool-use", &event).kind else {
        panic!("it ran")
    };
    assert_eq!(output, "2 passed");
}

#[test]
fn a_refusal_is_an_exit_code_and_a_text_is_plain() {
    let denied = testing::write(&Kiro, "preToolUse", Verdict::Deny("T".to_owned()), None);
    assert_eq!((denied.code, denied.stderr.as_str(), denied.stdout.as_str()), (2, "T", ""));
    let told = testing::write(&Kiro, "agentSpawn", Verdict::Context("T".to_owned()), None);
    assert_eq!((told.code, told.stderr.as_str(), told.stdout.as_str()), (0, "", "T"));
    assert!(testing::write(&Kiro, "preToolUse", Verdict::Pass, None).is_silent());
}
