//! The sentences that people and models read.

pub mod banner;
pub mod persistence;
pub mod session;
pub mod verdicts;
