//! How Crush speaks: one event, before a call of the main agent.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[("PreToolUse", EventMoment::Before)],
    tools: Tools {
        own: &[
            ("download", ToolAction::Unknown),
            ("job_kill", ToolAction::Nothing),
            ("multiedit", ToolAction::Like("edit")),
            ("todos", ToolAction::Nothing),
        ],
        folder: &[],
        prefix: "",
        server: Some("mcp_"),
    },
    project: &["CRUSH_PROJECT_DIR"],
    asks: |_| false,
    continuations: |_| Some(1),
};
