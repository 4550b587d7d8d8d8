//! The hook: one event on stdin, at most one answer, and the exit code that belongs to it.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(steadfast::hook::run(std::env::args_os()))
}
