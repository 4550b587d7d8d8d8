//! Commands that lose work or make checks count for less.

pub(crate) mod by_name;
pub mod destructive_command;
pub mod weakened_checks;
