//! The adapter against events and answers as the client 0.24 sends and takes them.

use serde_json::json;

use super::*;
use crate::hosts::testing::{self, all_recorded, edited, printed, read_with, recorded, shell, written};
use crate::model::event::{Action, EventKind, ToolCall};
use crate::model::verdict::Verdict;

/// What each recorded event says.
fn expected(name: &str) -> EventKind {
    let call = || ToolCall {
        id: Some("toolu_1795814364144_gz7vuhvgj".to_owned()),
        tool: "run_shell_command".to_owned(),
        action: shell("echo hello > out.txt; cat out.txt"),
    };
    match name {
        "SessionStart" => EventKind::SessionStart { source: "startup".to_owned() },
        "UserPromptSubmit" => EventKind::UserPromptSubmit { prompt: "say hi".to_owned() },
        "PreToolUse" => EventKind::PreToolUse(call()),
        "PostToolUse" => EventKind::PostToolUse { call: call(), output: "hello".to_owned() },
        "Stop" => EventKind::Stop { continued: false, last_message: "all done".to_owned(), waiting: false },
        // After the result of a tool there is no prompt, whatever the event's name says.
        _ => EventKind::Other,
    }
}

#[test]
fn every_recorded_event_is_read() {
    let names = all_recorded("qwen/0.24.4");
    assert_eq!(names.len(), 9, "{names:?}");
    for name in names {
        let event = testing::read(&Qwen, "", &recorded("qwen/0.24.4", &name));
        assert_eq!(event.kind, expected(&name), "{name}");
        assert_eq!(event.cwd.to_str(), Some("/home/user/project"), "{name}");
        assert_eq!(event.permission_mode.as_deref(), Some("yolo"), "{name}");
        assert!(event.session_id.is_some() && !event.can_ask, "{name}");
    }
}

#[test]
fn a_question_reaches_a_person_in_the_modes_with_a_dialog() {
    for (mode, asks) in [("default", true), ("plan", true), ("auto_edit", true), ("yolo", false), ("", false)]
    {
        let input = json!({"permission_mode": mode});
        assert_eq!(testing::read(&Qwen, "pre-tool-use", &input).can_ask, asks, "{mode}");
        let always = read_with(&Qwen, "pre-tool-use", &input, &[("STEADFAST_ASK", "always")]);
        let never = read_with(&Qwen, "pre-tool-use", &input, &[("STEADFAST_ASK", "never")]);
        assert!(always.can_ask && !never.can_ask, "{mode}");
        assert!(!testing::read(&Qwen, "stop", &input).can_ask, "a stop takes no question");
    }
}

#[test]
fn the_cap_of_continuations_is_the_clients() {
    let capped =
        |variables: &[(&str, &str)]| read_with(&Qwen, "stop", &json!({}), variables).continuation_cap;
    assert_eq!(capped(&[]), Some(8));
    for (set, cap) in [("20", 20), ("0", 8), ("many", 8)] {
        assert_eq!(capped(&[("QWEN_CODE_STOP_HOOK_BLOCK_CAP", set)]), Some(cap), "{set}");
    }
}

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        (
            "edit",
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
            edited("/w/a", &[("x", "y")]),
        ),
        ("write_file", json!({"file_path": "a", "content": "c"}), written("/w/a", "c")),
        ("monitor", json!({"command": "tail -f log"}), shell("tail -f log")),
        (
            "notebook_edit",
            json!({"notebook_path": "n.ipynb", "cell_id": "c", "edit_mode": "delete"}),
            Action::NotebookEdit {
                path: "/w/n.ipynb".into(),
                cell_id: Some("c".to_owned()),
                mode: "delete".to_owned(),
                source: String::new(),
            },
        ),
        (
            "cron_create",
            json!({"prompt": "/steadfast:allow X7", "cron": "* * * * *"}),
            shell("steadfast allow CODE"),
        ),
        ("loop_wakeup", json!({"prompt": "look again"}), Action::Other),
        ("todo_write", json!({"todos": []}), Action::Other),
        ("agent", json!({"prompt": "delete src"}), Action::Other),
        ("exec", json!({"code": "x"}), Action::Foreign { paths: vec![] }),
        ("mcp__fs__write_file", json!({"path": "a", "content": "c"}), written("/w/a", "c")),
    ];
    for (tool, input, action) in rows {
        let event = json!({"cwd": "/w", "tool_name": tool, "tool_input": input});
        let EventKind::PreToolUse(call) = testing::read(&Qwen, "pre-tool-use", &event).kind else {
            panic!("a call")
        };
        assert_eq!(call.action, action, "{tool}");
    }
}

#[test]
fn answers_are_in_the_clients_words() {
    let text = || "T".to_owned();
    let permission = |decision: &str| {
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision,
            "permissionDecisionReason": "T"}})
    };
    let rows = [
        ("PreToolUse", Verdict::Deny(text()), permission("deny")),
        ("PreToolUse", Verdict::Ask(text()), permission("ask")),
        ("UserPromptSubmit", Verdict::Deny(text()), json!({"decision": "block", "reason": "T"})),
        ("Stop", Verdict::Continue(text()), json!({"decision": "block", "reason": "T"})),
        (
            "PostToolUse",
            Verdict::Context(text()),
            json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "T"}}),
        ),
    ];
    for (event, verdict, expected) in rows {
        assert_eq!(printed(&testing::write(&Qwen, event, verdict, None)), expected, "{event}");
    }
    assert!(testing::write(&Qwen, "Stop", Verdict::Pass, None).is_silent());
}
