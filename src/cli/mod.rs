//! The `steadfast` command.

pub mod hooks;
