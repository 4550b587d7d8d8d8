//! The ten hooks of the documents, one file each, and firing one by its name.

pub mod by_name;
pub mod loop_complete;
pub mod loop_start;
pub mod on_error;
pub mod post_iteration;
pub mod post_tool_call;
pub mod pre_iteration;
pub mod pre_tool_call;
pub mod regression_detected;
pub mod reinforcement_escalation;
pub mod stuck_loop_detected;
