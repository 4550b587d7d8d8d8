//! Steadfast keeps coding agents honest and persistent.
//!
//! The flow goes one way: stdin bytes -> [`hosts`] parse -> [`event::Event`] -> [`lifecycle`] -> agents and
//! detectors (pure) -> [`verdict::Verdict`] -> [`hosts`] render -> stdout. `ARCHITECTURE.md` has the rooms and
//! the rules between them. The library is private to the two binaries: nothing here is a stable interface.

pub mod agents;
pub mod checkpoint;
pub mod cli;
pub mod config;
pub mod definitions;
pub mod detectors;
pub mod hook;
pub mod hosts;
pub mod languages;
pub mod last_word;
pub mod lifecycle;
pub mod loops;
pub mod metrics;
pub mod model;
pub mod project;
pub mod runners;
pub mod shell;
pub mod state;
pub mod text;
pub mod yaml;
