//! How Windsurf's Cascade speaks: one event for each kind of call, and exit codes alone.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("pre_user_prompt", Moment::Prompt),
        ("pre_run_command", Moment::Before),
        ("pre_write_code", Moment::Before),
        ("pre_mcp_tool_use", Moment::Before),
        ("post_run_command", Moment::After),
        ("post_write_code", Moment::After),
        ("post_mcp_tool_use", Moment::After),
        ("post_cascade_response", Moment::Stop),
    ],
    tools: Tools {
        own: &[("write_code", Does::Like("edit"))],
        folder: &[],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(1),
};
