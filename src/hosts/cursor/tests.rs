//! The adapter against what the documents of Cursor say.

use std::path::Path;

use super::*;
use crate::model::event::Action;

fn read(argument: &str, input: &Value) -> Event {
    let bytes = input.to_string();
    Cursor.read(&HookCall { argument, bytes: bytes.as_bytes(), env: &|_| None }).expect("readable")
}

#[test]
fn a_call_is_read_with_its_conversation_and_its_place() {
    let event = read(
        "",
        &json!({
            "conversation_id": "c-1", "generation_id": "g", "hook_event_name": "preToolUse", "cursor_version": "1.7",
            "workspace_roots": ["/p"], "cwd": "", "tool_name": "Shell", "tool_input": {"command": "ls"},
            "tool_use_id": "t",
        }),
    );
    assert_eq!((event.session_id.as_deref(), event.cwd.as_path()), (Some("cursor:c-1"), Path::new("/p")));
    let EventKind::PreToolUse(call) = &event.kind else { panic!("{event:?}") };
    assert!(matches!(&call.action, Action::Shell { command, .. } if command == "ls"));
    assert!(!event.can_ask && !event.takes_context());
}

#[test]
fn a_turn_that_a_person_ended_is_not_continued() {
    let stop = |status: &str| {
        let input =
            json!({"conversation_id": "c", "hook_event_name": "stop", "status": status, "loop_count": 0});
        read("stop", &input).kind
    };
    assert!(matches!(stop("completed"), EventKind::Stop { .. }));
    assert_eq!(stop("aborted"), EventKind::Other);
    assert_eq!(stop("error"), EventKind::Other);
}

#[test]
fn answers_are_flat() {
    let said = |event: &str, verdict: Verdict| Cursor.write(event, &verdict.into()).stdout;
    let rows = [
        (
            said("preToolUse", Verdict::Deny("R".to_owned())),
            r#"{"permission":"deny","user_message":"R","agent_message":"R"}"#,
        ),
        (
            said("beforeSubmitPrompt", Verdict::Deny("R".to_owned())),
            r#"{"continue":false,"user_message":"R"}"#,
        ),
        (said("postToolUse", Verdict::Context("C".to_owned())), r#"{"additional_context":"C"}"#),
        (said("stop", Verdict::Continue("C".to_owned())), r#"{"followup_message":"C"}"#),
        (said("preToolUse", Verdict::Pass), ""),
    ];
    for (said, expected) in rows {
        assert_eq!(said, expected);
    }
}
