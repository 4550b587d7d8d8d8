//! Loops that go on until their own verification passes, and not longer than they may.

use std::fs;

use serde_json::Value;

use crate::samples::{MATH, RIGHT_MATH, WRONG_MATH};
use crate::support::client::claude;
use crate::support::project::Project;
use crate::support::script::Turn;
use crate::support::session::{Played, Session};

/// A mend that mends nothing.
const STILL_WRONG: &str = "exports.add = (a, b) => b - a;\n";

/// A project with a running loop.
fn looping(max_iterations: &str) -> Project {
    let project = Project::with(MATH).install();
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", max_iterations]);
    project
}

fn state(project: &Project) -> Value {
    project.json(&format!("{}/state.json", project.only_loop()))
}

/// All that Stop hooks answered.
fn stop_answers(played: &Played) -> String {
    played
        .hook_responses("Stop")
        .iter()
        .filter_map(|row| row["stdout"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_loop_is_continued_until_its_verification_passes() {
    let Some(claude) = claude() else { return };
    let project = looping("5");
    let source = project.path("math.js");

    let played = Session::of(&claude, &project)
        .prompt("Fix add.")
        .turn(Turn::say("I looked around. All done."))
        .turn(Turn::read(&source))
        .turn(Turn::edit(&source, WRONG_MATH.trim_end(), STILL_WRONG.trim_end()))
        .turn(Turn::say("Done."))
        .turn(Turn::edit(&source, STILL_WRONG.trim_end(), RIGHT_MATH.trim_end()))
        .turn(Turn::say("Now it adds."))
        .play()
        .ended_well();

    assert_eq!(played.asked.len(), 6, "three turns of six requests in all: {}", played.outline());
    assert_eq!(project.text("math.js"), RIGHT_MATH);
    let told = played.conversation("");
    assert!(told.contains("adds two numbers"), "the failing test's name did not reach the model: {told}");

    let state = state(&project);
    assert_eq!(state["status"], "completed", "{state:#}");
    assert_eq!(state["iteration"], 3, "{state:#}");
    let log = project.hook_log();
    for hook in ["loop_start", "pre_tool_call", "post_tool_call", "post_iteration", "loop_complete"] {
        assert!(log.iter().any(|line| line["hook_name"] == hook), "{hook} is not in the log: {log:#?}");
    }
    let report = project.text(&format!("{}/analytics/report.md", project.only_loop()));
    assert!(report.contains("Fix add"), "{report}");
    assert_eq!(completions(&project), 1, "one completion report");
}

/// How many completion reports there are.
fn completions(project: &Project) -> usize {
    let entries = fs::read_dir(project.path(".aiwg/ralph")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("completion-")).count()
}

#[test]
fn a_loop_ends_at_its_limit_and_is_never_called_completed() {
    let Some(claude) = claude() else { return };
    let project = looping("2");

    let played = Session::of(&claude, &project)
        .prompt("Fix add.")
        .turn(Turn::say("All done."))
        .turn(Turn::say("All done, really."))
        .turn(Turn::say("All done, as I said."))
        .turn(Turn::say("All done, once more."))
        .play()
        .ended_well();

    assert_eq!(played.asked.len(), 2, "two turns, not more: {}", played.outline());
    let state = state(&project);
    assert_ne!(state["status"], "running", "{state:#}");
    assert_ne!(state["status"], "completed", "the agent's word has completed the loop: {state:#}");
    let answers = stop_answers(&played);
    assert!(answers.contains("MAX_ITERATIONS"), "no word of the limit: {answers}");
}

#[test]
fn a_loop_is_started_by_the_plugins_command_and_binds_to_that_session() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let plugin = env!("CARGO_MANIFEST_DIR");

    let played = Session::of(&claude, &project)
        .args(&["--plugin-dir", plugin])
        .prompt("/steadfast:loop \"Fix add\" --until \"node --test passes\" --max-iterations 4")
        .turn(Turn::say("Looked around."))
        .turn(Turn::write(&project.path("sum.js"), "exports.sum = 0;\n"))
        .turn(Turn::read(&project.path("math.js")))
        .turn(Turn::write(&project.path("math.js"), RIGHT_MATH))
        .play()
        .ended_well();

    let state = state(&project);
    assert_eq!(state["status"], "completed", "{state:#}\n{}", played.outline());
    assert_eq!(state["iteration"], 2, "{state:#}");
    assert_eq!(state["task"], "Fix add", "{state:#}");
}

#[test]
fn a_typed_start_that_is_vague_or_met_already_begins_no_work() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    project.write("package.json", "{\"scripts\": {\"test\": \"node --test\"}}\n");
    let plugin = ["--plugin-dir", env!("CARGO_MANIFEST_DIR")];
    let vague = Session::of(&claude, &project)
        .args(&plugin)
        .prompt("/steadfast:loop \"Fix add\" --until \"the code is good\"")
        .play();
    assert!(vague.outline().contains("npm test passes"), "{}", vague.outline());
    // The model may help to find a better one; it is in no loop.
    assert!(vague.asked.len() == 1 && project.loops().is_empty(), "{}", vague.outline());
    project.write("math.js", RIGHT_MATH);
    let met = Session::of(&claude, &project)
        .args(&plugin)
        .prompt("/steadfast:loop \"Fix add\" --until \"npm test passes\"")
        .play();
    assert!(met.outline().contains("holds already"), "{}", met.outline());
    assert!(met.asked.len() < 2, "{}", met.outline());
    assert_eq!(state(&project)["iteration"], 0);
    assert_eq!(state(&project)["status"], "completed");
}
