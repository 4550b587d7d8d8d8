//! How Kimi CLI and Kimi Code speak: some of Claude Code's events, over each client's own tools.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// A stop is continued once; of the end that follows no event tells.
const CAP: u32 = 2;

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("SessionStart", EventMoment::SessionStart),
        ("UserPromptSubmit", EventMoment::Prompt),
        ("PreToolUse", EventMoment::Before),
        ("PostToolUse", EventMoment::After),
        ("PostToolUseFailure", EventMoment::AfterFailure),
        ("Stop", EventMoment::Stop),
        ("SubagentStop", EventMoment::SubagentStop),
        ("PreCompact", EventMoment::Compact),
        ("SessionEnd", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("SetTodoList", ToolAction::Nothing),
            ("TodoList", ToolAction::Nothing),
            ("CreateSubagent", ToolAction::Nothing),
            ("Task", ToolAction::Nothing),
            ("TaskStop", ToolAction::Nothing),
        ],
        folder: &[],
        prefix: "",
        // Tools of servers have the names that their servers give them.
        server: None,
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(CAP),
};
