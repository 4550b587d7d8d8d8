//! The `steadfast` command.

use std::io;

pub mod config;
pub mod log;

/// Turns the answer of a command that prints much into its exit code: a reader that has seen enough, as `head` has,
/// is no fault.
fn reader_gone_is_fine(answer: io::Result<u8>) -> anyhow::Result<u8> {
    match answer {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        other => Ok(other?),
    }
}
