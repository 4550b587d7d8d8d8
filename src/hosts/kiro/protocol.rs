//! How Kiro CLI speaks, and Amazon Q before it: exit codes, and stdout for the model where a turn begins.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("agentSpawn", Moment::SessionStart),
        ("userPromptSubmit", Moment::Prompt),
        ("preToolUse", Moment::Before),
        ("postToolUse", Moment::After),
        ("stop", Moment::Stop),
    ],
    tools: Tools {
        own: &[
            ("fs_write", Does::Like("text_editor")),
            ("write", Does::Like("text_editor")),
            ("todo_list", Does::Nothing),
        ],
        folder: &[],
        prefix: "",
        server: Some("@"),
    },
    project: &[],
    asks: |_| false,
    continuations: |_| Some(1),
};
