//! How Kimi CLI and Kimi Code speak: some of Claude Code's events, over each client's own tools.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// A stop is continued once; of the end that follows no event tells.
const CAP: u32 = 2;

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("SessionStart", Moment::SessionStart),
        ("UserPromptSubmit", Moment::Prompt),
        ("PreToolUse", Moment::Before),
        ("PostToolUse", Moment::After),
        ("PostToolUseFailure", Moment::AfterFailure),
        ("Stop", Moment::Stop),
        ("SubagentStop", Moment::SubagentStop),
        ("PreCompact", Moment::Compact),
        ("SessionEnd", Moment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("SetTodoList", Does::Nothing),
            ("TodoList", Does::Nothing),
            ("CreateSubagent", Does::Nothing),
            ("Task", Does::Nothing),
            ("TaskStop", Does::Nothing),
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
