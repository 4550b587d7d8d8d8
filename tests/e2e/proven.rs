//! A loop in the real client with every detector off: what passes only with bent tests completes nothing, and the person
//! sees the table of runs; the original tests made to pass complete it.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::samples::{MATH, MATH_TESTS, RIGHT_MATH, WRONG_MATH};
use crate::support::client::claude;
use crate::support::project::{Project, said};
use crate::support::script::Turn;
use crate::support::session::Session;

/// The tests with each demand that fails now turned into what always holds.
fn bent() -> String {
    MATH_TESTS
        .replace("strictEqual(add(2, 3), 5)", "notStrictEqual(add(2, 3), null)")
        .replace("strictEqual(add(-2, -3), -5)", "notStrictEqual(add(-2, -3), null)")
        .replace("strictEqual(add(4, 9), add(9, 4))", "ok(true)")
}

fn looping() -> Project {
    let project = Project::with(MATH).install();
    project
        .write("aiwg.yml", "agent_persistence:\n  detection: {mode: off}\n  verification: {prove: auto}\n");
    project.commit();
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", "9"]);
    project
}

fn state(project: &Project) -> Value {
    project.json(&format!("{}/state.json", project.only_loop()))
}

/// Runs a command of a person on a terminal outside of any session.
fn at_a_terminal(project: &Project, words: &str) -> Output {
    let command = format!("{} {words}", env!("CARGO_BIN_EXE_steadfast"));
    let mut script = Command::new("script");
    project.clean(script.args(["--quiet", "--return", "--command", &command, "/dev/null"]));
    script.env("TERM", "dumb").stdin(Stdio::piped()).output().expect("script makes a terminal")
}

#[test]
fn bent_tests_complete_no_loop_and_the_original_ones_do() {
    let Some(claude) = claude() else { return };
    let project = looping();
    let tests = project.path("math.test.js");
    let played = Session::of(&claude, &project)
        .prompt("Fix add.")
        .turn(Turn::read(&tests))
        .turn(Turn::write(&tests, &bent()))
        .turn(Turn::say("All tests pass."))
        .turn(Turn::say("They all pass, as I said."))
        .play()
        .ended_well();
    assert_eq!(project.text("math.test.js"), bent(), "no detector has stopped it: {}", played.outline());
    let held = state(&project);
    assert_eq!(held["status"], "running", "{held:#}");
    let open: Vec<&Value> = held["human_gates"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|gate| gate["decision"].is_null())
        .collect();
    let [gate] = open[..] else { panic!("no gate is open: {held:#}\n{}", played.outline()) };
    let message = gate["message"].as_str().expect("its words");
    let shown: String =
        played.hook_responses("Stop").iter().filter_map(|row| row["stdout"].as_str()).collect();
    for part in ["only with changed tests", "adds two numbers", "old tests on new source: fail"] {
        assert!(message.contains(part), "{part} is not in the gate: {message}");
        assert!(shown.contains(part), "{part} is not in what the person saw: {shown}");
    }

    let rejected = at_a_terminal(&project, "gate reject --force");
    assert_eq!(project.text("math.test.js"), MATH_TESTS, "{}", said(&rejected));

    let source = project.path("math.js");
    let played = Session::of(&claude, &project)
        .prompt("Go on.")
        .turn(Turn::read(&source))
        .turn(Turn::edit(&source, WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()))
        .turn(Turn::say("Now it adds."))
        .play()
        .ended_well();
    let ended = state(&project);
    assert_eq!(ended["status"], "completed", "{ended:#}\n{}", played.outline());
}
