//! What OpenCode gives a plugin, flattened: the session stands in one place, the call's input in another, the prompt in
//! the parts of a message.

use crate::hosts::json::EventValue;

/// The fields that only this host has.
pub(super) const FIELDS: &[&str] =
    &["args", "callID", "directory", "exit", "input", "parts", "root", "sessionID", "tool", "worktree"];

/// The same by the names that all hosts' events are read by.
pub(super) fn flattened(said: &EventValue) -> EventValue {
    let (before, after) = (said.get("input"), said.get("output"));
    let session = before.filled("sessionID").or_else(|| said.filled("sessionID"));
    // A subagent is a session of its own; what it does belongs to the one that a person talks to.
    let root = said.filled("root").or_else(|| session.clone());
    let subagent = session.filter(|session| root.as_ref() != Some(session));
    let arguments =
        [after.get("args"), before.get("args")].into_iter().find(|it| matches!(it, EventValue::Object(_)));
    let texts: Vec<&str> = after.list("parts").iter().filter_map(|part| part.text("text")).collect();
    let exit = said.filled("exit").filter(|code| code != "0");
    let printed = after.filled("output");
    let failed = exit.map(|code| format!("Exit code {code}\n{}", printed.as_deref().unwrap_or_default()));
    let fields = [
        ("session_id", root),
        ("agent_id", subagent),
        ("cwd", said.filled("directory")),
        ("source", said.filled("source")),
        ("tool_name", before.filled("tool")),
        ("tool_use_id", before.filled("callID")),
        ("prompt", Some(texts.join("\n")).filter(|text| !text.is_empty())),
        ("last_assistant_message", said.filled("message")),
        ("error", failed),
        ("tool_output", printed),
    ];
    let texts =
        fields.into_iter().filter_map(|(name, text)| Some((name.to_owned(), EventValue::Text(text?))));
    let call = arguments.map(|input| ("tool_input".to_owned(), input.clone()));
    EventValue::Object(texts.chain(call).collect())
}
