//! The bench itself: that a hook's answer reaches the scripted model through the client.

use serde_json::json;

use crate::support::client::claude;
use crate::support::project::Project;
use crate::support::script::Turn;
use crate::support::session::Session;

const DENYING: &str = r#"#!/bin/sh
cat > seen.json
printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not that one"}}'
"#;

#[test]
fn the_answer_of_a_foreign_hook_reaches_the_model() {
    let Some(claude) = claude() else { return };
    let project = Project::with(&[("a.txt", "one\n")]);
    project.write_script("deny.sh", DENYING);
    let hook = json!({"type": "command", "command": project.path("deny.sh"), "args": []});
    let settings = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}});
    project.write(".claude/settings.json", &settings.to_string());

    let played = Session::of(&claude, &project)
        .prompt("The first prompt.")
        .prompt("The second prompt.")
        .turn(Turn::bash("touch made.txt"))
        .turn(Turn::say("I was refused."))
        .turn(Turn::read(&project.path("a.txt")))
        .turn(Turn::edit(&project.path("a.txt"), "one", "two"))
        .play()
        .ended_well();

    // Newer clients put their own words before the reason.
    assert!(played.result(0).text.ends_with("not that one"), "{}", played.result(0).text);
    assert!(played.result(0).is_error);
    assert!(!project.path("made.txt").exists(), "the refused command has run");
    assert_eq!(project.json("seen.json")["tool_input"]["command"], "touch made.txt");
    assert_eq!(played.hook_responses("PreToolUse").len(), 1, "{}", played.outline());
    assert!(!played.result(2).is_error, "{}", played.outline());
    assert_eq!(project.text("a.txt"), "two\n");
    assert_eq!(
        (played.told("The first prompt."), played.told("The second prompt.")),
        (1, 1),
        "both prompts are in one conversation"
    );
}
