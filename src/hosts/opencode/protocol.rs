//! How OpenCode speaks through the module that the installation puts into its plugins: what the client gives a plugin,
//! as it is.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("session.created", EventMoment::SessionStart),
        ("chat.message", EventMoment::Prompt),
        ("tool.execute.before", EventMoment::Before),
        ("tool.execute.after", EventMoment::After),
        ("session.idle", EventMoment::Stop),
        ("session.compacting", EventMoment::Compact),
        ("session.deleted", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("apply_patch", ToolAction::Like("apply_patch")),
            ("batch", ToolAction::Unknown),
            ("invalid", ToolAction::Nothing),
            ("lsp", ToolAction::Nothing),
            ("multiedit", ToolAction::Like("edit")),
            ("patch", ToolAction::Like("apply_patch")),
            ("plan_enter", ToolAction::Nothing),
            ("plan_exit", ToolAction::Nothing),
            ("question", ToolAction::Nothing),
            ("skill", ToolAction::Nothing),
            ("task", ToolAction::Nothing),
            ("todoread", ToolAction::Nothing),
            ("todowrite", ToolAction::Nothing),
            ("webfetch", ToolAction::Nothing),
            ("websearch", ToolAction::Nothing),
            ("codesearch", ToolAction::Nothing),
        ],
        folder: &[],
        prefix: "",
        // A server's tool is called `server_tool`, without a mark.
        server: None,
    },
    project: &[],
    asks: |_| false,
    continuations: |_| None,
};
