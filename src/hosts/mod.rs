//! Host adapters: the only files that know an agent's own JSON.
//!
//! An adapter turns bytes into an [`Event`] and an [`Answer`] into bytes. It decides nothing: what a host can't
//! express is refused as [`Unsupported`], and the caller chooses another verdict on purpose.

pub mod claude_code;
mod foreign_tools;
mod json;
mod prose;
pub mod registry;
mod terminal;

use crate::model::event::Event;
use crate::model::verdict::Answer;

/// Looks up an environment variable. `None` when it is unset or not UTF-8.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One agent's hook protocol.
pub trait Host: Sync {
    /// The host's name in messages, in the log and in the fixtures (`claude-code`).
    fn name(&self) -> &'static str;

    /// Whether the environment of a hook's process says that this host called it.
    fn recognises(&self, env: Variables) -> bool;

    /// The host's events that call the hook, and how it is registered for them.
    fn registrations(&self) -> &'static [Registration];

    /// The host's own name of the event that the hook's argument stands for (`pre-tool-use` -> `PreToolUse`).
    /// `None` for an argument that stands for no event that Steadfast judges.
    fn event_name(&self, argument: &str) -> Option<&'static str> {
        self.registrations().iter().find(|one| one.argument == argument).map(|one| one.event)
    }

    /// Reads one event. The argument says which event it is; what the bytes say counts only when it doesn't.
    fn read(&self, argument: &str, bytes: &[u8], env: Variables) -> Result<Event, Unreadable>;

    /// Renders the answer to an event, which is named as in [`Event::host_event`]. `Ok(None)` is silence.
    fn write(&self, host_event: &str, answer: &Answer) -> Result<Option<String>, Unsupported>;
}

/// One event of a host that calls the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registration {
    /// The host's name of the event.
    pub event: &'static str,
    /// The hook's argument for it: the name in kebab-case.
    pub argument: &'static str,
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

/// Why an event could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nothing came.
    #[error("the event is empty")]
    Empty,
    /// More came than is read.
    #[error("the event is larger than {limit} bytes")]
    TooLarge {
        /// The most that is read, in bytes.
        limit: usize,
    },
    /// Not JSON, or cut off.
    #[error("the event is not JSON: {0}")]
    NotJson(String),
    /// JSON, but not an object.
    #[error("the event is JSON, but not an object")]
    NotAnObject,
}

/// A verdict that the host has no way to express at this event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the verdict {verdict} can't be expressed at {event}")]
pub struct Unsupported {
    /// The verdict's name.
    pub verdict: &'static str,
    /// The host's name of the event.
    pub event: String,
}
