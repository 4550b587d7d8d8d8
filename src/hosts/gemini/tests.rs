//! The adapter against events and answers as the client 0.61 sends and takes them.

use serde_json::json;

use super::*;
use crate::hosts::testing::{self, all_recorded, edited, printed, recorded, shell, written};
use crate::model::event::{Action, EventKind, ToolCall};
use crate::model::verdict::Verdict;

fn call(tool: &str, action: Action) -> ToolCall {
    ToolCall { id: None, tool: tool.to_owned(), action }
}

/// What each recorded event says.
fn expected(name: &str) -> EventKind {
    let command = || call("run_shell_command", shell("echo hello > out.txt; cat out.txt"));
    let stop =
        |last: &str, continued| EventKind::Stop { continued, last_message: last.to_owned(), waiting: false };
    match name {
        "SessionStart" => EventKind::SessionStart { source: "startup".to_owned() },
        "BeforeAgent" => EventKind::UserPromptSubmit { prompt: "say hi".to_owned() },
        "BeforeTool" => EventKind::PreToolUse(command()),
        "AfterTool" => EventKind::PostToolUse { call: command(), output: "hello".to_owned() },
        "AfterAgent" => stop("all done", false),
        "AfterAgent.second" => stop("all done\nsecond done", true),
        "SessionEnd" => EventKind::SessionEnd { reason: "exit".to_owned() },
        _ => EventKind::Other,
    }
}

#[test]
fn every_recorded_event_is_read() {
    let names = all_recorded("gemini/0.61.0");
    assert_eq!(names.len(), 12, "{names:?}");
    for name in names {
        let event = testing::read(&Gemini, "", &recorded("gemini/0.61.0", &name));
        assert_eq!(event.kind, expected(&name), "{name}");
        assert_eq!(event.host, "gemini");
        assert_eq!(event.cwd.to_str(), Some("/home/user/project"), "{name}");
        assert!(event.session_id.is_some_and(|id| id.starts_with("gemini:")), "{name}");
        assert!(event.transcript.is_some() && !event.can_ask && event.continuation_cap.is_none(), "{name}");
    }
}

#[test]
fn each_argument_stands_for_its_event() {
    for registration in REGISTRATIONS {
        let event = testing::read(&Gemini, registration.argument, &json!({}));
        assert_eq!(event.host_event, registration.event);
    }
}

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        (
            "replace",
            json!({"file_path": "a.py", "old_string": "x", "new_string": "y", "instruction": "i"}),
            edited("/w/a.py", &[("x", "y")]),
        ),
        ("write_file", json!({"file_path": "/w/b", "content": "c"}), written("/w/b", "c")),
        ("run_shell_command", json!({"command": "rm -rf src"}), shell("rm -rf src")),
        (
            "run_shell_command",
            json!({"command": "rm -rf src", "dir_path": "sub dir"}),
            shell("cd 'sub dir' && rm -rf src"),
        ),
        ("read_file", json!({"file_path": "a"}), Action::Other),
        ("grep_search", json!({"pattern": "a", "before": 2, "after": 2}), Action::Other),
        ("write_todos", json!({"todos": []}), Action::Other),
        ("tracker_create_task", json!({"title": "t"}), Action::Other),
        ("mcp_files_write_file", json!({"path": "a", "content": "c"}), written("/w/a", "c")),
        ("mcp_files_delete_file", json!({"path": "a"}), shell("rm -r -- /w/a")),
        ("mcp_files_read_file", json!({"path": "a"}), Action::Other),
        ("mcp_odd_frobnicate", json!({"path": "a"}), Action::Foreign { paths: vec!["/w/a".into()] }),
    ];
    for (tool, input, action) in rows {
        let event = json!({"cwd": "/w", "tool_name": tool, "tool_input": input});
        let read = testing::read(&Gemini, "pre-tool-use", &event);
        assert_eq!(read.kind, EventKind::PreToolUse(call(tool, action)), "{tool}");
        assert!(read.drops_context, "a text before a call does not reach the model");
    }
}

#[test]
fn a_call_that_failed_is_told_from_one_that_ran() {
    let answer = |content: &str| json!({"llmContent": content, "returnDisplay": "no tests"});
    let rows = [
        (answer("Output: no tests\nExit Code: 0"), None),
        (answer("Output: no tests\nExit Code: 5\nProcess Group PGID: 7"), Some("Exit code 5\nno tests")),
        (json!({"llmContent": "x", "error": {"message": "cannot start", "type": "e"}}), Some("cannot start")),
        (json!({"llmContent": "x", "error": null}), None),
    ];
    for (response, error) in rows {
        let event = json!({"tool_name": "run_shell_command", "tool_input": {"command": "pytest"},
            "tool_response": response});
        match testing::read(&Gemini, "post-tool-use", &event).kind {
            EventKind::PostToolUseFailure { error: said, .. } => assert_eq!(Some(said.as_str()), error),
            EventKind::PostToolUse { .. } => assert_eq!(None, error, "{event}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_prompt_without_a_text_is_none() {
    let event = testing::read(&Gemini, "user-prompt-submit", &json!({"prompt": ""}));
    assert_eq!(event.kind, EventKind::Other);
}

#[test]
fn answers_are_in_the_clients_words() {
    let text = || "T".to_owned();
    let rows = [
        ("BeforeTool", Verdict::Deny(text()), json!({"decision": "deny", "reason": "T"})),
        ("BeforeTool", Verdict::Ask(text()), json!({"decision": "ask", "reason": "T"})),
        ("BeforeAgent", Verdict::Deny(text()), json!({"decision": "deny", "reason": "T"})),
        ("AfterAgent", Verdict::Continue(text()), json!({"decision": "deny", "reason": "T"})),
        ("AfterAgent", Verdict::Halt(text()), json!({"continue": false, "stopReason": "T"})),
        (
            "AfterTool",
            Verdict::Context(text()),
            json!({"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "T"}}),
        ),
    ];
    for (event, verdict, expected) in rows {
        assert_eq!(printed(&testing::write(&Gemini, event, verdict, None)), expected, "{event}");
    }
    assert!(testing::write(&Gemini, "BeforeTool", Verdict::Pass, None).is_silent());
    let told = testing::write(&Gemini, "AfterAgent", Verdict::Pass, Some("H"));
    assert_eq!(printed(&told), json!({"systemMessage": "H"}));
}
