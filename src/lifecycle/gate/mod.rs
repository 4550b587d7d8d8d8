//! The human gate: opening one, calling the person, and carrying out what the person decides.

pub mod allowance;
pub(crate) mod code;
pub mod decision;
pub mod escalation;
pub mod holding;
pub mod notification;
pub mod opening;
pub mod options;
pub mod other_session;
