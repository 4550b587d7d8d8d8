//! How Factory's Droid speaks: Claude Code's events over tools of its own.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The modes in which a person is asked about calls; the others let some through by themselves.
const ASKING_MODES: &[&str] = &["off", "spec"];

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("SessionStart", Moment::SessionStart),
        ("UserPromptSubmit", Moment::Prompt),
        ("PreToolUse", Moment::Before),
        ("PostToolUse", Moment::After),
        ("Stop", Moment::Stop),
        ("SubagentStop", Moment::SubagentStop),
        ("PreCompact", Moment::Compact),
        ("SessionEnd", Moment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("ApplyPatch", Does::Like("apply_patch")),
            ("MultiEdit", Does::Like("edit")),
            ("Task", Does::Nothing),
            ("TodoWrite", Does::Nothing),
        ],
        folder: &[],
        prefix: "",
        server: Some("mcp__"),
    },
    project: &["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
    asks: |mode| mode.is_some_and(|mode| ASKING_MODES.contains(&mode)),
    continuations: |_| None,
};
