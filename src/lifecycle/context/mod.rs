//! Where an event happens: the project, its configuration, the bound loop, and what a hook knows and may ask.

pub mod agent_messages;
pub mod facts;
pub mod failure;
pub mod hook_context;
pub mod notices;
pub(crate) mod standing_guard;
pub mod triggers;
