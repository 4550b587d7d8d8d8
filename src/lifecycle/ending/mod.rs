//! The end of a loop: its best iteration, its reports, and the close of its state.

pub mod best;
pub mod finish;
pub mod outcome;
pub(crate) mod reports;
pub(crate) mod spent;
