//! How Kiro CLI speaks, and Amazon Q before it: exit codes, and stdout for the model where a turn begins.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("agentSpawn", EventMoment::SessionStart),
        ("userPromptSubmit", EventMoment::Prompt),
        ("preToolUse", EventMoment::Before),
        ("postToolUse", EventMoment::After),
        ("stop", EventMoment::Stop),
    ],
    tools: Tools {
        own: &[
            ("fs_write", ToolAction::Like("text_editor")),
            ("write", ToolAction::Like("text_editor")),
            ("todo_list", ToolAction::Nothing),
        ],
        folder: &[],
        prefix: "",
        server: Some("@"),
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(1),
};
