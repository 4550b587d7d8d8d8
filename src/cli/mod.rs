//! The `steadfast` command.

pub mod undo;
