//! The sentences that people and models read.

pub mod session;
pub mod verdicts;
