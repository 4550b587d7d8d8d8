//! How Gemini CLI speaks: its events, its tools and its limits (0.61). Tabnine's CLI is a fork and speaks alike.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("SessionStart", EventMoment::SessionStart),
        ("BeforeAgent", EventMoment::Prompt),
        ("BeforeTool", EventMoment::Before),
        ("AfterTool", EventMoment::After),
        ("AfterAgent", EventMoment::Stop),
        ("SessionEnd", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("activate_skill", ToolAction::Nothing),
            ("complete_task", ToolAction::Nothing),
            ("save_memory", ToolAction::Nothing),
            ("take_snapshot", ToolAction::Nothing),
            ("tracker_add_dependency", ToolAction::Nothing),
            ("tracker_create_task", ToolAction::Nothing),
            ("tracker_update_task", ToolAction::Nothing),
            ("update_topic", ToolAction::Nothing),
            ("write_todos", ToolAction::Nothing),
        ],
        folder: &["dir_path", "directory"],
        prefix: "",
        server: Some("mcp_"),
    },
    project: &["GEMINI_PROJECT_DIR"],
    // Without a terminal a question ends the run in the middle of a turn, and no event says whether there is one.
    asks: |_| false,
    continuations: |_| None,
};
