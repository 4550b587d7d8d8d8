//! Steadfast keeps coding agents honest and persistent.
//!
//! The flow goes one way: stdin bytes -> [`hosts`] parse -> [`model::event::Event`] -> [`lifecycle`] -> agents and
//! detectors (pure) -> [`model::verdict::Verdict`] -> [`hosts`] render -> stdout. `ARCHITECTURE.md` has the rooms and
//! the rules between them. The library is private to the two binaries: nothing here is a stable interface.
//!
//! A room with an attribute is pure: it gets files, the environment, processes and the clock as values.

#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod agents;
pub mod checkpoint;
pub mod cli;
pub mod config;
pub mod definitions;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod detectors;
pub mod hook;
pub mod hosts;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod languages;
pub mod last_word;
pub mod lifecycle;
pub mod loops;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod metrics;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod model;
pub mod project;
pub mod proof;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod runners;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod shell;
pub mod state;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod text;
#[cfg_attr(not(test), deny(clippy::disallowed_methods))]
pub mod yaml;
