//! The command for people: see [`steadfast::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(steadfast::cli::main(std::env::args_os()))
}
