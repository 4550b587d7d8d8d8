//! How Cline speaks: the command line (3.0) and the extension for editors, each with tools of its own.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("TaskStart", Moment::SessionStart),
        ("TaskResume", Moment::SessionStart),
        ("UserPromptSubmit", Moment::Prompt),
        ("PreToolUse", Moment::Before),
        ("PostToolUse", Moment::After),
        ("TaskComplete", Moment::Stop),
        ("SessionShutdown", Moment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("apply_patch", Does::Like("apply_patch")),
            ("editor", Does::Pieces),
            ("new_rule", Does::Nothing),
            ("new_task", Does::Nothing),
            ("replace_in_file", Does::Blocks),
            ("run_commands", Does::Commands),
            ("skills", Does::Nothing),
            ("use_mcp_tool", Does::Unknown),
        ],
        folder: &[],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(1),
};
