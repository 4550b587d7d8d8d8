//! How Goose speaks: the hooks of Open Plugins, over the tools of its extensions.

use crate::hosts::said::{EventMoment, EventProtocol, cap};
use crate::hosts::tools::{ToolAction, Tools};

/// Bounds how often a stop is continued.
const CAP_VARIABLE: &str = "GOOSE_STOP_HOOK_BLOCK_CAP";
/// The client's own bound.
const CAP: u32 = 8;

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("SessionStart", EventMoment::SessionStart),
        ("UserPromptSubmit", EventMoment::Prompt),
        ("PreToolUse", EventMoment::Before),
        ("PostToolUse", EventMoment::After),
        ("PostToolUseFailure", EventMoment::AfterFailure),
        ("Stop", EventMoment::Stop),
        ("SessionEnd", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[("analyze", ToolAction::Nothing), ("todo__todo_write", ToolAction::Nothing)],
        folder: &[],
        prefix: "developer__",
        // The tools of all extensions, the client's own too, are called `extension__tool`, or `tool` alone.
        server: None,
    },
    project: &[],
    asks: |_| false,
    continuations: |call| cap(call, CAP_VARIABLE, CAP),
};
