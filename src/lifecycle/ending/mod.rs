//! The end of a loop: its best iteration, its reports, and the close of its state.

pub(crate) mod banner;
pub mod best;
pub(crate) mod ended_loop;
pub(crate) mod extent;
pub mod finish;
pub mod outcome;
pub(crate) mod reports;
pub(crate) mod spent;
