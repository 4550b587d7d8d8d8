//! How Crush speaks: one event, before a call of the main agent.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[("PreToolUse", Moment::Before)],
    tools: Tools {
        own: &[
            ("download", Does::Unknown),
            ("job_kill", Does::Nothing),
            ("multiedit", Does::Like("edit")),
            ("todos", Does::Nothing),
        ],
        folder: &[],
        prefix: "",
        server: Some("mcp_"),
    },
    project: &["CRUSH_PROJECT_DIR"],
    asks: |_| false,
    continuations: |_| Some(1),
};
