//! The newest client that was looked at: what its own events, tools and words make of the hooks.
//!
//! The whole suite runs with it too, where `STEADFAST_CLAUDE` names it.

use serde_json::json;

use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::{NEWER, VERSION, claude, newer};
use crate::support::project::Project;
use crate::support::script::Turn;
use crate::support::session::{Played, Session};

const FIRST_LINE: &str = "2 of 5 tests would be gone: adds negative numbers, is commutative (LP-001)";

/// The first call was refused with the loss in its first line, and the tests are as they were.
fn assert_refused(played: &Played, project: &Project) {
    let refusal = played.result(0);
    let first = refusal.text.lines().next().unwrap_or_default();
    assert!(refusal.is_error && first.ends_with(FIRST_LINE), "{refusal:?}");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
}

#[test]
fn a_denied_edit_says_first_what_would_be_lost() {
    let Some(claude) = newer() else { return };
    let project = Project::with(MATH).install_for(NEWER);
    // Its edits need no reading first.
    let played = Session::of(&claude, &project)
        .turn(Turn::edit(&project.path("math.test.js"), TWO_FAILING_TESTS, ""))
        .play()
        .ended_well();
    assert_refused(&played, &project);
}

#[test]
fn a_test_that_sed_deletes_is_refused_like_one_that_an_edit_deletes() {
    for claude in [claude(), newer()].into_iter().flatten() {
        let project = Project::with(MATH).install_for(NEWER);
        let played = Session::of(&claude, &project)
            .turn(Turn::bash("cd . && sed -i '/negative/,/^$/d; /commutative/,/^$/d' math.test.js"))
            .play()
            .ended_well();
        assert_refused(&played, &project);
    }
}

#[test]
fn a_host_that_answers_is_asked_and_reads_the_same_first_line() {
    let Some(claude) = newer() else { return };
    for allowed in [false, true] {
        let project = Project::with(MATH).install_for(NEWER);
        let played = Session::of(&claude, &project)
            .permits(allowed)
            .turn(Turn::edit(&project.path("math.test.js"), TWO_FAILING_TESTS, ""))
            .play()
            .ended_well();
        let asked = played.rows.iter().find(|row| row["request"]["subtype"] == "can_use_tool");
        let reason = asked.and_then(|row| row["request"]["decision_reason"].as_str()).unwrap_or_default();
        let first = reason.lines().next().unwrap_or_default();
        assert!(first.ends_with(FIRST_LINE), "{reason}: {}", played.outline());
        assert_eq!(played.result(0).is_error, !allowed, "{:?}", played.result(0));
        assert_eq!(project.text("math.test.js") == MATH_TESTS, !allowed);
    }
}

#[test]
fn the_newest_tested_version_is_the_one_that_is_played_here() {
    let written = |version: [u32; 3]| version.map(|number| number.to_string()).join(".");
    let tested: Vec<String> =
        steadfast::hosts::claude_code::versions::TESTED.iter().copied().map(written).collect();
    assert_eq!(tested, [VERSION, NEWER]);
}

#[test]
fn a_command_that_is_monitored_is_judged_like_any() {
    let Some(claude) = newer() else { return };
    let project = Project::with(MATH).install_for(NEWER);
    let monitor = json!({"description": "watch", "timeout_ms": 1000, "command": "rm -f math.test.js"});
    let played = Session::of(&claude, &project)
        .turn(Turn::call("ToolSearch", json!({"query": "select:Monitor", "max_results": 5})))
        .turn(Turn::call("Monitor", monitor))
        .play()
        .ended_well();
    let refusal = played.result(1);
    assert!(refusal.is_error && refusal.text.contains("Steadfast: "), "{refusal:?}");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
}

#[test]
fn a_skills_shell_line_that_deletes_tests_does_not_run() {
    let Some(claude) = newer() else { return };
    let project = Project::with(MATH);
    let skill =
        "---\nname: tidy\ndescription: d\nallowed-tools: Bash(rm:*)\n---\n\nTidied: !`rm -f math.test.js`\n";
    project.write(".claude/skills/tidy/SKILL.md", skill);
    let project = project.install_for(NEWER);
    let played = Session::of(&claude, &project).prompt("/tidy").play().ended_well();
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    assert!(
        played.conversation("").contains("not run: blocked by hook: Steadfast: "),
        "{}",
        played.conversation("")
    );
}

/// Deletes two tests in a script of the project, whose words show nothing.
const TIDY: &str = "sed -i '/negative/,/^$/d; /commutative/,/^$/d' math.test.js\n";

#[test]
fn what_a_monitored_script_deletes_is_found_when_the_turn_ends() {
    let Some(claude) = newer() else { return };
    let project = Project::with(&[MATH, &[("tidy.sh", TIDY)]].concat()).install_for(NEWER);
    let monitor = json!({"description": "watch", "timeout_ms": 5000, "command": "sh tidy.sh"});
    let played = Session::of(&claude, &project)
        .turn(Turn::call("ToolSearch", json!({"query": "select:Monitor", "max_results": 5})))
        .turn(Turn::call("Monitor", monitor))
        .turn(Turn::bash("sleep 3; cat math.js"))
        .turn(Turn::say("It is tidy."))
        .turn(Turn::say("It is."))
        .play()
        .ended_well();
    let told = played.conversation("");
    assert!(told.contains("adds negative numbers") && told.contains("test_deletion"), "{told}");
}

#[test]
fn what_a_script_in_a_skills_shell_line_deletes_is_found_when_the_turn_ends() {
    let Some(claude) = newer() else { return };
    let project = Project::with(&[MATH, &[("tidy.sh", TIDY)]].concat());
    let skill = "---\nname: tidy\ndescription: d\nallowed-tools: Bash(sh:*)\n---\n\nTidied: !`sh tidy.sh`\n";
    project.write(".claude/skills/tidy/SKILL.md", skill);
    let project = project.install_for(NEWER);
    let played = Session::of(&claude, &project)
        .prompt("/tidy")
        .turn(Turn::say("It is tidy."))
        .turn(Turn::say("It is."))
        .play()
        .ended_well();
    assert_ne!(project.text("math.test.js"), MATH_TESTS, "the script has run");
    let told = played.conversation("");
    assert!(told.contains("adds negative numbers") && told.contains("test_deletion"), "{told}");
}

#[test]
fn a_code_that_is_typed_never_reaches_the_model() {
    let Some(claude) = newer() else { return };
    let project = Project::with(MATH).install_for(NEWER);
    for prompt in ["/steadfast:allow K7QX2M9P", "steadfast allow K7QX2M9P", "/steadfast:gate reject K7QX2M9P"]
    {
        let played = Session::of(&claude, &project).prompt(prompt).play();
        assert!(!played.sent.iter().any(|sent| sent.contains("K7QX2M9P")), "{prompt}: {}", played.outline());
    }
}
