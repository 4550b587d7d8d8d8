//! The sentences that people and models read.

pub mod banner;
#[cfg(test)]
mod banner_tests;
pub mod session;
pub mod verdicts;
