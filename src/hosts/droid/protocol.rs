//! How Factory's Droid speaks: Claude Code's events over tools of its own.

use crate::hosts::said::{EventMoment, EventProtocol};
use crate::hosts::tools::{ToolAction, Tools};

/// The modes in which a person is asked about calls; the others let some through by themselves.
const ASKING_MODES: &[&str] = &["off", "spec"];

/// The tables.
pub(super) static PROTOCOL: EventProtocol = EventProtocol {
    events: &[
        ("SessionStart", EventMoment::SessionStart),
        ("UserPromptSubmit", EventMoment::Prompt),
        ("PreToolUse", EventMoment::Before),
        ("PostToolUse", EventMoment::After),
        ("Stop", EventMoment::Stop),
        ("SubagentStop", EventMoment::SubagentStop),
        ("PreCompact", EventMoment::Compact),
        ("SessionEnd", EventMoment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("ApplyPatch", ToolAction::Like("apply_patch")),
            ("MultiEdit", ToolAction::Like("edit")),
            ("Task", ToolAction::Nothing),
            ("TodoWrite", ToolAction::Nothing),
        ],
        folder: &[],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
    asks: |mode| mode.is_some_and(|mode| ASKING_MODES.contains(&mode)),
    continuations: |_| None,
};
