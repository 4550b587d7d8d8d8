//! The adapter against events and answers as the command line 3.0 sends and takes them, and the editor's extension by its
//! documents.

use serde_json::{Value, json};

use super::*;
use crate::hosts::testing::{self, all_recorded, edited, printed, recorded, shell, written};
use crate::model::event::{Action, EventKind, ToolCall};

/// What each recorded event says.
fn expected(name: &str) -> EventKind {
    let call = || ToolCall {
        id: Some("call_3".to_owned()),
        tool: "run_commands".to_owned(),
        action: shell("echo hi"),
    };
    match name {
        "TaskStart" => EventKind::SessionStart { source: "startup".to_owned() },
        "PreToolUse" => EventKind::PreToolUse(call()),
        "PostToolUse" => EventKind::PostToolUse { call: call(), output: "hi\n".to_owned() },
        "TaskComplete" => {
            EventKind::Stop { continued: false, last_message: "all done".to_owned(), waiting: false }
        }
        "SessionShutdown" => EventKind::SessionEnd { reason: String::new() },
        other => panic!("{other}"),
    }
}

#[test]
fn every_recorded_event_is_read() {
    let names = all_recorded("cline/3.0.65");
    assert_eq!(names.len(), 5, "{names:?}");
    for name in names {
        let event = testing::read(&Cline, "", &recorded("cline/3.0.65", &name));
        assert_eq!((&event.kind, event.host_event.as_str()), (&expected(&name), name.as_str()));
        assert_eq!(event.cwd.to_str(), Some("/home/user/project"), "{name}");
        assert!(event.session_id.is_some_and(|id| id.starts_with("cline:conv_")), "{name}");
        assert_eq!(event.agent_id, None, "{name}");
    }
}

fn action(event: &Value) -> Action {
    let EventKind::PreToolUse(call) = testing::read(&Cline, "pre-tool-use", event).kind else {
        panic!("a call")
    };
    call.action
}

#[test]
fn inputs_of_the_command_lines_tools_become_actions() {
    let rows = [
        ("run_commands", json!({"commands": ["cd src", "rm -rf ."]}), shell("cd src\nrm -rf .")),
        (
            "run_commands",
            json!({"commands": [{"command": "rm", "args": ["-rf", "a b"]}]}),
            shell("rm -rf 'a b'"),
        ),
        ("editor", json!({"path": "a", "old_text": "x", "new_text": "y"}), edited("/w/a", &[("x", "y")])),
        ("editor", json!({"path": "a", "new_text": "c"}), written("/w/a", "c")),
        ("read_files", json!({"paths": ["a"]}), Action::Other),
        ("skills", json!({"name": "s"}), Action::Other),
    ];
    for (tool, input, expected) in rows {
        let event = json!({"workspaceRoots": ["/w"], "tool_call": {"id": "1", "name": tool, "input": input}});
        assert_eq!(action(&event), expected, "{tool}");
    }
}

#[test]
fn inputs_of_the_extensions_tools_become_actions() {
    let rows = [
        (
            "execute_command",
            json!({"command": "rm -rf src", "requires_approval": "false"}),
            shell("rm -rf src"),
        ),
        ("write_to_file", json!({"path": "a", "content": "c"}), written("/w/a", "c")),
        (
            "replace_in_file",
            json!({"path": "a", "diff": "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n"}),
            edited("/w/a", &[("x\n", "y\n")]),
        ),
        ("use_mcp_tool", json!({"server_name": "s", "arguments": "{}"}), Action::Foreign { paths: vec![] }),
    ];
    for (tool, input, expected) in rows {
        let event = json!({"hookName": "PreToolUse", "clineVersion": "3.40", "taskId": "t", "workspaceRoots": ["/w"],
            "preToolUse": {"toolName": tool, "parameters": input}});
        assert_eq!(action(&event), expected, "{tool}");
    }
}

#[test]
fn answers_are_in_the_clients_words() {
    let write = |verdict| printed(&testing::write(&Cline, "PreToolUse", verdict, None));
    assert_eq!(write(Verdict::Deny("T".to_owned())), json!({"cancel": true, "errorMessage": "T"}));
    let told = json!({"cancel": false, "context": "T", "contextModification": "T"});
    assert_eq!(write(Verdict::Context("T".to_owned())), told);
    assert_eq!(write(Verdict::Pass), json!({}));
}
