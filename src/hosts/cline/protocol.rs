//! How Cline speaks: the command line (3.0) and the extension for editors, each with tools of its own.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("TaskStart", EventMoment::SessionStart),
        ("TaskResume", EventMoment::SessionStart),
        ("UserPromptSubmit", EventMoment::Prompt),
        ("PreToolUse", EventMoment::Before),
        ("PostToolUse", EventMoment::After),
        ("TaskComplete", EventMoment::Stop),
        ("SessionShutdown", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("apply_patch", ToolAction::Like("apply_patch")),
            ("editor", ToolAction::Pieces),
            ("new_rule", ToolAction::Nothing),
            ("new_task", ToolAction::Nothing),
            ("replace_in_file", ToolAction::Blocks),
            ("run_commands", ToolAction::Commands),
            ("skills", ToolAction::Nothing),
            ("use_mcp_tool", ToolAction::Unknown),
        ],
        folder: &[],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(1),
};
