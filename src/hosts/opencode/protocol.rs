//! How OpenCode speaks through the module that the installation puts into its plugins: what the client gives a plugin,
//! as it is.

use crate::hosts::said::{Moment, Protocol};
use crate::hosts::tools::{Does, Tools};

/// The tables.
pub(super) static PROTOCOL: Protocol = Protocol {
    events: &[
        ("session.created", Moment::SessionStart),
        ("chat.message", Moment::Prompt),
        ("tool.execute.before", Moment::Before),
        ("tool.execute.after", Moment::After),
        ("session.idle", Moment::Stop),
        ("session.compacting", Moment::Compact),
        ("session.deleted", Moment::SessionEnd),
    ],
    tools: Tools {
        own: &[
            ("apply_patch", Does::Like("apply_patch")),
            ("batch", Does::Unknown),
            ("invalid", Does::Nothing),
            ("lsp", Does::Nothing),
            ("multiedit", Does::Like("edit")),
            ("patch", Does::Like("apply_patch")),
            ("plan_enter", Does::Nothing),
            ("plan_exit", Does::Nothing),
            ("question", Does::Nothing),
            ("skill", Does::Nothing),
            ("task", Does::Nothing),
            ("todoread", Does::Nothing),
            ("todowrite", Does::Nothing),
            ("webfetch", Does::Nothing),
            ("websearch", Does::Nothing),
            ("codesearch", Does::Nothing),
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
