//! How a command says that it has failed: to a person on stderr, to a program as JSON on stdout.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::sync::OnceLock;

use serde_json::json;

/// Whether this process prints for programs; nobody has said so until [`speak_json`] does.
static AS_JSON: OnceLock<bool> = OnceLock::new();

/// Takes from the command line whether JSON is wanted: `--json` before a `--`, behind which another program's words stand.
pub fn speak_json(arguments: &[OsString]) {
    let own = arguments.iter().take_while(|argument| *argument != "--");
    // A second word of the same process says the same.
    AS_JSON.set(own.into_iter().any(|argument| argument == "--json")).ok();
}

/// Says what failed, and answers the exit code. `command` is the name before the colon, for a person.
pub fn failed(command: &str, what: &dyn Display, code: u8) -> u8 {
    // A closed pipe is no reason to fail once more.
    let _ = if AS_JSON.get() == Some(&true) {
        writeln!(anstream::stdout(), "{:#}", json!({"error": {"message": what.to_string(), "code": code}}))
    } else {
        writeln!(anstream::stderr(), "{command}: {what}")
    };
    code
}

/// The same of a command line that was not understood.
pub fn not_understood(error: &clap::Error) -> u8 {
    if AS_JSON.get() == Some(&true) && error.use_stderr() {
        let said = error.render().to_string();
        let first = said.lines().next().unwrap_or_default();
        return failed("", &first.trim_start_matches("error: "), 2);
    }
    error.print().ok();
    if error.use_stderr() { 2 } else { 0 }
}
