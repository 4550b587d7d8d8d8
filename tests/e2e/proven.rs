//! A loop in the real client with every detector off: what passes only with bent tests completes nothing, and the person
//! sees the table of runs; the original tests made to pass complete it.

use serde_json::Value;

use crate::gate::at_a_terminal;
use crate::outcomes::mending;
use crate::samples::{MATH, MATH_TESTS};
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

    let rejected = at_a_terminal(&project, "gate reject --force", "");
    assert_eq!(project.text("math.test.js"), MATH_TESTS, "{}", said(&rejected));

    let played = mending(&claude, &project);
    let ended = state(&project);
    assert_eq!(ended["status"], "completed", "{ended:#}\n{}", played.outline());
}
