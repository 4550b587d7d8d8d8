//! How Qwen Code speaks: Claude Code's events over tools of its own (0.24).

use crate::hosts::said::{Moment, Protocol, cap};
use crate::hosts::tools::{Does, Tools};

/// Bounds how often a stop is continued; it can't be lifted.
const CAP_VARIABLE: &str = "QWEN_CODE_STOP_HOOK_BLOCK_CAP";
/// The client's own bound.
const CAP: u32 = 8;
/// The modes in which a dialog opens. `yolo` has none, and what it does about a question no document says.
const ASKING_MODES: &[&str] = &["default", "plan", "auto_edit"];

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
            ("agent", Does::Nothing),
            ("create_sub_session", Does::Nothing),
            ("cron_create", Does::Scheduled),
            ("cron_delete", Does::Nothing),
            ("exec", Does::Unknown),
            ("loop_wakeup", Does::Scheduled),
            ("monitor", Does::Like("run_command")),
            ("notebook_edit", Does::Notebook),
            ("request_shutdown", Does::Nothing),
            ("save_memory", Does::Nothing),
            ("skill", Does::Nothing),
            ("task_create", Does::Nothing),
            ("task_stop", Does::Nothing),
            ("task_update", Does::Nothing),
            ("team_create", Does::Nothing),
            ("team_delete", Does::Nothing),
            ("todo_write", Does::Nothing),
            ("update_goal", Does::Nothing),
        ],
        folder: &["directory"],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &["QWEN_PROJECT_DIR"],
    asks: |mode| mode.is_some_and(|mode| ASKING_MODES.contains(&mode)),
    continuations: |call| cap(call, CAP_VARIABLE, CAP),
};
