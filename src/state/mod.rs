//! What is kept on disk under `.aiwg/ralph/`.
//!
//! One writer at a time: a lock beside the file, then read, change, temporary file, rename. Reading never waits.

pub mod allowance;
pub mod atomic;
pub mod audit;
mod code_hash;
mod damaged;
pub mod false_alarms;
pub mod folders;
pub mod gate;
pub mod hex;
pub mod history;
pub mod layout;
pub mod legacy;
pub mod level;
pub mod lock;
pub mod loop_id;
pub mod loop_state;
mod mending;
pub mod own_file;
mod rebuilding;
pub mod records;
pub mod registry;
pub mod schema;
mod seal;
pub mod status;
pub mod test_record;
pub mod test_runs;
pub mod tool_calls;
pub mod twice;
mod version;
pub mod witness;
