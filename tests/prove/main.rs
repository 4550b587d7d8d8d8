//! `steadfast prove` on real projects with real runners: tamperings are refuted or named, honest changes are not refuted.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod limits;
mod node;
mod project;
mod pytest;
mod table;
mod tables;
mod unittest;
