//! The adapter against what the documents of VS Code say.

use serde_json::{Value, json};

use super::*;
use crate::model::event::{Action, EventKind};
use crate::model::verdict::Verdict;

#[test]
fn its_own_tools_are_commands_edits_and_files() {
    let rows = [
        ("run_in_terminal", json!({"command": "ls", "explanation": "x"}), "Shell"),
        ("replace_string_in_file", json!({"filePath": "/p/a", "oldString": "a", "newString": "b"}), "Edit"),
        ("create_file", json!({"filePath": "/p/a", "content": "x"}), "Write"),
        ("apply_patch", json!({"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}), "Patch"),
        ("read_file", json!({"filePath": "/p/a"}), "Other"),
    ];
    for (tool, input, expected) in rows {
        let bytes =
            json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input}).to_string();
        let call = HookCall { argument: "", bytes: bytes.as_bytes(), env: &|_| None };
        let event = VsCode.read(&call).unwrap();
        let EventKind::PreToolUse(call) = &event.kind else { panic!("{event:?}") };
        let action = match call.action {
            Action::Shell { .. } => "Shell",
            Action::Edit { .. } => "Edit",
            Action::Write { .. } => "Write",
            Action::Patch { .. } => "Patch",
            _ => "Other",
        };
        assert_eq!(action, expected, "{tool}");
    }
}

#[test]
fn a_text_for_the_model_stands_below_the_event() {
    let said = VsCode.write("SessionStart", &Verdict::Context("C".to_owned()).into());
    let said: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(
        said["hookSpecificOutput"],
        json!({"hookEventName": "SessionStart", "additionalContext": "C"})
    );
    let told = VsCode.write("Stop", &Answer::telling("H"));
    assert_eq!(told.stdout, r#"{"systemMessage":"H"}"#);
}
