//! Changes that switch Steadfast itself off.

pub(crate) mod agents_hooks;
pub(crate) mod configuration;
pub(crate) mod guard_tampering;
pub(crate) mod hook_texts;
pub(crate) mod host_settings;
mod meant_off;
pub(crate) mod weakening;
