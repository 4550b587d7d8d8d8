//! The bench: real sessions of the real client against a scripted model on this machine.
//!
//! A session needs no network, no account and no model: the test says what "the model" does, and the recorded
//! requests show what the hooks put in front of it. Nothing of this machine's own client is read or changed.

pub(crate) mod api;
pub(crate) mod chat;
pub(crate) mod client;
pub(crate) mod executable;
pub(crate) mod hooks;
pub(crate) mod http;
pub(crate) mod keyboard;
pub(crate) mod openai;
pub(crate) mod project;
pub(crate) mod screen;
pub(crate) mod script;
pub(crate) mod session;
pub(crate) mod terminal;
