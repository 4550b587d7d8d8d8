//! The Ralph loop: criteria, verification, learning, report.
//!
//! Only [`verification`] runs a process, and only [`project_facts`] and [`measuring`] read files; every other file is pure.

pub mod analytics;
pub mod clause;
pub mod criteria;
pub mod errors;
pub mod executed;
pub mod failures;
pub mod frames;
pub mod ground;
pub mod learning;
pub mod measuring;
pub mod printed;
pub mod program;
pub mod project_facts;
pub mod report;
pub mod request;
pub mod signature;
pub mod task_type;
pub mod typed;
pub mod verification;
pub mod words;
