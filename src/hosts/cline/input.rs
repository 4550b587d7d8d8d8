//! What Cline says, flattened. The command line says a call twice; in the editor's extension all values of its input are
//! texts.

use crate::hosts::json::EventValue;

/// The fields that only this host has.
pub(super) const FIELDS: &[&str] = &[
    "hook_name",
    "id",
    "initial_task",
    "input",
    "name",
    "output_text",
    "parameters",
    "parent_agent_id",
    "post_tool_use",
    "pre_tool_use",
    "success",
    "task_id",
    "task_metadata",
    "task_start",
    "tool_call",
    "tool_result",
    "turn",
    "user_prompt_submit",
    "workspace_roots",
];

/// The same by the names that all hosts' events are read by.
pub(super) fn flattened(said: &EventValue) -> EventValue {
    let by_line =
        ["tool_call", "tool_result"].map(|field| said.get(field)).into_iter().find(|it| it.has("name"));
    let by_editor = ["pre_tool_use", "post_tool_use"]
        .map(|field| said.get(field))
        .into_iter()
        .find(|it| it.has("tool_name"));
    let tool = by_line.and_then(|call| call.filled("name")).or_else(|| by_editor?.filled("tool_name"));
    let input = by_line.map(|call| call.get("input")).or_else(|| Some(by_editor?.get("parameters")));
    let result = by_line.map(|call| call.get("output")).or_else(|| Some(by_editor?.get("result")));
    let root = said.list("workspace_roots").first().and_then(EventValue::as_text).map(str::to_owned);
    let fields = [
        ("session_id", said.filled("task_id")),
        ("agent_id", said.filled("parent_agent_id").and_then(|_| said.filled("agent_id"))),
        ("cwd", root),
        ("tool_name", tool),
        ("tool_use_id", by_line.and_then(|call| call.filled("id"))),
        ("prompt", said.get("user_prompt_submit").filled("prompt")),
        ("last_assistant_message", said.get("turn").filled("output_text")),
    ];
    let texts =
        fields.into_iter().filter_map(|(name, text)| Some((name.to_owned(), EventValue::Text(text?))));
    let values = [("tool_input", input), ("tool_output", result)]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.clone())));
    EventValue::Object(texts.chain(values).collect())
}

/// The event that the bytes name: the command line has words of its own for them.
pub(super) fn event_name(said: &EventValue) -> Option<&str> {
    let told = said.text("hook_name")?;
    NAMES.iter().find(|(word, _)| *word == told).map_or(Some(told), |(_, event)| Some(event))
}

/// The command line's words, and the events that they are.
const NAMES: &[(&str, &str)] = &[
    ("agent_start", "TaskStart"),
    ("agent_resume", "TaskResume"),
    ("prompt_submit", "UserPromptSubmit"),
    ("tool_call", "PreToolUse"),
    ("tool_result", "PostToolUse"),
    ("agent_end", "TaskComplete"),
    ("session_shutdown", "SessionShutdown"),
];
