//! Who has sent an event, as far as its own form says: the names at its top, as they are spelled there.

use std::path::Path;

use super::json::EventValue;

/// How sure a host is that an event is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostClaim {
    /// Its form is another's.
    No,
    /// It may be: the environment of the hook's process decides.
    Perhaps,
    /// No other host sends it so.
    Surely,
}

/// The form of an event.
#[derive(Debug, Clone, Copy)]
pub struct EventShape<'a> {
    input: &'a EventValue,
    others: &'a [String],
}

impl<'a> EventShape<'a> {
    /// The form of what was read, with the names that are not spelled as the reader wanted them.
    pub(super) fn new(input: &'a EventValue, others: &'a [String]) -> Self {
        EventShape { input, others }
    }

    /// Whether a field of this name stands at the top.
    pub fn has(&self, name: &str) -> bool {
        self.others.iter().any(|other| other == name) || (!self.is_camel() && self.input.has(name))
    }

    /// The text of a field that every host's events have (`hook_event_name`, `permission_mode`).
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.input.text(name)
    }

    /// The file name of the session's record.
    pub fn transcript_name(&self) -> Option<&'a str> {
        Path::new(self.text("transcript_path")?).file_name()?.to_str()
    }

    /// Whether its fields are spelled `sessionId`, and not `session_id`.
    pub fn is_camel(&self) -> bool {
        self.others.iter().any(|other| other == "sessionId")
    }
}
