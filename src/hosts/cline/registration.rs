//! Which of Cline's events call the hook: each is a file of its name.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { event: "TaskStart", ..Registration::SESSION_START },
    Registration { event: "TaskResume", argument: "session-resume", ..Registration::PLAIN },
    Registration::PROMPT,
    Registration {
        takes: &[VerdictKind::Deny, VerdictKind::Context],
        timeout_seconds: 30,
        deadline_seconds: Some(25),
        ..Registration::BEFORE_CALL
    },
    Registration { takes: &[VerdictKind::Context], ..Registration::AFTER_CALL },
    Registration {
        event: "TaskComplete",
        timeout_seconds: 30,
        deadline_seconds: Some(25),
        ..Registration::STOP
    },
    Registration { event: "SessionShutdown", ..Registration::SESSION_END },
];
