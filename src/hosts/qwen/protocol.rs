//! How Qwen Code speaks: Claude Code's events over tools of its own (0.24).

use crate::hosts::said::{EventMoment, EventProtocol, cap};
use crate::hosts::tools::{ToolAction, Tools};

/// Bounds how often a stop is continued; it can't be lifted.
const CAP_VARIABLE: &str = "QWEN_CODE_STOP_HOOK_BLOCK_CAP";
/// The client's own bound.
const CAP: u32 = 8;
/// The modes in which a dialog opens. `yolo` has none, and what it does about a question no document says.
const ASKING_MODES: &[&str] = &["default", "plan", "auto_edit"];

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("SessionStart", EventMoment::SessionStart),
        ("UserPromptSubmit", EventMoment::Prompt),
        ("PreToolUse", EventMoment::Before),
        ("PostToolUse", EventMoment::After),
        ("PostToolUseFailure", EventMoment::AfterFailure),
        ("Stop", EventMoment::Stop),
        ("SubagentStop", EventMoment::SubagentStop),
        ("PreCompact", EventMoment::Compact),
        ("SessionEnd", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("agent", ToolAction::Nothing),
            ("create_sub_session", ToolAction::Nothing),
            ("cron_create", ToolAction::Scheduled),
            ("cron_delete", ToolAction::Nothing),
            ("exec", ToolAction::Unknown),
            ("loop_wakeup", ToolAction::Scheduled),
            ("monitor", ToolAction::Like("run_command")),
            ("notebook_edit", ToolAction::Notebook),
            ("request_shutdown", ToolAction::Nothing),
            ("save_memory", ToolAction::Nothing),
            ("skill", ToolAction::Nothing),
            ("task_create", ToolAction::Nothing),
            ("task_stop", ToolAction::Nothing),
            ("task_update", ToolAction::Nothing),
            ("team_create", ToolAction::Nothing),
            ("team_delete", ToolAction::Nothing),
            ("todo_write", ToolAction::Nothing),
            ("update_goal", ToolAction::Nothing),
        ],
        folder: &["directory"],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &["QWEN_PROJECT_DIR"],
    asks: |mode| mode.is_some_and(|mode| ASKING_MODES.contains(&mode)),
    continuations: |call| cap(call, CAP_VARIABLE, CAP),
};
