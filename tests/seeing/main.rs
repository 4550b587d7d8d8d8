//! What a person sees and decides, through the real executables: status line, day, page, view, audit, rules.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::io::Write;
use std::process::Output;

use serde_json::{Value, json};

mod allowing;
mod audit;
mod deciding;
mod paged;
mod report;
mod snapshot;
mod statusline;
mod today;
mod watch;

#[path = "../state/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the state")]
mod place;
#[path = "../support/settled.rs"]
mod settled;
#[path = "../gate/terminal.rs"]
mod terminal;

use place::Place;

/// Runs `steadfast` with something on its standard input.
fn with_input(place: &Place, arguments: &[&str], variables: &[(&str, &str)], input: &[u8]) -> Output {
    let mut command = place.command_of_steadfast();
    let mut child = command.args(arguments).envs(variables.iter().copied()).spawn().unwrap();
    // It need not read to the end.
    child.stdin.take().unwrap().write_all(input).ok();
    child.wait_with_output().unwrap()
}

/// The code that a person was shown with a refusal.
fn code(answer: &Value) -> String {
    let shown = answer["systemMessage"].as_str().unwrap_or_else(|| panic!("{answer}"));
    let at = shown.rfind("steadfast allow ").unwrap_or_else(|| panic!("{shown}"));
    shown[at..].split_whitespace().nth(2).unwrap().to_owned()
}

/// A shell command of a session before it runs: the answer to it.
fn runs(place: &Place, session: &str, command: &str) -> Value {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_run"});
    place.fire("pre-tool-use", session, fields).unwrap_or_default()
}

/// Whether an answer refuses the call.
fn denies(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["permissionDecision"] == "deny"
}

/// Asserts that `--json` printed what its schema says.
fn fits_schema(place: &Place, subject: &str, printed: &str) -> Value {
    let schema: Value = serde_json::from_str(&place.done(&["schema", subject])).unwrap();
    let value: Value = serde_json::from_str(printed).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {value:#}");
    value
}
