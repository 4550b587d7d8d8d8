//! The sentences that people and models read.

pub mod allowance;
pub mod banner;
pub mod diagnostic;
pub mod disarming;
pub mod failure;
pub mod gate;
pub mod headline;
pub mod health;
pub mod persistence;
pub mod session;
pub mod tense;
pub mod verdicts;
pub mod witness;
