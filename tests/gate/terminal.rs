//! A terminal of a person's own: `script` makes one, outside of any agent's session.

use std::process::{Command, Output, Stdio};

use crate::place::Place;

/// Runs `steadfast` with these arguments at a terminal, and types `typed`.
pub(crate) fn at_terminal(place: &Place, arguments: &str, typed: &str) -> Output {
    run(place, &format!("{} {arguments}", env!("CARGO_BIN_EXE_steadfast")), typed, &[])
}

/// Runs a command at a terminal with further variables.
pub(crate) fn run(place: &Place, command: &str, typed: &str, variables: &[(&str, &str)]) -> Output {
    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--command", command, "/dev/null"])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", place.root().parent().unwrap().join("home"))
        .env("USER", "ada")
        .env("TERM", "dumb")
        .envs(variables.iter().copied())
        .current_dir(place.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = script.spawn().expect("script makes a terminal");
    // A person's terminal stays; `script` would wait for seconds after the end of what is typed.
    let mut keyboard = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut keyboard, typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(keyboard);
    output
}

/// What was on the terminal.
pub(crate) fn screen(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}
