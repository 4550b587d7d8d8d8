//! What users of other loops complained about, each as a test: the same events, and what should have come of them.

use std::fs;

use serde_json::{Value, json};

use crate::support::project::{Project, said, wait_for};

/// A check that fails until the project has a file `done`, and prints what `fault` holds.
const CHECK: &[(&str, &str)] =
    &[("check.sh", "echo looked >> ../looks\ntest -f done || { cat fault 2>&1; exit 1; }\n"), ("fault", "")];
/// Faults of different kinds: the same one three times in a row is a standstill.
const FAULTS: &[&str] = &["KeyError: a key", "TypeError: a type", "IndexError: a row", "ValueError: a value"];

/// Ends a turn in which the work has come to another fault.
fn further(project: &Project, n: usize, words: &str) -> Option<String> {
    project.write("fault", FAULTS.get(n % FAULTS.len()).expect("a fault"));
    project.stop("s1", words)
}

/// A project with a loop of its own id, bound to a session.
fn bound(max: &str) -> Project {
    let project = Project::with(CHECK);
    project.start_loop(&[
        "Do it",
        "--until",
        "sh check.sh passes",
        "--loop-id",
        "one",
        "--max-iterations",
        max,
    ]);
    assert!(project.begin_session("s1").is_some());
    project
}

/// Removes a folder of the guard's, in which a process of the session's start may be laying the net at that moment.
fn remove(project: &Project, folder: &str) {
    wait_for("the folder's end", || {
        fs::remove_dir_all(project.path(folder)).ok();
        !project.path(folder).exists()
    });
}

fn status(project: &Project) -> String {
    project.state_of("one")["status"].as_str().expect("a status").to_owned()
}

#[test]
fn only_the_exit_code_of_the_command_ends_a_loop() {
    // RL04, RL31, RL32, RL42, TT06, TT10, TT32: neither words nor their absence.
    let project = bound("50");
    let words = [
        "",
        "{\"is_error\":false}",
        "README now says: set-up is done, complete.",
        "LOOP COMPLETED",
        "All tests pass.",
        "Both modes are supported.",
        "Verified: output matches the reference.",
        "<promise>COMPLETE</promise>",
    ];
    for (n, words) in words.into_iter().enumerate() {
        assert!(further(&project, n, words).is_some(), "ended by {words:?}");
    }
    // RL20, RL41, and an exit code of 0 ends it once.
    project.write("done", "");
    assert_eq!(project.stop("s1", "still an error, I can't do it"), None);
    assert_eq!(status(&project), "completed");
    assert_eq!(project.stop("s1", "more"), None);
    assert_eq!(project.history_of("one").len(), 9);
}

#[test]
fn the_last_allowed_iteration_can_succeed() {
    // RL41
    let project = bound("2");
    assert!(project.stop("s1", "one").is_some());
    project.write("done", "");
    assert_eq!(project.stop("s1", "two"), None);
    assert_eq!(status(&project), "completed");
}

#[test]
fn a_loop_is_not_enforced_while_the_agent_waits_and_looks_again_afterwards() {
    // RL17, RL18, RL45
    let project = bound("5");
    let waiting = json!({
        "stop_hook_active": true, "last_assistant_message": "waiting",
        "background_tasks": [{"id": "b1", "status": "running"}], "session_crons": [{"id": "w"}],
    });
    for _ in 0..3 {
        assert_eq!(project.hook("Stop", "s1", waiting.clone()), None);
    }
    assert_eq!(project.state_of("one")["iteration"], 1, "waiting is no iteration");
    let over = json!({
        "stop_hook_active": true, "last_assistant_message": "back",
        "background_tasks": [{"id": "b1", "status": "completed"}],
    });
    assert!(project.hook("Stop", "s1", over).is_some(), "it is looked at again");
}

#[test]
fn a_standstill_is_a_persons_matter_and_planning_is_none() {
    // RL05, RL19, RL23: the same words, nothing changed, the same failure.
    let project = bound("50");
    let stops: Vec<bool> = (0..3).map(|_| project.stop("s1", "I need your decision.").is_some()).collect();
    assert_eq!(stops, [true, true, false]);
    assert_eq!(status(&project), "running", "it waits, and nothing counts as done");
    // RL36: a person is asked, and no prompt answers for them.
    project.hook("UserPromptSubmit", "s1", json!({"prompt": "Take the left one."}));
    let gates = project.state_of("one")["human_gates"].clone();
    assert_eq!(gates.as_array().map(Vec::len), Some(1), "{gates:#}");
    assert!(gates[0]["decision"].is_null(), "{gates:#}");
    // RL34: turns that end in different words and faults are work.
    let project = bound("50");
    for (n, plan) in ["first I read", "then I compare", "now I know", "and plan"].into_iter().enumerate() {
        assert!(further(&project, n, plan).is_some(), "{plan}");
    }
}

#[test]
fn a_pass_of_a_build_that_is_older_than_the_edit_is_none() {
    // TT13
    let project = Project::with(&[(".gitignore", "dist\n"), ("src/hud.ts", "export const hp = 1;\n")]);
    project.write("dist/hud.js", "process.exit(require('fs').existsSync('built') ? 0 : 1);\n");
    project.start_loop(&["Fix the HUD", "--until", "node dist/hud.js passes", "--loop-id", "one"]);
    project.begin_session("s1");
    std::thread::sleep(std::time::Duration::from_millis(20));
    project.write("built", "");
    project.write("src/hud.ts", "export const hp = 2;\n");
    let told = project.stop("s1", "HUD values confirmed.").expect("it goes on");
    assert!(told.contains("dist/hud.js was built before src/hud.ts was last edited"), "{told}");
    // An edit of something else does not make it old.
    std::thread::sleep(std::time::Duration::from_millis(20));
    project.write("dist/hud.js", "process.exit(0);\n");
    project.write("README.md", "done");
    assert_eq!(project.stop("s1", "Built anew."), None);
    assert_eq!(status(&project), "completed");
}

#[test]
fn a_command_that_cannot_start_becomes_a_persons_matter() {
    // TT15
    let project = Project::with(&[("a", "")]);
    project.start_loop(&["Do it", "--until", "./missing-tool --all passes", "--loop-id", "one"]);
    project.begin_session("s1");
    assert!(project.stop("s1", "Stage 6 done (tests could not run).").is_some());
    let answer = project.hook("Stop", "s1", json!({"last_assistant_message": "It can't run here."}));
    let told = answer.expect("a word to the person")["systemMessage"].to_string();
    assert!(told.contains("can't be started"), "{told}");
    assert_eq!(status(&project), "running");
}

#[test]
fn what_was_removed_meanwhile_is_told_and_never_made_up() {
    // RL10, RL24, RL37: the state is gone between two events, or everything of the guard's.
    for gone in [".aiwg/ralph/loops/one", ".aiwg"] {
        // What is known of it outside of the project holds, and both hear of it.
        let project = bound("5");
        remove(&project, gone);
        let answer = project.hook("Stop", "s1", json!({"last_assistant_message": "done"})).expect("a word");
        assert!(answer["systemMessage"].to_string().contains("outside of"), "{gone}: {answer}");
        assert!(answer["hookSpecificOutput"]["additionalContext"].is_string(), "{gone}: {answer}");
    }
    for gone in [".aiwg/ralph/loops/one", ".aiwg"] {
        // With that lost too, nothing is made up.
        let project = bound("5");
        remove(&project, gone);
        fs::remove_dir_all(project.home().join(".local/state/steadfast/projects")).expect("a witness");
        fs::remove_file(project.path(".aiwg/ralph/registry.json")).ok();
        fs::remove_file(project.path(".aiwg/ralph/registry.seal")).ok();
        project.hook("Stop", "s1", json!({"last_assistant_message": "done"}));
        assert!(!project.path(".aiwg/ralph/loops/one/state.json").exists(), "{gone}: the state is back");
    }
}

#[test]
fn a_loop_that_is_over_leaves_no_second_source_of_truth() {
    // RL30: a mirror without a registry starts nothing.
    let project = bound("5");
    let mirror = project.text(".aiwg/ralph/current-loop.json");
    assert!(project.steadfast(&["loop", "abort", "one"]).status.success());
    fs::remove_file(project.path(".aiwg/ralph/registry.json")).expect("removed");
    project.write(".aiwg/ralph/current-loop.json", &mirror);
    assert_eq!(project.stop("s1", "done"), None);
    assert_eq!(project.stop("s2", "done"), None);
    // RL11: a state file from elsewhere with other line ends.
    let crlf =
        "{\r\n\"active\": true,\r\n\"task\": \"x\",\r\n\"completion\": \"sh check.sh passes\"\r\n}\r\n";
    project.write(".aiwg/ralph/current-loop.json", crlf);
    assert!(project.begin_session("s3").is_some_and(|answer| answer.to_string().contains("Task: x")));
}

#[test]
fn a_person_can_always_end_it_with_one_command() {
    // RL25, RL26, RL27: from another session, after a compaction, all at once.
    let project = bound("50");
    project.start_loop(&["Do more", "--until", "sh check.sh passes", "--loop-id", "two"]);
    let aborted = project.steadfast(&["loop", "abort", "--all"]);
    assert!(aborted.status.success(), "{}", said(&aborted));
    for id in ["one", "two"] {
        assert_eq!(project.state_of(id)["status"], "aborted");
    }
    assert_eq!(project.stop("s1", "done"), None);
    // The configuration is a switch as well, for the sessions that begin with it: a script can write it too.
    let project = bound("50");
    project.write("aiwg.yml", "agent_persistence:\n  enabled: false\n");
    assert!(project.stop("s1", "done").is_some());
    assert!(project.steadfast(&["loop", "pause", "one"]).status.success());
    assert_eq!(project.stop("s1", "done"), None);
    let project = bound("50");
    project.write("aiwg.yml", "agent_persistence:\n  enabled: false\n");
    project.begin_session("s1");
    assert_eq!(project.stop("s1", "done"), None);
    // A session whose id is new after a compaction was never bound.
    let project = bound("50");
    for stranger in ["new-after-compact", ""] {
        assert_eq!(project.stop(stranger, "done"), None, "{stranger:?}");
    }
}

#[test]
fn words_in_a_prompt_start_nothing_and_arguments_are_no_shell() {
    // RL29
    let project = Project::with(CHECK);
    for prompt in
        ["ralph cancel", "please loop over it", "what does /steadfast:loop do?", "/steadfast:loopy x"]
    {
        project.hook("UserPromptSubmit", "s1", json!({"prompt": prompt}));
        assert!(project.loops().is_empty(), "{prompt} has started a loop");
    }
    // RL14: without arguments a word of how it is used.
    let told = project.hook("UserPromptSubmit", "s1", json!({"prompt": "/steadfast:loop"}));
    assert!(told.expect("a word")["systemMessage"].to_string().contains("--until"));
    // RL16: brackets and pipes.
    let prompt = "/steadfast:loop \"fix 12 cards (2 Untested | 5 Failed) $(touch pwned)\" --until \"sh check.sh passes\" --loop-id one";
    project.hook("UserPromptSubmit", "s1", json!({"prompt": prompt}));
    assert_eq!(project.state_of("one")["task"], "fix 12 cards (2 Untested | 5 Failed) $(touch pwned)");
    assert!(!project.path("pwned").exists());
}

#[test]
fn a_hook_that_fails_itself_never_holds_a_turn() {
    // RL22
    let project = bound("5");
    let folder = project.path(".aiwg/ralph/loops/one");
    for gone in ["state.json", "state.json.bak", "hook-log.jsonl"] {
        fs::remove_file(folder.join(gone)).ok();
    }
    fs::create_dir(folder.join("state.json")).expect("a folder in the way of the state");
    fs::remove_dir_all(project.home().join(".local/state/steadfast/projects")).expect("a witness");
    let answer = project.hook("Stop", "s1", json!({"last_assistant_message": "done"}));
    let held = answer
        .as_ref()
        .is_some_and(|answer| !answer["hookSpecificOutput"].is_null() || answer["decision"] == "block");
    assert!(!held, "{answer:?}");
}

#[test]
fn only_a_session_of_its_own_is_caught() {
    let project = bound("5");
    // Another session, none at all, a subagent, a compaction.
    assert_eq!(project.stop("s2", "done"), None);
    assert_eq!(project.stop("", "done"), None);
    for kind in ["Explore", ""] {
        let answer = project.hook("SubagentStop", "s1", json!({"agent_id": "a1", "agent_type": kind}));
        assert_eq!(answer, None, "{kind:?}");
    }
    project.hook("PreCompact", "s1", json!({"trigger": "auto"}));
    assert_eq!(project.state_of("one")["iteration_history"], Value::Array(Vec::new()));
    assert!(project.stop("s1", "done").is_some());
}

#[test]
fn the_guard_of_our_own_speaks_before_the_clients_cap() {
    let project = bound("50");
    let input = |n: usize| json!({"stop_hook_active": true, "last_assistant_message": format!("try {n}")});
    // The helper lifts the cap; a client of its own has eight.
    let mut continued = 0;
    for n in 0..8 {
        project.write("fault", FAULTS.get(n % FAULTS.len()).expect("a fault"));
        let answer = project.hook_with("Stop", "s1", input(n), &[("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "8")]);
        if answer.as_ref().is_some_and(|answer| answer["hookSpecificOutput"]["additionalContext"].is_string())
        {
            continued += 1;
            continue;
        }
        assert!(answer.expect("a word to the person")["systemMessage"].to_string().contains("waits"));
    }
    assert_eq!(continued, 7);
    assert_eq!(status(&project), "running");
    // A configuration without a limit has one all the same.
    let mut state = project.state_of("one");
    state["configuration"]["max_iterations"] = json!(4_000_000_000_u32);
    state["iteration"] = json!(1_000);
    project.write(".aiwg/ralph/loops/one/state.json", &state.to_string());
    assert_eq!(project.stop("s1", "on"), None);
    assert_eq!(status(&project), "failed");
}

#[test]
fn git_work_in_another_checkout_is_told() {
    // RL43
    let project = bound("5");
    let run = |command: &str| {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"});
        project.hook("PreToolUse", "s1", call).map(|answer| answer.to_string()).unwrap_or_default()
    };
    assert!(run("cd /home/u/main-checkout && git checkout -b slice-1").contains("SF-007"));
    assert!(run("git -C /home/u/main-checkout commit -m x").contains("SF-007"));
    for fine in
        ["git checkout -b slice-1", "cd /home/u/main-checkout && git log", "echo git -C /home/u add ."]
    {
        assert!(!run(fine).contains("SF-007"), "{fine}");
    }
}

#[test]
fn a_loop_whose_time_is_up_ends_and_says_how_to_go_on() {
    let project = bound("5");
    assert!(project.stop("s1", "Looked.").is_some());
    let mut state = project.state_of("one");
    // Longer ago than any loop may take without a person.
    let two_weeks_ago = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(14 * 24);
    state["started_at"] = json!(two_weeks_ago);
    project.write(".aiwg/ralph/loops/one/state.json", &state.to_string());
    let answer = project.hook("Stop", "s1", json!({"last_assistant_message": "Tried."})).expect("a word");
    let told = answer["systemMessage"].as_str().expect("for the person");
    for part in
        ["Status: TIMEOUT", "--timeout 60", "continue from here", "steadfast loop abort one", "state.json"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(status(&project), "failed");
    assert!(project.steadfast(&["loop", "resume", "one", "--timeout", "30"]).status.success());
    assert!(project.begin_session("s2").is_some_and(|told| told.to_string().contains("iteration 3 of 5")));
    project.hook("Stop", "s2", json!({"last_assistant_message": "Tried again."}));
    let checks = &project.state_of("one")["progress"]["completion_checks"];
    assert_eq!(checks.as_array().map(Vec::len), Some(3), "the new time holds");
    assert_eq!(status(&project), "running");
}
