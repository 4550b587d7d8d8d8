//! The words that all rooms share: events, verdicts, findings, changes.

pub(crate) mod counted;
pub mod event;
pub mod finding;
pub mod folders;
pub mod proc_path;
pub mod shell_word;
pub mod tool_call;
pub mod verdict;
pub mod words;
