//! Which of Goose's events call the hook. What is no decision is a failure there, so nothing else is ever said.

use crate::hosts::Registration;
use crate::model::verdict::VerdictKind;

/// Every event that calls the hook, in the order of a session.
pub(super) const REGISTRATIONS: &[Registration] = &[
    Registration { tells: true, ..Registration::SESSION_START },
    Registration::PROMPT,
    Registration { takes: &[VerdictKind::Deny], ..Registration::BEFORE_CALL },
    Registration::AFTER_CALL,
    Registration::AFTER_FAILURE,
    Registration { takes: &[VerdictKind::Continue], ..Registration::STOP },
    Registration::SESSION_END,
];
