//! What a person runs by hand, through the executable: whether the guard guards, why a call was stopped, and the small
//! commands beside them.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod commands;
mod day;
mod doctor;
mod explained;
mod migrate;
mod shared;
mod small;
mod words;

#[path = "../state/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the state")]
mod place;
#[path = "../support/settled.rs"]
mod settled;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use place::{HOOK, Place};
use serde_json::Value;

/// What a command printed, both ways.
pub(crate) fn said(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// Runs the command in a folder of the place, as a person would.
pub(crate) fn run_in(place: &Place, folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = as_person(place, folder);
    let output = command.args(arguments).output().unwrap();
    (output.status.code(), said(&output))
}

/// The command in a folder of the place. Nothing of the client's stands in its environment.
pub(crate) fn as_person(place: &Place, folder: &Path) -> Command {
    let mut command = place.command(env!("CARGO_BIN_EXE_steadfast"));
    command.env_remove("CLAUDE_PROJECT_DIR").current_dir(folder).stdin(std::process::Stdio::null());
    command
}

/// The same with `--json`: the exit code and what it printed.
pub(crate) fn json_in(place: &Place, folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = as_person(place, folder).args(arguments).arg("--json").output().unwrap();
    let printed = serde_json::from_slice(&output.stdout);
    (output.status.code(), printed.unwrap_or_else(|_| panic!("no JSON: {}", said(&output))))
}

/// Puts the hook where an installation puts it: `~/.local/bin`.
pub(crate) fn install_executable(place: &Place) -> PathBuf {
    let folder = place.home().join(".local/bin");
    fs::create_dir_all(&folder).unwrap();
    let hook = folder.join("steadfast-hook");
    fs::hard_link(HOOK, &hook).or_else(|_| fs::copy(HOOK, &hook).map(|_| ())).unwrap();
    hook
}
