//! The command for people: see [`steadfast::cli`]. Under the name of the hook, the same executable is the hook: a
//! package and an installation carry one file of this size and not two.

use std::path::Path;
use std::process::ExitCode;

use steadfast::hosts::claude_code::registration::HOOK_BINARY;

fn main() -> ExitCode {
    let arguments = std::env::args_os();
    if is_the_hook(std::env::args_os().next().as_deref().map(Path::new)) {
        steadfast::hook::run(arguments);
        return ExitCode::SUCCESS;
    }
    ExitCode::from(steadfast::cli::main(arguments))
}

/// Whether the executable was started under the hook's name.
fn is_the_hook(called: Option<&Path>) -> bool {
    called.and_then(Path::file_name).is_some_and(|name| name == HOOK_BINARY)
}
