//! What of a host's events is registered, and what the host can do with an answer there.

use std::time::Duration;

use crate::model::verdict::VerdictKind;

/// One event of a host that calls the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registration {
    /// The host's name of the event.
    pub event: &'static str,
    /// The hook's argument for it, which is the same for all hosts where they have the event (`pre-tool-use`).
    pub argument: &'static str,
    /// The verdicts that the host takes as an answer; silence always.
    pub takes: &'static [VerdictKind],
    /// Whether a message beside the answer reaches the person.
    pub tells: bool,
    /// After so many seconds the host kills the hook and goes on.
    pub timeout_seconds: u32,
    /// After so many seconds the hook answers with what it has, which is before the host kills it; the time begins when
    /// the event was read. `None` where the lifecycle sets the deadline itself: a stop may run the project's tests.
    pub deadline_seconds: Option<u32>,
    /// The tools that the event is wanted for; `None` where the event has no tool.
    pub matcher: Option<&'static str>,
    /// Whether only settings register it, and no plugin: older hosts don't know it.
    pub settings_only: bool,
}

/// The moments of a session, each by Claude Code's name of its event, with the times that are registered for it where the
/// host has none of its own. A registration says what differs: what the host takes, tells and calls it.
impl Registration {
    /// An event that takes nothing but silence, to fill in what a registration doesn't say.
    pub const PLAIN: Registration = Registration {
        event: "",
        argument: "",
        takes: &[],
        tells: false,
        timeout_seconds: 10,
        deadline_seconds: Some(8),
        matcher: None,
        settings_only: false,
    };

    /// A session begins.
    pub const SESSION_START: Registration = Registration::at("SessionStart", "session-start", (10, Some(8)));
    /// A prompt was typed. A typed loop looks at its criterion and keeps the tree first.
    pub const PROMPT: Registration =
        Registration::at("UserPromptSubmit", "user-prompt-submit", (30, Some(8)));
    /// A call is about to run. Git may have to look through a large repository on a busy machine first, and its answer
    /// decides.
    pub const BEFORE_CALL: Registration = Registration::at("PreToolUse", "pre-tool-use", (60, Some(50)));
    /// A call has run.
    pub const AFTER_CALL: Registration = Registration::at("PostToolUse", "post-tool-use", (15, Some(12)));
    /// A call has failed.
    pub const AFTER_FAILURE: Registration =
        Registration::at("PostToolUseFailure", "post-tool-use-failure", (15, Some(12)));
    /// A turn ends. The loop's own verification runs, which may be a whole test suite.
    pub const STOP: Registration = Registration::at("Stop", "stop", (3600, None));
    /// A subagent's turn ends.
    pub const SUBAGENT_STOP: Registration = Registration::at("SubagentStop", "subagent-stop", (60, Some(8)));
    /// The conversation is about to be shortened.
    pub const COMPACT: Registration = Registration::at("PreCompact", "pre-compact", (10, Some(8)));
    /// A session ends.
    pub const SESSION_END: Registration = Registration::at("SessionEnd", "session-end", (5, Some(4)));

    const fn at(
        event: &'static str,
        argument: &'static str,
        (timeout_seconds, deadline_seconds): (u32, Option<u32>),
    ) -> Registration {
        Registration { event, argument, timeout_seconds, deadline_seconds, ..Registration::PLAIN }
    }

    /// How long the event may take to be answered. `None` where the lifecycle sets its own deadline.
    pub fn patience(&self) -> Option<Duration> {
        self.deadline_seconds.map(|seconds| Duration::from_secs(seconds.into()))
    }
}
