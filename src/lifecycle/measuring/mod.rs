//! Measuring a project with its own tools, and the guard itself.

pub mod baseline;
pub(crate) mod cache;
mod figures;
pub mod measure;
mod output;
pub mod performance;
pub mod reports;
mod tool;
