//! The sentences that people and models read.

pub mod banner;
pub mod diagnostic;
pub mod failure;
pub mod gate;
pub mod health;
pub mod persistence;
pub mod session;
pub mod verdicts;
pub mod witness;
