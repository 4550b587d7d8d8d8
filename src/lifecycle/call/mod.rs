//! What a tool call would do, and what follows from it.

pub mod decision;
pub mod explain;
pub mod own_runs;
pub(crate) mod own_scripts;
pub mod shell_call;
pub mod view;
