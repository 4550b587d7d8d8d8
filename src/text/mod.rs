//! The sentences that people and models read.
