//! The files of a loop, as the real binaries write and survive them.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod damage;
mod definitions;
mod legacy;
mod pausing;
mod place;
mod schemas;
mod state_updates;
