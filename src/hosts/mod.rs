//! Host adapters: the only files that know an agent's own JSON.
//!
//! An adapter turns bytes into an [`Event`] and an [`Answer`] into bytes. It decides nothing: what a host can't
//! express at an event is told by its registration, and `downgrade` chooses another verdict on purpose.

pub mod claude_code;
pub mod cline;
pub mod codex;
pub mod copilot;
pub mod crush;
pub mod cursor;
pub mod downgrade;
pub mod droid;
mod field_names;
mod foreign_tools;
pub mod gemini;
pub mod goose;
pub mod hook_files;
pub mod installation;
mod json;
pub mod kimi;
pub mod kiro;
pub mod matrix;
mod nested;
pub mod opencode;
mod patch_text;
mod pieces;
mod printed;
mod prose;
pub mod qwen;
mod registration;
pub mod registry;
mod said;
pub mod shape;
mod shared_fields;
mod terminal;
#[cfg(test)]
mod testing;
mod tools;
mod usual;
pub mod vscode;
pub mod windsurf;

use std::time::Duration;

use serde::Serialize;

use crate::model::event::{Event, session_of};
use crate::model::verdict::{Answer, VerdictKind};

pub use installation::HostInstallation;
pub use json::EventValue;
pub use registration::Registration;
pub use shape::{EventShape, HostClaim};

/// How long an event that no registration names may take.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// Set by a person whose client the table of attendance can't tell: `always` asks, `never` denies.
pub(crate) const ASK_VARIABLE: &str = "STEADFAST_ASK";

/// Looks up an environment variable. `None` when it is unset or not UTF-8.
pub type EnvLookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One agent's hook protocol.
pub trait Host: Sync {
    /// The host's name in messages, in the log, in `--host` and in the fixtures (`claude-code`).
    fn name(&self) -> &'static str;

    /// What people call it (`Claude Code`).
    fn title(&self) -> &'static str;

    /// How sure it is that the host behaves as its adapter says.
    fn evidence(&self) -> HostEvidence {
        HostEvidence::Documents
    }

    /// Whether the form of an event says that this host has sent it.
    fn claims(&self, shape: &EventShape) -> HostClaim;

    /// Variables of which the host sets one for its hooks. They are looked at only where the form of an event
    /// fits several hosts: an agent that another one has started inherits that one's.
    fn variables(&self) -> &'static [&'static str];

    /// The host's events that call the hook, how it is registered for them, and what they take.
    fn registrations(&self) -> &'static [Registration];

    /// The fields of an event that are read besides the usual ones, at whatever level they stand.
    fn more_fields(&self) -> &'static [&'static str] {
        field_names::ALIASES
    }

    /// What one event says, of which the fields were read: by the host's `said::EventProtocol`, or `usual::event` where a host
    /// speaks as Claude Code does. The argument of the call says which event it is; what the bytes say counts only when it
    /// doesn't.
    fn event(&self, call: &HookCall, input: &EventValue) -> Event;

    /// Renders an answer to an event, which is named as in [`Event::host_event`]: only verdicts that its registration
    /// takes, and a message for the person only where it tells one.
    fn write(&self, host_event: &str, answer: &Answer) -> HookOutput;

    /// How `steadfast install` registers the hook; `None` where that is done in another way.
    fn installation(&self) -> Option<&'static HostInstallation>;

    /// The host whose entries this one runs, where both read the same file.
    fn installed_as(&self) -> Option<&'static str> {
        None
    }

    /// The registration of the host's event of this name.
    fn registration(&self, event: &str) -> Option<&'static Registration> {
        self.registrations().iter().find(|one| one.event == event)
    }

    /// The host's own name of the event that the hook's argument stands for (`pre-tool-use` -> `PreToolUse`).
    /// `None` for an argument that stands for no event that Steadfast judges.
    fn event_name(&self, argument: &str) -> Option<&'static str> {
        self.registrations().iter().find(|one| one.argument == argument).map(|one| one.event)
    }

    /// Reads one event of this host.
    fn read(&self, call: &HookCall) -> Result<Event, Unreadable> {
        let fields = [field_names::FIELDS, self.more_fields()].concat();
        Ok(self.told(call, &EventValue::read(call.bytes, &fields)?))
    }

    /// What an event says, within what the host can express.
    fn told(&self, call: &HookCall, input: &EventValue) -> Event {
        let mut event = self.event(call, input);
        event.host = self.name();
        event.session_id = event.session_id.map(|id| session_of(self.name(), &id));
        if let Some(registration) = self.registration(&event.host_event) {
            event.patience = registration.patience();
            event.can_ask &= registration.takes.contains(&VerdictKind::Ask);
            event.drops_context |= !registration.takes.contains(&VerdictKind::Context);
        }
        event
    }
}

/// Where what is known of a host comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostEvidence {
    /// It was run against a scripted model, in this version.
    Run(&'static str),
    /// It was read in what is published of its program.
    Source,
    /// Its documents say it.
    Documents,
}

/// One call of the hook: what its process was given.
#[derive(Clone, Copy)]
pub struct HookCall<'a> {
    /// The argument that says which event it is (`pre-tool-use`); empty when there is none.
    pub argument: &'a str,
    /// What came on stdin.
    pub bytes: &'a [u8],
    /// The environment.
    pub env: EnvLookup<'a>,
}

impl HookCall<'_> {
    /// The value of a variable that is set to something.
    pub fn variable(&self, name: &str) -> Option<String> {
        (self.env)(name).filter(|value| !value.is_empty())
    }
}

/// What the hook's process gives back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookOutput {
    /// One JSON object or nothing, in most hosts.
    pub stdout: String,
    /// What a host of exit codes shows to the model.
    pub stderr: String,
    /// 0, except where a refusal of the host is another one.
    pub code: u8,
}

impl HookOutput {
    /// An object on stdout.
    pub fn json(object: &impl Serialize) -> Self {
        // Nothing in it can fail to become JSON; silence would be the host's answer to a failure too.
        HookOutput { stdout: serde_json::to_string(object).unwrap_or_default(), ..HookOutput::default() }
    }

    /// The refusal of a host that goes by exit codes: 2, and the reason on stderr.
    pub fn refusal(reason: impl Into<String>) -> Self {
        HookOutput { stderr: reason.into(), code: 2, ..HookOutput::default() }
    }

    /// Whether nothing is said.
    pub fn is_silent(&self) -> bool {
        *self == HookOutput::default()
    }
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
