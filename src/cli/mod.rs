//! The `steadfast` command.

pub mod install;
pub mod install_record;
pub mod registration;
pub mod settings;
pub mod trial;
pub mod undo;
