//! The human gate: opening one, calling the person, and carrying out what the person decides.

pub mod decision;
pub mod notification;
pub mod opening;
pub mod options;
