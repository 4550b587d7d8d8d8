//! The documents' agents: what each answers when a lifecycle hook asks it. Pure.

pub mod best_output;
pub mod laziness_detector;
pub mod progress_tracker;
pub mod prompt_reinforcement;
