//! What the agent is about to do or has done, in words no host owns.
//!
//! A host adapter turns its own JSON into an [`Event`]; nothing behind it knows which agent is speaking.

use std::path::PathBuf;
use std::time::Duration;

pub use super::tool_call::{Action, Chunk, PatchOperation, PatchedFile, ShellDialect, TextEdit, ToolCall};

/// The host whose sessions and tools are called by their own names; those of others have the host's name before them.
pub const CLAUDE_CODE: &str = "claude-code";

/// The name of a host's session where several hosts work: two of them may give the same id.
pub fn session_of(host: &str, id: &str) -> String {
    if host == CLAUDE_CODE { id.to_owned() } else { format!("{host}:{id}") }
}

/// The host of a session by its name; `None` for one of Claude Code's.
pub fn host_of(session: &str) -> Option<&str> {
    session.split_once(':').map(|(host, _)| host).filter(|host| *host != "run")
}

/// One event of a session, as a host reported it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The name of the host that sent it (`claude-code`).
    pub host: &'static str,
    /// The host's own name of the event, for messages and the log (`PreToolUse`).
    pub host_event: String,
    /// The session that the event belongs to. `None` when the host sent none or an empty one: such an event is
    /// never matched with a loop.
    pub session_id: Option<String>,
    /// The session's current directory.
    pub cwd: PathBuf,
    /// Where the client was started, when the host says.
    pub project_dir: Option<PathBuf>,
    /// The host's permission mode, verbatim (`default`, `acceptEdits`, `bypassPermissions`, ...).
    pub permission_mode: Option<String>,
    /// Whether a question reaches somebody who can answer it.
    pub can_ask: bool,
    /// Whether the host's dialog about an edit shows the edit without the reason of the question.
    pub dialogs_hide_reasons: bool,
    /// Whether a text for the model beside a silent answer gets lost.
    pub drops_context: bool,
    /// Whether the client says that no person sits before it: what is typed then comes from a program.
    pub headless: bool,
    /// How many times in a row the host lets a Stop be continued before it ends the turn; `None` is without end.
    pub continuation_cap: Option<u32>,
    /// How long the host waits for the answer, less what it takes to give it; `None` where the event sets its own limit.
    pub patience: Option<Duration>,
    /// Whether the host saw files change while the call ran. A hint: that it saw none says nothing.
    pub saw_changes: bool,
    /// The host's own record of the session, where it says which that is.
    pub transcript: Option<PathBuf>,
    /// The subagent that acts, if it is not the main agent.
    pub agent_id: Option<String>,
    /// What happened.
    pub kind: EventKind,
}

impl Event {
    /// The host, where it is another one than Claude Code.
    pub fn other_host(&self) -> Option<&'static str> {
        (self.host != CLAUDE_CODE).then_some(self.host)
    }

    /// What a call's tool is called in records: with the host's name, where it is another one than Claude Code.
    pub fn tool_name(&self, call: &ToolCall) -> String {
        self.other_host().map_or_else(|| call.tool.clone(), |host| format!("{host}: {}", call.tool))
    }

    /// Whether a text for the model can go with a silent answer to this event.
    pub fn takes_context(&self) -> bool {
        !self.drops_context
            && matches!(
                self.kind,
                EventKind::SessionStart { .. }
                    | EventKind::UserPromptSubmit { .. }
                    | EventKind::PreToolUse(_)
                    | EventKind::PostToolUse { .. }
                    | EventKind::PostToolUseFailure { .. }
            )
    }
}

/// The kinds of event that Steadfast knows.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A session begins or comes back. `source` is the host's word: `startup`, `resume`, `clear`, `compact`.
    SessionStart {
        /// Why the session starts.
        source: String,
    },
    /// A prompt is sent to the model. It may be synthetic, so its text is never proof of a person.
    UserPromptSubmit {
        /// The prompt as typed.
        prompt: String,
    },
    /// A tool is about to run.
    PreToolUse(ToolCall),
    /// A tool has run.
    PostToolUse {
        /// The call.
        call: ToolCall,
        /// What it printed (stdout then stderr for a shell call), possibly cut by the host.
        output: String,
    },
    /// A tool failed.
    PostToolUseFailure {
        /// The call.
        call: ToolCall,
        /// The error text, e.g. `Exit code 3` and the output.
        error: String,
        /// Whether a person interrupted it.
        interrupted: bool,
    },
    /// The agent wants to end its turn.
    Stop {
        /// Whether an earlier Stop of this turn was continued already.
        continued: bool,
        /// The agent's last message.
        last_message: String,
        /// Whether work that the agent started in the background still runs: the host goes on when it ends.
        waiting: bool,
    },
    /// A subagent ends. An empty `agent_type` is a compaction, not an agent.
    SubagentStop {
        /// The subagent's type.
        agent_type: String,
        /// Whether an earlier stop of it was continued already.
        continued: bool,
    },
    /// The conversation is about to be compacted.
    PreCompact,
    /// The session ends; best effort only.
    SessionEnd {
        /// The host's reason.
        reason: String,
    },
    /// An event that Steadfast has nothing to say about.
    Other,
}

impl EventKind {
    /// Whether a session begins, goes on in another client, or was cleared; a compaction is in the middle of one.
    pub fn begins_session(&self) -> bool {
        matches!(self, EventKind::SessionStart { source } if source != "compact")
    }
}
