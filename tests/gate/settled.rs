//! Where the documents contradict each other: what was settled, through the executable.

use serde_json::{Value, json};

use crate::decisions::with_open_gate;
use crate::documents::{after, score};
use crate::place::{Place, TEST_FILE, TESTS};

fn looping(settings: &str) -> Place {
    let place = Place::new();
    if !settings.is_empty() {
        place.write("aiwg.yml", format!("agent_persistence:\n{settings}"));
    }
    place.start_loop("one");
    place.start("s1");
    place
}

/// The answer to an edit of the tests.
fn edited(place: &Place, old: &str, new: &str) -> Value {
    place.edit("pre-tool-use", "s1", old, new).unwrap_or_default()["hookSpecificOutput"].clone()
}

/// What a script leaves of the tests, and whether a person is asked then.
fn asked_after(place: &Place, left: &str) -> bool {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "t",
        "tool_response": {}});
    place.fire("pre-tool-use", "s1", fields.clone());
    place.write(TEST_FILE, left);
    place.fire("post-tool-use", "s1", fields);
    place.state("one")["human_gates"].as_array().is_some_and(|gates| !gates.is_empty())
}

const ZERO: &str = "    assert add(0, 0) == 0\n";
const WEAKER: &str = "    assert add(0, 0) is not None\n";

#[test]
fn a_single_small_step_counts_from_the_fifth_iteration_on() {
    // With thresholds of its own a project is only raised by the documents' second trigger here.
    let settings =
        "agent_persistence:\n  reinforcement:\n    escalation_thresholds: {iteration_30: AGGRESSIVE}\n";
    let place = after(4, |place| place.write("aiwg.yml", settings));
    score(&place, &[10.0, 30.0, 5.0, 69.0]);
    place.write("why", "src/cart.ts(3,7): error TS2399: another fault\n");
    place.stop("s1");
    let state = place.state("one");
    let delta = state["iteration_history"][4]["quality_delta"].as_f64().unwrap();
    assert!(delta.abs() < 5.0, "{delta}");
    assert_eq!(state["reinforcement_level"], "AGGRESSIVE", "{}", state["reinforcement_history"]);
}

#[test]
fn a_justification_in_the_agents_words_opens_nothing() {
    let place = looping("");
    let why = "# Justification: the exact value is not specified anywhere, so checking for presence is enough and safe.\n";
    for new in [WEAKER.to_owned(), format!("    {why}{WEAKER}")] {
        let answer = edited(&place, ZERO, &new);
        assert_eq!(answer["permissionDecision"], "deny", "{new}: {answer}");
    }
}

#[test]
fn an_agent_of_the_projects_own_cant_lower_a_verdict() {
    let reply = json!({"role": "assistant", "content": "fine", "metadata": {"verdict": "PASS"}});
    for (agent, required) in
        [("laziness-detector", true), ("laziness-detector", false), ("second-opinion", true)]
    {
        let place = Place::new();
        let script = json!(format!("cat > asked.json; echo '{reply}'"));
        let definitions = format!(
            "hooks:\n  pre_tool_call:\n    agents_to_invoke:\n      - agent: {agent}\n        purpose: \"Look\"\n        \
             required: {required}\n        command: [sh, -c, {script}]\n"
        );
        place.write(".aiwg/ralph/hooks/persistence-hooks.yaml", definitions);
        place.done(&["hooks", "check"]);
        place.start_loop("one");
        place.start("s1");
        assert!(place.guards("s1"), "{agent} {required}");
        assert!(place.path("asked.json").exists(), "{agent} was asked");
    }
}

#[test]
fn the_modes_stop_and_ask_for_what_they_are_for() {
    let gone = TESTS.replace("\ndef test_zero():\n    assert add(0, 0) == 0\n", "");
    let weaker = TESTS.replace(ZERO, WEAKER);
    for (mode, denied, asked_for_weaker) in
        [("minimal", false, false), ("standard", true, true), ("aggressive", true, true)]
    {
        let place = looping(&format!("  detection: {{mode: {mode}}}\n"));
        assert!(place.guards("s1"), "{mode}: a deleted test is critical");
        assert_eq!(edited(&place, ZERO, WEAKER)["permissionDecision"] == "deny", denied, "{mode}");
        assert_eq!(asked_after(&place, &weaker), asked_for_weaker, "{mode}: weaker");
        place.write(TEST_FILE, TESTS);
        assert!(asked_after(&place, &gone), "{mode}: a deleted test is a person's matter");
    }
}

#[test]
fn what_is_reward_hacking_or_deletes_tests_is_never_tried_again_first() {
    let (place, _) = with_open_gate(2);
    let recovery = place.state("one")["recovery_history"][0].clone();
    assert_eq!(recovery["protocol_steps"]["adapt"]["strategy"], "escalate_to_human_gate", "{recovery:#}");
    assert!(
        recovery["protocol_steps"]["retry"].is_null() && recovery["protocol_steps"]["escalate"].is_object()
    );
}

#[test]
fn an_iteration_that_is_begun_twice_is_begun_once() {
    let place = looping("");
    place.stop("s1");
    let begun = |place: &Place| {
        let state = place.state("one");
        (state["iteration"].clone(), state["iteration_count"].clone(), state["reinforcement_history"].clone())
    };
    let before = begun(&place);
    assert_eq!((&before.0, &before.1), (&json!(2), &json!(2)));
    for _ in 0..2 {
        place.fire("session-start", "s1", json!({"source": "compact"}));
        place.fire("user-prompt-submit", "s1", json!({"prompt": "Go on."}));
    }
    assert_eq!(begun(&place), before);
}

#[test]
fn the_criterion_met_with_tests_lost_is_no_completion_until_a_person_decides() {
    let (place, _) = with_open_gate(2);
    place.write("done", "");
    let ends = place.stop("s1").unwrap_or_default();
    assert!(ends["hookSpecificOutput"].is_null(), "the turn may end, nothing is forced: {ends}");
    let state = place.state("one");
    assert_eq!((&state["status"], &state["human_gates"][0]["decision"]), (&json!("running"), &Value::Null));
    // Put back by itself, the same criterion completes it.
    place.write(TEST_FILE, TESTS);
    place.fire("user-prompt-submit", "s1", json!({"prompt": "The test is back."}));
    place.stop("s1");
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed");
}

#[test]
fn a_loop_is_named_by_position_and_by_option() {
    let place = looping("");
    // What is kept may still grow by the net that a process of its own lays.
    let but_for_sizes = |said: String| {
        let lines: Vec<&str> = said.lines().filter(|line| !line.contains("checkpoints take")).collect();
        lines.join("\n")
    };
    let [bare, named] = [&["status", "one"][..], &["status", "--loop-id", "one"]]
        .map(|words| but_for_sizes(place.done(words)));
    assert!(bare.contains("one") && bare == named, "{bare}\n{named}");
}
