//! How Goose speaks: the hooks of Open Plugins, over the tools of its extensions.

use crate::hosts::said::{Moment, Protocol, cap};
use crate::hosts::tools::{Does, Tools};

/// Bounds how often a stop is continued.
const CAP_VARIABLE: &str = "GOOSE_STOP_HOOK_BLOCK_CAP";
/// The client's own bound.
const CAP: u32 = 8;

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("SessionStart", Moment::SessionStart),
        ("UserPromptSubmit", Moment::Prompt),
        ("PreToolUse", Moment::Before),
        ("PostToolUse", Moment::After),
        ("PostToolUseFailure", Moment::AfterFailure),
        ("Stop", Moment::Stop),
        ("SessionEnd", Moment::SessionEnd),
    ],
    tools: Tools {
        own: &[("analyze", Does::Nothing), ("todo__todo_write", Does::Nothing)],
        folder: &[],
        prefix: "developer__",
        // The tools of all extensions, the client's own too, are called `extension__tool`, or `tool` alone.
        server: None,
    },
    project: &[],
    asks: |_| false,
    continuations: |call| cap(call, CAP_VARIABLE, CAP),
};
