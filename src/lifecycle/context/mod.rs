//! Where an event happens: the project, its configuration, the bound loop with its state and its log, and what a hook
//! knows and may ask.

pub mod agent_messages;
pub(crate) mod alarm;
pub mod asking;
pub mod clock;
pub mod env;
pub mod facts;
pub mod failure;
pub mod hook_context;
pub(crate) mod in_force;
pub mod known_loops;
pub mod log;
pub mod mirror;
pub mod net_need;
pub mod notices;
pub mod outside;
pub mod running_mark;
pub mod same_reflections;
pub(crate) mod standing_guard;
pub mod state_change;
pub mod stored;
pub mod triggers;
pub(crate) mod unsaid;
pub mod witnessed;
