//! The sentences that people and models read.

pub mod banner;
