//! The `steadfast` command.
