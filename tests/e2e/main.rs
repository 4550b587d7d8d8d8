//! Real sessions of the real client, with the hooks installed by the real command.
//!
//! Where the client is missing one line says so, and each test ends early.
#![expect(clippy::expect_used, clippy::panic, reason = "a bench that cannot go on fails its test")]

#[path = "../support/mod.rs"]
mod support;

mod agents;
mod bench;
mod codex;
mod complaints;
mod dialogs;
mod driven;
mod driven_client;
mod driven_terminal;
mod foreign;
mod gate;
mod guard;
mod loops;
mod newer;
mod other_tools;
mod outcomes;
mod plugin;
mod proven;
mod samples;
mod shared_settings;
mod shell;
