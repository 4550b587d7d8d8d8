//! Steadfast beside what the user already has.

use serde_json::json;

use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::claude;
use crate::support::project::Project;
use crate::support::script::Turn;
use crate::support::session::Session;

#[test]
fn foreign_hooks_keep_working_beside_ours_and_after_us() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH);
    project.write_script("note.sh", "#!/bin/sh\ncat >> \"$CLAUDE_PROJECT_DIR/noted.jsonl\"\n");
    let note = json!([{"hooks": [{"type": "command", "command": project.path("note.sh"), "args": []}]}]);
    let theirs = json!({"hooks": {"PreToolUse": note, "Stop": note}, "env": {"THEIR_OWN": "kept"}});
    project.write(".claude/settings.local.json", &theirs.to_string());
    project.commit();
    let project = project.install();
    let tests = project.path("math.test.js");
    let noted = || project.text("noted.jsonl").lines().count();

    let played = Session::of(&claude, &project)
        .turn(Turn::bash("echo $THEIR_OWN > theirs.txt"))
        .turn(Turn::read(&tests))
        .turn(Turn::edit(&tests, TWO_FAILING_TESTS, ""))
        .play()
        .ended_well();
    assert!(played.result(2).is_error, "ours did not refuse: {:?}", played.result(2));
    assert_eq!(noted(), 4, "theirs saw three calls and the end of the turn");
    assert_eq!(project.text("theirs.txt"), "kept\n");
    assert_eq!(project.text("math.test.js"), MATH_TESTS);

    assert!(project.steadfast(&["uninstall"]).status.success());
    assert_eq!(project.text(".claude/settings.local.json"), theirs.to_string());
    Session::of(&claude, &project).turn(Turn::bash("true")).play().ended_well();
    assert_eq!(noted(), 6, "theirs alone");
}

#[test]
fn the_clients_own_permission_rules_still_decide_what_we_let_pass() {
    let Some(claude) = claude() else { return };
    let project = Project::with(MATH);
    project.write(".claude/settings.json", &json!({"permissions": {"deny": ["Bash(touch:*)"]}}).to_string());
    let project = project.install();

    let played = Session::of(&claude, &project)
        .permission_mode("acceptEdits")
        .env("UNRELATED", "1")
        .turn(Turn::bash("touch made.txt"))
        .play()
        .ended_well();

    assert!(played.result(0).is_error, "{:?}", played.result(0));
    assert!(!project.path("made.txt").exists());
}
