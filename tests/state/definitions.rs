//! What a project's own definition file says is done, without a rebuild.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::place::{Place, TEST_FILE, TESTS};

/// A place with these definitions and a claimed loop.
fn looping(definitions: &str) -> Place {
    let place = defined(definitions);
    place.start_loop("one");
    place.start("s1");
    place
}

fn defined(definitions: &str) -> Place {
    let place = Place::new();
    place.write(".aiwg/ralph/hooks/persistence-hooks.yaml", definitions);
    place.done(&["hooks", "check"]);
    place
}

fn run(place: &Place, command: &str) -> Option<Value> {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("id {command}")});
    place.fire("pre-tool-use", "s1", fields)
}

fn said(answer: &Option<Value>) -> String {
    let output = &answer.as_ref().map(|answer| answer["hookSpecificOutput"].clone()).unwrap_or_default();
    let text = |name: &str| output[name].as_str().unwrap_or_default().to_owned();
    format!("{}{}{}", text("permissionDecision"), text("permissionDecisionReason"), text("additionalContext"))
}

/// An agent that is a program, in a hook's definition.
fn program(hook: &str, required: bool, script: &str) -> String {
    format!(
        "  {hook}:\n    agents_to_invoke:\n      - agent: outsider\n        purpose: \"Look\"\n        required: \
         {required}\n        command: [sh, -c, {}]\n",
        json!(script)
    )
}

#[test]
fn the_log_is_where_it_is_wanted_and_found_there() {
    let place = looping("audit:\n  log_location: .aiwg/ralph/audit/{loop_id}.jsonl\n  retention_days: 7\n");
    assert!(place.guards("s1"));
    place.stop("s1");
    assert!(!place.directory("one").join("hook-log.jsonl").exists());
    let lines = fs::read_to_string(place.path(".aiwg/ralph/audit/one.jsonl")).unwrap();
    for hook in ["loop_start", "pre_iteration", "pre_tool_call", "post_iteration"] {
        assert!(lines.contains(&format!("\"hook_name\":\"{hook}\"")), "{hook} in {lines}");
    }
    assert_eq!(place.done(&["log", "one", "--json"]), lines);
    assert!(place.done(&["log", "verify"]).contains("one: untouched"));
    place.write(".aiwg/ralph/audit/one.jsonl", lines.replace("\"deny\"", "\"pass\""));
    assert!(!place.steadfast(&["log", "verify"]).status.success());
    // The agent can't write to it.
    assert!(said(&run(&place, "echo > .aiwg/ralph/audit/one.jsonl")).contains("deny"));
}

#[test]
fn a_line_lives_as_long_as_is_said() {
    let place = looping("audit:\n  retention_days: 7\n");
    let log = place.directory("one").join("hook-log.jsonl");
    let old = fs::read_to_string(&log).unwrap();
    let days = |days: i64| {
        let then = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * days);
        let line: Value = serde_json::from_str(old.lines().next().unwrap()).unwrap();
        let mut line = line;
        line["timestamp"] = json!(then);
        format!("{line}\n")
    };
    place.write(".aiwg/ralph/loops/one/hook-log.1.jsonl", days(8));
    place.write(".aiwg/ralph/loops/one/hook-log.2.jsonl", days(6));
    place.start_loop("two");
    assert!(!place.directory("one").join("hook-log.1.jsonl").exists());
    assert!(place.directory("one").join("hook-log.2.jsonl").exists());
}

#[test]
fn what_passes_leaves_no_line_where_none_is_wanted() {
    let read = json!({"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "r"});
    for (wanted, lines) in [(true, 1), (false, 0)] {
        let place = looping(&format!("audit:\n  log_all_hook_invocations: {wanted}\n"));
        let before = place.log("one").len();
        place.fire("pre-tool-use", "s1", read.clone());
        assert_eq!(place.log("one").len() - before, lines, "{wanted}");
        assert!(place.guards("s1"));
        assert_eq!(place.log("one").len() - before, lines + 1, "what was denied is always told");
    }
}

#[test]
fn command_patterns_mean_the_command_that_runs() {
    let place = looping(
        "hooks:\n  pre_tool_call:\n    risk_patterns:\n      - {tool: Bash, command_pattern: \"terraform \
         {apply,destroy}*\", risk: infrastructure_change}\n      - {tool: Bash, command_pattern: \"cat /etc/*\", \
         risk: host_secrets}\n",
    );
    let rows = [
        ("terraform destroy -auto-approve", Some("infrastructure_change")),
        ("cd infra && sudo terraform apply", Some("infrastructure_change")),
        ("bash -c 'terraform destroy'", Some("infrastructure_change")),
        ("cat /etc/passwd", Some("host_secrets")),
        ("terraform plan", None),
        ("echo terraform destroy", None),
        ("git commit -m 'terraform destroy'", None),
        ("cat notes/etc/passwd", None),
    ];
    for (command, risk) in rows {
        let before = place.state("one")["risky_actions_total"].as_u64();
        let said = said(&run(&place, command));
        let after = place.state("one");
        let named = risk.is_some_and(|risk| {
            said.contains(&risk.replace('_', " ")) || said.contains(risk) || {
                // Said once per target and iteration; it is recorded every time.
                after["last_risky_action"]["risk"] == risk && after["risky_actions_total"].as_u64() > before
            }
        });
        assert_eq!(named, risk.is_some(), "{command}: {said}");
        if risk.is_none() {
            assert_eq!(after["risky_actions_total"].as_u64(), before, "{command}");
        }
    }
}

#[test]
fn thresholds_come_from_the_definitions_only_when_they_say_some() {
    let yml = "agent_persistence:\n  reinforcement:\n    escalation_thresholds: {iteration_2: STANDARD}\n";
    let rows = [
        ("hooks:\n  reinforcement_escalation:\n    thresholds: {iteration_2: AGGRESSIVE}\n", "AGGRESSIVE"),
        ("hooks:\n  pre_tool_call:\n    description: \"mine\"\n", "STANDARD"),
    ];
    for (definitions, level) in rows {
        let place = defined(definitions);
        place.write("aiwg.yml", yml);
        place.start_loop("one");
        place.start("s1");
        place.stop("s1");
        assert_eq!(place.state("one")["reinforcement_level"], level, "{definitions}");
        let log = json!(place.log("one")).to_string();
        assert!(log.contains("log_escalation") && log.contains(&format!("\"to\":\"{level}\"")), "{log}");
    }
}

#[test]
fn a_request_has_the_documents_form_and_names_the_iteration_that_its_hook_is_about() {
    let collects = "cat >> requests; echo >> requests; echo '{\"role\":\"assistant\"}'";
    let hooks = ["loop_start", "pre_iteration", "post_iteration", "loop_complete"];
    let definitions: String = hooks.iter().map(|hook| program(hook, false, collects)).collect();
    let place = looping(&format!("hooks:\n{definitions}"));
    place.stop("s1");
    place.write("done", "");
    place.stop("s1");
    let mut seen = Vec::new();
    for line in fs::read_to_string(place.path("requests")).unwrap().lines().filter(|line| !line.is_empty()) {
        let request: Value = serde_json::from_str(line).unwrap();
        let metadata = &request["metadata"];
        assert_eq!(
            (&request["role"], &request["content"], &request["sender"], &metadata["loop_id"]),
            (&json!("user"), &json!("Look"), &json!("ralph-orchestrator"), &json!("one"))
        );
        assert!(request["timestamp"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok(), "{request}");
        assert!(metadata["inputs"].is_object(), "{request}");
        seen.push(format!("{} {}", metadata["hook_name"].as_str().unwrap(), metadata["iteration"]));
    }
    let expected = [
        "loop_start 0",
        "pre_iteration 1",
        "post_iteration 1",
        "pre_iteration 2",
        "post_iteration 2",
        "loop_complete 2",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_failing_required_agent_is_told_and_an_optional_one_otherwise() {
    for (required, word) in [(true, "required"), (false, "optional")] {
        let definitions =
            format!("hooks:\n{}", program("pre_iteration", required, "echo no pump >&2; exit 3"));
        let place = looping(&definitions);
        let log = json!(place.log("one")).to_string();
        assert!(log.contains(&format!("{word} agent outsider failed")), "{log}");
        assert!(log.contains("no pump"), "{log}");
        // log_and_continue: the loop goes on.
        assert_eq!(place.state("one")["iteration"], 1);
        assert!(place.guards("s1"));
    }
}

#[test]
fn a_regression_whose_recovery_fails_aborts_the_iteration() {
    let place = looping(&format!("hooks:\n{}", program("regression_detected", true, "exit 1")));
    let answer = place.lose_by_script("s1").unwrap_or_default();
    assert!(answer["systemMessage"].as_str().is_some_and(|told| told.contains("aborted")), "{answer}");
    assert!(answer["systemMessage"].as_str().is_some_and(|told| told.contains("`steadfast undo --list`")));
    assert_eq!(place.state("one")["hook_failure"]["on_failure"], "abort_iteration");
    // Whatever may change a file is held back, reading is not.
    for command in ["rm notes.txt", "python3 tidy.py", "echo x > a.txt"] {
        assert!(said(&run(&place, command)).starts_with("deny"), "{command}");
    }
    let edit = place.edit("pre-tool-use", "s1", "add(1, 2)", "add(2, 1)");
    assert!(said(&edit).contains("until the turn ends"), "{edit:?}");
    assert_eq!(run(&place, "git status"), None);
    // The iteration is no success even though its criteria hold, and the next one may work again.
    place.write(TEST_FILE, TESTS);
    place.write("done", "");
    assert!(place.stop("s1").is_some());
    let state = place.state("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("running"), &json!(2)), "{state:#}");
    assert!(state["iteration_history"][0]["aborted"].as_str().is_some_and(|a| a.contains("outsider")));
    assert!(state["hook_failure"].is_null());
    assert_eq!(run(&place, "echo x > a.txt"), None);
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed");
}

#[test]
fn a_stuck_loop_whose_hook_fails_is_paused_until_a_person_resumes_it() {
    let place = looping(&format!("hooks:\n{}", program("stuck_loop_detected", true, "exit 1")));
    let failure = json!({"tool_name": "Bash", "tool_input": {"command": "python3 run.py"}, "tool_use_id": "f",
        "error": "Exit code 1\nTypeError: x is not a function"});
    let mut told = String::new();
    for _ in 0..3 {
        let answer = place.fire("post-tool-use-failure", "s1", failure.clone()).unwrap_or_default();
        told.push_str(answer["systemMessage"].as_str().unwrap_or_default());
    }
    assert!(told.contains("steadfast loop resume one"), "{told}");
    assert_eq!(place.state("one")["status"], "paused");
    assert!(said(&run(&place, "echo x > a.txt")).starts_with("deny"));
    assert_eq!(place.stop("s1"), None, "the session may end");
    place.done(&["loop", "resume", "one"]);
    place.start("s1");
    assert_eq!(run(&place, "echo x > a.txt"), None);
    assert!(place.state("one")["hook_failure"].is_null());
}

#[test]
fn a_guarded_session_is_held_for_the_turn_and_never_paused() {
    let definitions = format!(
        "execution:\n  error_handling:\n    on_hook_failure:\n      critical_hooks:\n        - {{hook: \
         regression_detected, on_failure: force_pause}}\nhooks:\n{}",
        program("regression_detected", true, "exit 1")
    );
    let place = defined(&definitions);
    assert!(place.lose_by_script("s1").is_some());
    let state = place.state(&place.only_loop());
    assert_eq!((&state["status"], &state["kind"]), (&json!("running"), &json!("implicit")));
    assert!(said(&run(&place, "echo x > a.txt")).starts_with("deny"));
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    // Only the regression's own gate is left.
    assert!(!said(&run(&place, "echo x > a.txt")).contains("hook regression_detected failed"));
    place.write(TEST_FILE, TESTS);
    assert!(place.guards("s1"));
}

#[test]
fn a_critical_hook_whose_process_died_is_found_by_the_next_call() {
    let place = looping("title: none\n");
    let mark = |seconds: i64| {
        let then = jiff::Timestamp::now() - jiff::SignedDuration::from_secs(seconds);
        let mark = json!({"hook": "regression_detected", "timestamp": then});
        place.write(".aiwg/ralph/loops/one/running-hook.json", mark.to_string());
    };
    mark(1);
    assert_eq!(run(&place, "echo x > a.txt"), None, "it may be running in another process");
    mark(60);
    let answer = run(&place, "echo y > a.txt");
    assert!(said(&answer).contains("died while it ran"), "{answer:?}");
    assert_eq!(place.state("one")["hook_failure"]["hook"], "regression_detected");
    place.stop("s1");
    assert_eq!(run(&place, "echo y > a.txt"), None);
    // Rubbish is no mark, and a hook that has ended leaves none.
    place.write(".aiwg/ralph/loops/one/running-hook.json", b"\xff{");
    assert_eq!(run(&place, "echo z > a.txt"), None);
    assert!(place.lose_by_script("s1").is_some());
    assert!(!place.directory("one").join("running-hook.json").exists());
}

#[test]
fn a_slow_program_is_cut_at_the_time_of_its_hook() {
    let definitions = format!(
        "execution:\n  timeout_ms: {{pre_tool_call: 1500, regression_detected: 2000}}\nhooks:\n{}{}",
        program("pre_tool_call", false, "sleep 30"),
        program("regression_detected", false, "sleep 30")
    );
    let place = looping(&definitions);
    let started = Instant::now();
    assert!(place.guards("s1"), "the built-in verdict is given all the same");
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    let log = json!(place.log("one")).to_string();
    assert!(log.contains("optional agent outsider failed: sh had not answered after"), "{log}");
    let started = Instant::now();
    assert!(place.lose_by_script("s1").is_some(), "the loss is told all the same");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let log = json!(place.log("one")).to_string();
    assert!(log.contains("sh had not answered after 1700 ms"), "{log}");
}

/// A program that answers in an agent's place with these facts.
fn stand_in(hook: &str, agent: &str, facts: &Value) -> String {
    let reply = json!({"role": "assistant", "content": "mine", "metadata": facts});
    let script = format!("cat > asked-{agent}.json; echo '{reply}'");
    program(hook, true, &script).replace("outsider", agent)
}

#[test]
fn a_program_may_stand_for_the_agents_of_a_loops_beginning_and_end() {
    let measured = json!({"baseline": {"coverage_percentage": 81.5, "custom_metrics": {"api_routes": 12}}});
    let chosen = json!({"iteration": 1, "reason": "the smaller diff"});
    let place = looping(&format!(
        "hooks:\n{}{}",
        stand_in("loop_start", "progress-tracker", &measured),
        stand_in("loop_complete", "best-output-selector", &chosen)
    ));
    let state = place.state("one");
    let baseline = &state["baseline_metrics"];
    assert_eq!((&baseline["coverage_percentage"], &baseline["test_count"]), (&json!(81.5), &json!(3)));
    assert_eq!(baseline["custom_metrics"]["api_routes"], 12);
    let asked = place.json("asked-progress-tracker.json");
    assert_eq!((&asked["role"], &asked["metadata"]["hook_name"]), (&json!("user"), &json!("loop_start")));
    assert_eq!(place.log("one")[0]["agents_invoked"], json!(["progress-tracker"]));
    place.stop("s1");
    place.write("done", "");
    place.stop("s1");
    let state = place.state("one");
    assert_eq!((&state["status"], &state["selected_iteration"]), (&json!("completed"), &json!(1)));
    assert_eq!(state["selection"]["reason"], "the smaller diff");
    let asked = place.json("asked-best-output-selector.json");
    assert_eq!(asked["metadata"]["hook_name"], "loop_complete");
}

#[test]
fn a_loop_whose_start_fails_begins_all_the_same_as_the_policy_says() {
    let failing = program("loop_start", true, "exit 1");
    let place = looping(&format!("hooks:\n{failing}"));
    assert_eq!(place.state("one")["status"], "running");
    assert!(json!(place.log("one")[0]).to_string().contains("required agent outsider failed"));
    assert!(place.guards("s1"));
    let held = "execution:\n  error_handling:\n    on_hook_failure:\n      default: force_pause\n";
    let place = looping(&format!("{held}hooks:\n{failing}"));
    let state = place.state("one");
    assert_eq!((&state["status"], &state["hook_failure"]["hook"]), (&json!("paused"), &json!("loop_start")));
    place.done(&["loop", "resume", "one"]);
    assert_eq!(place.state("one")["status"], "running");
}

#[test]
fn the_first_line_of_a_log_names_what_is_looked_for() {
    let place = Place::new();
    place.write(
        "aiwg.yml",
        "agent_persistence:\n  detection:\n    mode: minimal\n    patterns_enabled: [test_deletion]\n",
    );
    place.start_loop("one");
    let line = place.log("one").remove(0);
    assert_eq!(line["hook_name"], "loop_start");
    assert_eq!(line["agents_invoked"], json!(["progress-tracker", "laziness-detector"]));
    assert_eq!(line["outcomes"][0]["task"], "Make it right");
    let looked =
        line["outcomes"].as_array().unwrap().iter().find(|o| !o["detection_mode"].is_null()).unwrap();
    assert_eq!(
        (&looked["detection_mode"], &looked["patterns_enabled"]),
        (&json!("minimal"), &json!(["test_deletion"]))
    );
    let patterns = looked["patterns"].as_array().unwrap();
    assert!(patterns.contains(&json!("LP-001")) && looked["patterns_loaded"] == patterns.len());
}

#[test]
fn what_may_be_left_out_is_left_out_and_what_has_no_effect_is_said() {
    let place = Place::new();
    let file = ".aiwg/ralph/hooks/persistence-hooks.yaml";
    let rows = [
        ("hooks:\n  pre_tool_call:\n    actions: [log_risky_action]\n", None),
        ("hooks:\n  on_error:\n    actions: [log_error]\n", Some("increment_error_count is always done")),
        (
            "hooks:\n  on_error:\n    actions: [pause_execution]\n",
            Some("pause_execution is not done by on_error"),
        ),
        (
            "hooks:\n  on_error:\n    state_updates:\n      - set: task_type\n        value: 1\n",
            Some("is no state field"),
        ),
        (
            "hooks:\n  on_error:\n    state_updates:\n      - set: best_iteration\n        value: null\n",
            Some("on_error does not write best_iteration"),
        ),
        (
            "hooks:\n  on_error:\n    conditional_actions:\n      - {condition: \"iteration > 2\", action: log_error}\n",
            Some("log_error has no effect here"),
        ),
        (
            "hooks:\n  loop_start:\n    conditional_actions:\n      - {condition: \"iteration > 2\", action: \
             trigger_hook, hook: on_error}\n",
            Some("loop_start never fires on_error"),
        ),
        ("execution:\n  async_hooks: {hooks: []}\n", Some("changing these lists has no effect")),
    ];
    for (text, said) in rows {
        place.write(file, text);
        let output = place.steadfast(&["hooks", "check"]);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        match said {
            Some(said) => assert!(printed.contains(said), "{text}: {printed}"),
            None => assert!(!printed.contains("warning"), "{text}: {printed}"),
        }
    }
    // Without the warning and without the bytes; what is found is stopped all the same.
    let place = looping("hooks:\n  pre_tool_call:\n    actions: [log_risky_action]\n");
    assert_eq!(place.edit("pre-tool-use", "s1", "add(0, 0) == 0", "0 == add(0, 0)"), None);
    assert_eq!(place.state("one")["risky_actions_total"], 1);
    let kept = fs::read_dir(place.directory("one").join("checkpoints")).unwrap().flatten();
    assert!(!kept.into_iter().any(|entry| entry.file_name().to_string_lossy().contains("-call-")));
    assert!(place.guards("s1"));
}
