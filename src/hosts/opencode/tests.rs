//! The adapter against what the client 1.18 gives a plugin, and against what the module does with answers.

use serde_json::{Value, json};

use super::*;
use crate::hosts::testing::{self, all_recorded, edited, printed, recorded, shell, written};
use crate::model::event::{Action, EventKind, ToolCall};

/// What each recorded event says.
fn expected(name: &str) -> EventKind {
    let call = || ToolCall {
        id: Some("call_84".to_owned()),
        tool: "bash".to_owned(),
        action: shell("echo hello > out.txt; cat out.txt"),
    };
    match name {
        "chat.message" => EventKind::UserPromptSubmit { prompt: "\"say hi\"".to_owned() },
        "tool.execute.before" => EventKind::PreToolUse(call()),
        "tool.execute.after" => EventKind::PostToolUse { call: call(), output: "hello\n".to_owned() },
        _ => EventKind::Other,
    }
}

#[test]
fn every_recorded_event_is_read() {
    let names = all_recorded("opencode/1.18.33");
    assert_eq!(names.len(), 12, "{names:?}");
    for name in names {
        // The file is called as the event is; the module gives the argument of those that it passes on.
        let argument = REGISTRATIONS.iter().find(|one| one.event == name).map_or("other", |one| one.argument);
        let event = testing::read(&OpenCode, argument, &recorded("opencode/1.18.33", &name));
        assert_eq!(event.kind, expected(&name), "{name}");
        assert_eq!(event.cwd.to_str(), Some("/home/user/project"), "{name}");
        if event.kind != EventKind::Other {
            assert_eq!(
                event.session_id.as_deref(),
                Some("opencode:ses_de119e310ffeu5dAVu2raFEoMu"),
                "{name}"
            );
        }
    }
}

#[test]
fn a_subagents_call_belongs_to_the_session_that_a_person_talks_to() {
    let event = json!({"directory": "/w", "worktree": "/w", "root": "ses_1",
        "input": {"tool": "bash", "sessionID": "ses_2", "callID": "c"}, "output": {"args": {"command": "ls"}}});
    let read = testing::read(&OpenCode, "pre-tool-use", &event);
    assert_eq!(
        (read.session_id.as_deref(), read.agent_id.as_deref()),
        (Some("opencode:ses_1"), Some("ses_2"))
    );
}

#[test]
fn inputs_of_tools_become_actions() {
    let rows = [
        ("bash", json!({"command": "ls", "workdir": "/s"}), shell("cd /s && ls")),
        ("edit", json!({"filePath": "a", "oldString": "x", "newString": "y"}), edited("/w/a", &[("x", "y")])),
        ("write", json!({"filePath": "/w/a", "content": "c"}), written("/w/a", "c")),
        ("read", json!({"filePath": "a"}), Action::Other),
        ("todowrite", json!({"todos": []}), Action::Other),
        ("task", json!({"prompt": "delete src"}), Action::Other),
        ("fs_delete_file", json!({"path": "a"}), shell("rm -r -- /w/a")),
        ("odd_frobnicate", json!({"path": "a"}), Action::Foreign { paths: vec!["/w/a".into()] }),
    ];
    for (tool, args, action) in rows {
        let event = json!({"directory": "/w", "worktree": "/w", "input": {"tool": tool, "sessionID": "s", "callID": "c"},
            "output": {"args": args}});
        let EventKind::PreToolUse(call) = testing::read(&OpenCode, "pre-tool-use", &event).kind else {
            panic!("a call")
        };
        assert_eq!(call.action, action, "{tool}");
    }
}

#[test]
fn a_command_that_failed_is_told_by_its_exit_code() {
    let ended = |code: &str| -> Value {
        json!({"directory": "/w", "exit": code, "input": {"tool": "bash", "sessionID": "s", "callID": "c",
            "args": {"command": "pytest"}}, "output": {"output": "1 failed"}})
    };
    let failed = testing::read(&OpenCode, "post-tool-use", &ended("1")).kind;
    assert!(
        matches!(&failed, EventKind::PostToolUseFailure { error, .. } if error == "Exit code 1\n1 failed"),
        "{failed:?}"
    );
    let ran = testing::read(&OpenCode, "post-tool-use", &ended("0")).kind;
    assert!(matches!(ran, EventKind::PostToolUse { output, .. } if output == "1 failed"));
}

#[test]
fn answers_are_words_for_the_module() {
    let write = |event, verdict| testing::write(&OpenCode, event, verdict, Some("H"));
    for (event, verdict, word) in [
        ("tool.execute.before", Verdict::Deny("T".to_owned()), "deny"),
        ("chat.message", Verdict::Context("T".to_owned()), "context"),
        ("session.idle", Verdict::Continue("T".to_owned()), "continue"),
    ] {
        assert_eq!(printed(&write(event, verdict)), json!({word: "T", "human": "H"}), "{event}");
    }
    assert!(testing::write(&OpenCode, "session.idle", Verdict::Pass, None).is_silent());
}
