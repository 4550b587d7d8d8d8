//! Measuring a project with its own tools, and the guard itself.

pub mod baseline;
pub(crate) mod cache;
pub mod measure;
pub mod performance;
pub mod reports;
