//! An iteration: what its end runs and measures, its record, its checkpoint, its prompt.

pub mod as_started;
pub mod commit;
pub mod figures;
pub mod level;
pub mod limits;
pub mod metrics;
pub(crate) mod narrowed_run;
pub mod record;
pub mod reflect;
pub mod reinforcement;
pub(crate) mod run;
pub mod snapshot;
pub mod test_run;
