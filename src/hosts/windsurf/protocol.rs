//! How Windsurf's Cascade speaks: one event for each kind of call, and exit codes alone.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("pre_user_prompt", EventMoment::Prompt),
        ("pre_run_command", EventMoment::Before),
        ("pre_write_code", EventMoment::Before),
        ("pre_mcp_tool_use", EventMoment::Before),
        ("post_run_command", EventMoment::After),
        ("post_write_code", EventMoment::After),
        ("post_mcp_tool_use", EventMoment::After),
        ("post_cascade_response", EventMoment::Stop),
    ],
    tools: Tools {
        own: &[("write_code", ToolAction::Like("edit"))],
        folder: &[],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(1),
};
