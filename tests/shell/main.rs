//! Shell calls through the real binary: what tampers is stopped or told, what is only text is not, and both are
//! explained.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod allowed;
mod data;
mod documented;
mod explained;
mod heeded_files;
mod kinds;
mod looked_up;
mod manifests;
mod named_tasks;
mod pattern_project;
mod patterns;
mod remedies;
mod report_rows;
mod reported;
mod slow_git;
mod standing_elsewhere;
mod tampering;

#[path = "../support/executable.rs"]
mod executable;
#[path = "../state/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the state")]
mod place;
#[path = "../gate/terminal.rs"]
mod terminal;

use place::Place;
use serde_json::{Value, json};

/// What a shell call before it runs is answered.
pub(crate) fn answer(place: &Place, tool: &str, session: &str, command: &str) -> Option<Value> {
    let input = json!({"tool_name": tool, "tool_input": {"command": command}, "tool_use_id": "toolu_1"});
    place.fire("pre-tool-use", session, input)
}

/// `deny`, `told` or `silent`; each command has a session of its own, so that nothing was said before.
pub(crate) fn level(place: &Place, number: usize, command: &str) -> &'static str {
    level_of(answer(place, "Bash", &format!("s{number}"), command))
}

/// The level of an answer.
pub(crate) fn level_of(answer: Option<Value>) -> &'static str {
    let Some(answer) = answer else { return "silent" };
    match answer["hookSpecificOutput"]["permissionDecision"].as_str() {
        Some("deny") => "deny",
        Some(other) => panic!("{other} where nobody can be asked"),
        None => "told",
    }
}

/// The rows whose level is another than they say.
pub(crate) fn wrong(place: &Place, rows: &[(&str, &str)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, (command, expected)) in rows.iter().enumerate() {
        let level = level(place, number, command);
        if level != *expected {
            wrong.push(format!("{command}: {level}, not {expected}"));
        }
    }
    wrong
}
