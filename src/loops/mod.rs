//! The Ralph loop: criteria, verification, learning, report.
//!
//! Only [`verification`] runs a process, and only [`project_facts`], [`measuring`] and [`reflexion`] touch files; every
//! other file is pure.

pub mod criteria;
pub mod criterion_inputs;
pub mod errors;
pub mod learning;
pub mod measuring;
pub mod project_facts;
pub mod reflexion;
pub mod report;
pub mod task_type;
pub mod verification;

pub use crate::runners::failures;
