//! What Windsurf says, flattened: the event's name says which tool it is, and the call stands in `tool_info`.

use crate::hosts::json::EventValue;

/// The fields that only this host has.
pub(super) const FIELDS: &[&str] = &[
    "agent_action_name",
    "mcp_result",
    "mcp_server_name",
    "mcp_tool_arguments",
    "mcp_tool_name",
    "response",
    "tool_info",
    "trajectory_id",
    "user_prompt",
];

/// The same by the names that all hosts' events are read by.
pub(super) fn flattened(event: &str, said: &EventValue) -> EventValue {
    let call = said.get("tool_info");
    let of_server = event.ends_with("mcp_tool_use");
    let tool = match event.split_once('_') {
        Some(_) if of_server => {
            Some(format!("mcp__{}__{}", call.string("mcp_server_name"), call.string("mcp_tool_name")))
        }
        Some((_, tool)) => Some(tool.to_owned()),
        None => None,
    };
    let input = if of_server { call.get("mcp_tool_arguments") } else { call };
    let fields = [
        ("session_id", said.filled("trajectory_id")),
        ("cwd", call.filled("cwd")),
        ("tool_name", tool),
        ("prompt", call.filled("user_prompt")),
        ("last_assistant_message", call.filled("response")),
        ("tool_output", call.filled("mcp_result")),
    ];
    let texts =
        fields.into_iter().filter_map(|(name, text)| Some((name.to_owned(), EventValue::Text(text?))));
    EventValue::Object(texts.chain([("tool_input".to_owned(), input.clone())]).collect())
}
