//! Whether a loop's criterion holds, and whether it still is what it was at the start.

pub mod completion;
pub mod dependencies;
pub mod loop_contract;
pub mod original_tests;
pub mod other_tree;
pub mod others_losses;
pub mod proving;
pub mod scope;
pub mod stale_build;
