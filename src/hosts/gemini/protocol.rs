//! How Gemini CLI speaks: its events, its tools and its limits (0.61). Tabnine's CLI is a fork and speaks alike.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("SessionStart", Moment::SessionStart),
        ("BeforeAgent", Moment::Prompt),
        ("BeforeTool", Moment::Before),
        ("AfterTool", Moment::After),
        ("AfterAgent", Moment::Stop),
        ("SessionEnd", Moment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("activate_skill", Does::Nothing),
            ("complete_task", Does::Nothing),
            ("save_memory", Does::Nothing),
            ("take_snapshot", Does::Nothing),
            ("tracker_add_dependency", Does::Nothing),
            ("tracker_create_task", Does::Nothing),
            ("tracker_update_task", Does::Nothing),
            ("update_topic", Does::Nothing),
            ("write_todos", Does::Nothing),
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
