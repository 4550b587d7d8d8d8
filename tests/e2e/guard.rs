//! Edits that lose tests, and edits that do not.

use crate::samples::{MATH, MATH_TESTS, RIGHT_MATH, TWO_FAILING_TESTS, WRONG_MATH};
use crate::support::client::claude;
use crate::support::project::Project;
use crate::support::script::Turn;
use crate::support::session::Session;

#[test]
fn an_edit_that_deletes_tests_is_denied_by_name_and_the_session_goes_on_to_the_mend() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let (source, tests) = (project.path("math.js"), project.path("math.test.js"));

    let played = Session::of(&claude, &project)
        .prompt("Make the tests pass.")
        .turn(Turn::read(&tests).and("Read", serde_json::json!({"file_path": source})))
        .turn(Turn::edit(&tests, TWO_FAILING_TESTS, ""))
        .turn(Turn::edit(&source, WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()))
        .turn(Turn::say("The fault was in the source; all tests stay."))
        .play()
        .ended_well();

    let refusal = played.result(2);
    assert!(refusal.is_error, "the deletion went through: {refusal:?}");
    for named in ["LP-001", "math.test.js: adds negative numbers", "math.test.js: is commutative"] {
        assert!(refusal.text.contains(named), "{named} is not in the refusal: {}", refusal.text);
    }
    assert!(!refusal.text.contains("adds zero"), "a test that stays is named: {}", refusal.text);
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
    assert!(!played.result(3).is_error, "the mend was refused: {:?}", played.result(3));
    assert_eq!(project.text("math.js"), RIGHT_MATH);
}

#[test]
fn a_whole_file_written_with_fewer_tests_is_denied() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let tests = project.path("math.test.js");

    let played = Session::of(&claude, &project)
        .turn(Turn::read(&tests))
        .turn(Turn::write(&tests, &MATH_TESTS.replace(TWO_FAILING_TESTS, "")))
        .play()
        .ended_well();

    let refusal = played.result(1);
    assert!(refusal.is_error && refusal.text.contains("math.test.js: is commutative"), "{refusal:?}");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
}

#[test]
fn a_test_that_is_switched_off_is_denied_by_name() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let tests = project.path("math.test.js");

    let played = Session::of(&claude, &project)
        .turn(Turn::read(&tests))
        .turn(Turn::edit(&tests, "test(\"is commutative\"", "test.skip(\"is commutative\""))
        .play()
        .ended_well();

    let refusal = played.result(1);
    assert!(refusal.is_error, "the skip went through: {refusal:?}");
    assert!(refusal.text.contains("math.test.js: is commutative"), "{}", refusal.text);
    assert!(["LP-002", "LP-003"].iter().any(|id| refusal.text.contains(id)), "{}", refusal.text);
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
}

#[test]
fn a_renamed_test_passes_without_a_word() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let tests = project.path("math.test.js");

    let played = Session::of(&claude, &project)
        .turn(Turn::read(&tests))
        .turn(Turn::edit(&tests, "test(\"is commutative\"", "test(\"does not mind the order\""))
        .play()
        .ended_well();

    assert!(!played.result(1).is_error, "the rename was refused: {:?}", played.result(1));
    assert!(project.text("math.test.js").contains("does not mind the order"));
    for event in ["PostToolUse", "Stop"] {
        for response in played.hook_responses(event) {
            assert_eq!(response["stdout"], "", "{event} has something to say: {response}");
        }
    }
    assert_eq!(played.told("LP-"), 0, "{}", played.conversation(""));
}

#[test]
fn an_edit_of_a_subagent_is_judged_too() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();
    let tests = project.path("math.test.js");
    let errand = "ERRAND: tidy the tests.";

    let played = Session::of(&claude, &project)
        .turn(Turn::agent(errand))
        .thread(
            errand,
            vec![Turn::read(&tests), Turn::edit(&tests, TWO_FAILING_TESTS, ""), Turn::say("Tidied.")],
        )
        .play()
        .ended_well();

    let told = played.conversation(errand);
    for named in ["LP-001", "math.test.js: adds negative numbers"] {
        assert!(told.contains(named), "{named} did not reach the subagent: {told}\n{}", played.outline());
    }
    assert_eq!(project.text("math.test.js"), MATH_TESTS);
}

#[test]
fn a_session_that_only_reads_leaves_nothing_and_from_the_first_change_on_every_call_is_logged() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH).install();

    let reading = Session::of(&claude, &project)
        .turn(Turn::read(&project.path("math.js")))
        .turn(Turn::bash("ls"))
        .turn(Turn::bash("git status"))
        .play()
        .ended_well();
    assert!(!reading.result(2).is_error, "{:?}", reading.result(2));
    assert!(!project.path(".aiwg").exists(), "a session that only reads left {:?}", project.loops());

    Session::of(&claude, &project)
        .turn(Turn::bash("ls"))
        .turn(Turn::write(&project.path("notes.md"), "# Notes\n"))
        .turn(Turn::bash("ls -l"))
        .play()
        .ended_well();
    let log = project.hook_log();
    let calls = log.iter().filter(|line| line["hook_name"] == "pre_tool_call").count();
    assert_eq!(calls, 2, "the write and the call after it: {log:#?}");
    let answered = log.iter().filter(|line| line["hook_name"] == "post_tool_call").count();
    assert_eq!(answered, 2, "{log:#?}");
    assert!(log.iter().any(|line| line["hook_name"] == "post_iteration"), "the end of the turn: {log:#?}");
    for line in &log {
        assert!(line["duration_ms"].is_u64() && line["timestamp"].is_string(), "{line}");
    }
    assert_eq!(project.git(&["status", "--porcelain"]), "?? notes.md\n", "the state is kept out of git");
}
