//! A gate from its opening to its decision.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};
use crate::write_by_call;

/// A loop whose session has lost a test by a script in its iteration `iteration`.
pub(crate) fn with_open_gate(iteration: u32) -> (Place, Value) {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    for n in 1..iteration {
        write_by_call(&place, "s1", "calc.py", &format!("def add(a, b):\n    return a - b  # {n}\n"));
        assert!(place.stop("s1").is_some(), "iteration {n} goes on");
    }
    write_by_call(&place, "s1", "calc.py", "def add(a, b):\n    return a * b\n");
    write_by_call(&place, "s1", "left.py", "x = 1\n");
    let answer = place.lose_by_script("s1").expect("the loss is seen");
    (place, answer)
}

fn write(place: &Place, session: &str) -> Option<Value> {
    let input = json!({"file_path": place.path("calc.py"), "content": "def add(a, b):\n    return a + b\n"});
    place.fire(
        "pre-tool-use",
        session,
        json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "t9"}),
    )
}

fn is_denied(answer: Option<Value>) -> bool {
    answer.is_some_and(|answer| answer["hookSpecificOutput"]["permissionDecision"] == "deny")
}

fn gate(place: &Place) -> Value {
    place.state("one")["human_gates"][0].clone()
}

/// The code in what the person reads.
fn code(answer: &Value) -> String {
    let told = answer["systemMessage"].as_str().expect("a message for the person");
    told.lines()
        .find_map(|line| line.split_once("/steadfast:gate "))
        .unwrap()
        .1
        .rsplit(' ')
        .next()
        .unwrap()
        .to_owned()
}

#[test]
fn lost_tests_open_a_gate_that_holds_every_write_back_and_lets_the_turn_end() {
    let (place, answer) = with_open_gate(3);
    let human = answer["systemMessage"].as_str().unwrap();
    for part in [
        "REGRESSION DETECTED - Iteration 3",
        "Previous: 3 tests",
        "Current: 2 tests",
        "test_zero",
        "[1] Reject",
        "[2] Continue",
        "[3] Abort",
        "NOT acceptable",
    ] {
        assert!(human.contains(part), "{part} in {human}");
    }
    let told_model = answer["reason"].as_str().unwrap();
    assert!(told_model.contains("person") && !told_model.contains(&code(&answer)), "{told_model}");

    assert!(is_denied(write(&place, "s1")));
    let run = json!({"tool_name": "Bash", "tool_input": {"command": "python3 x.py"}, "tool_use_id": "t2"});
    assert!(is_denied(place.fire("pre-tool-use", "s1", run)));
    let read = json!({"tool_name": "Bash", "tool_input": {"command": "cat calc.py"}, "tool_use_id": "t3"});
    assert!(!is_denied(place.fire("pre-tool-use", "s1", read)), "reading goes on");

    for _ in 0..2 {
        let ended = place.stop("s1").unwrap_or_default();
        assert!(
            ended["hookSpecificOutput"].is_null() && ended["decision"].is_null(),
            "the turn ends: {ended}"
        );
    }
    let state = place.state("one");
    assert_eq!(state["regression_events"].as_array().unwrap().len(), 1, "{state:#}");
    let event = &state["regression_events"][0];
    assert_eq!(
        (&event["regression_type"], &event["human_gate_invoked"]),
        (&json!("test_deletion"), &json!(true))
    );
    assert_eq!(event["recovery_outcome"], "escalated");
    assert_eq!(state["recovery_attempts"], 1);
    assert_eq!(state["recovery_in_progress"], true);
    assert_eq!(state["iteration_history"].as_array().unwrap().len(), 3, "recorded once: {state:#}");
    assert_eq!(state["status"], "running");
    let steps = &state["recovery_history"][0]["protocol_steps"];
    for stage in ["pause", "diagnose", "adapt", "escalate"] {
        assert!(steps[stage]["executed_at"].is_string(), "{stage} in {steps:#}");
    }
    assert_eq!(steps["diagnose"]["hypotheses"].as_array().unwrap().len(), 5);
    let pause = steps["pause"]["actions"].to_string();
    assert!(pause.contains("iteration-003-pre-revert"), "{pause}");

    // Nothing of it is forgotten when another process looks.
    let listed = place.done(&["gate", "list"]);
    assert!(listed.contains("test_zero"), "{listed}");
    let status = place.done(&["status", "one"]);
    assert!(status.contains("a regression in iteration 3 waits for your decision"), "{status}");
}

#[test]
fn a_rejection_restores_byte_for_byte_and_the_loop_goes_on_from_there() {
    let (place, _) = with_open_gate(3);
    place.stop("s1");
    let before = std::fs::read(place.path("calc.py")).unwrap();
    let output = at_terminal(&place, "gate", "d\n1\n");
    let screen = screen(&output);
    assert!(output.status.success() && screen.contains("Rejected"), "{screen}");
    assert!(screen.contains("test_zero") && screen.contains("calc.py"), "the diff is shown: {screen}");

    assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
    assert_eq!(
        std::fs::read_to_string(place.path("calc.py")).unwrap(),
        "def add(a, b):\n    return a - b  # 2\n"
    );
    assert!(!place.path("left.py").exists());
    let state = place.state("one");
    assert_eq!(state["iteration"], 2, "{state:#}");
    assert_eq!((&state["reinforcement_level"], &state["status"]), (&json!("AGGRESSIVE"), &json!("running")));
    let reasons = state["reinforcement_history"].as_array().unwrap();
    assert_eq!(reasons.last().unwrap()["reason"], "Regression detected in iteration 3");
    let history = state["iteration_history"].as_array().unwrap();
    assert_eq!((history.len(), &history[2]["reverted_to"]), (3, &json!(2)));
    let event = &state["regression_events"][0];
    assert_eq!((&event["human_decision"], &event["decided_by"]), (&json!("reject"), &json!("ada")));
    let decided = &state["recovery_history"][0]["protocol_steps"]["escalate"]["human_decision"];
    assert_eq!(decided, "reject - revert iteration 3");
    let line = place.log("one").into_iter().rev().find(|line| line["hook_name"] == "human_gate").unwrap();
    assert_eq!(line["outcomes"][0]["human_decision"], "reject", "{line}");

    // Another session goes on with it, knows what was decided, and begins iteration 3 anew.
    let started = place.start("s2").expect("the loop is claimed");
    let told = started["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("A person rejected") && told.contains("iteration 3 of"), "{told}");
    assert_eq!(place.state("one")["iteration"], 3);
    assert!(!is_denied(write(&place, "s2")), "it may write again");
    assert!(place.stop("s2").is_some());
    let history = place.state("one")["iteration_history"].clone();
    assert_eq!((&history[3]["iteration"], &history[3]["attempt"]), (&json!(3), &json!(2)), "{history:#}");

    // What was replaced is still there for an undo.
    place.done(&["undo", "--last", "--force"]);
    assert_eq!(std::fs::read(place.path("calc.py")).unwrap(), before);
}

#[test]
fn an_approval_is_the_new_baseline_and_an_abort_ends_with_the_report() {
    let (place, _) = with_open_gate(1);
    let output = at_terminal(&place, "gate approve --reason obsolete", "");
    assert!(output.status.success(), "{}", screen(&output));
    let state = place.state("one");
    assert_eq!(state["regression_events"][0]["human_decision"], "approve");
    assert_eq!(state["baseline_metrics"]["test_count"], 2, "{state:#}");
    assert_eq!(state["recovery_in_progress"], false);
    assert!(!is_denied(write(&place, "s1")));
    // What is accepted is not found again, and the loop may complete.
    place.write("done", "");
    place.stop("s1");
    let state = place.state("one");
    assert_eq!(state["regression_events"].as_array().unwrap().len(), 1);
    assert_eq!(state["status"], "completed", "{state:#}");

    let (place, _) = with_open_gate(1);
    let output = at_terminal(&place, "gate", "3\n");
    assert!(output.status.success(), "{}", screen(&output));
    let state = place.state("one");
    assert_eq!(
        (&state["status"], &state["regression_events"][0]["human_decision"]),
        (&json!("aborted"), &json!("abort"))
    );
    assert!(state["completion_report_path"].is_string());
    assert_eq!(
        std::fs::read_to_string(place.path(TEST_FILE)).unwrap(),
        TESTS.replace(ONE_TEST, ""),
        "the changes stay"
    );
}

#[test]
fn a_loop_does_not_complete_while_a_person_is_asked() {
    let (place, _) = with_open_gate(1);
    place.write("done", "");
    for _ in 0..3 {
        place.stop("s1");
        assert_eq!(place.state("one")["status"], "running");
    }
}

#[test]
fn the_code_decides_for_the_person_who_reads_it_once() {
    let (place, answer) = with_open_gate(2);
    let code = code(&answer);
    let state = std::fs::read_to_string(place.directory("one").join("state.json")).unwrap();
    assert!(!state.contains(&code), "only a hash is kept");
    let typed = |text: &str, variables: &[(&str, &str)]| {
        place.fire_with(variables, "user-prompt-submit", "s1", json!({"prompt": text})).expect("an answer")
    };
    let wrong = typed("/steadfast:gate approve AAAAAAAA", &[]);
    assert_eq!(wrong["decision"], "block", "{wrong}");
    assert_eq!(gate(&place)["decision"], Value::Null);
    let program = typed(&format!("/steadfast:gate approve {code}"), &[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]);
    assert_eq!(program["decision"], "block");
    assert_eq!(gate(&place)["decision"], Value::Null, "a program can't decide");

    let right = typed(
        &format!("/steadfast:gate reject {}", code.to_lowercase()),
        &[("CLAUDE_CODE_ENTRYPOINT", "cli")],
    );
    assert_eq!(right["decision"], "block", "the prompt is not sent on");
    assert!(right["reason"].as_str().unwrap().contains("Rejected"), "{right}");
    assert_eq!(gate(&place)["decision"], "reject");
    assert_eq!(gate(&place)["decided_via"], "one-time code");
    assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
    let again = typed(&format!("/steadfast:gate approve {code}"), &[]);
    assert!(again["reason"].as_str().unwrap().contains("nothing waits"), "{again}");

    let next = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"})).unwrap();
    let told = next["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("A person rejected") && !told.contains(&code), "{told}");
}

#[test]
fn what_comes_back_by_itself_needs_no_decision() {
    let (place, _) = with_open_gate(1);
    place.write(TEST_FILE, TESTS);
    place.fire("user-prompt-submit", "s1", json!({"prompt": "I put the test back"}));
    let state = place.state("one");
    assert_eq!(state["regression_events"][0]["recovery_outcome"], "success", "{state:#}");
    assert_eq!(state["human_gates"][0]["decided_via"], "mended");
    assert!(state["human_gates"][0]["decision"].is_null(), "nobody decided");
    assert_eq!(state["recovery_history"][0]["outcome"], "success");
    assert!(!is_denied(write(&place, "s1")));
}

#[test]
fn a_session_without_a_loop_tries_three_times_and_then_asks() {
    let place = Place::new();
    let answer = place.lose_by_script("s1").expect("the loss is seen");
    let first = answer["reason"].as_str().unwrap().to_owned();
    assert!(first.contains("attempt 1 of 3"), "{first}");
    let mut texts = vec![first];
    for n in 2..=3 {
        let went_on = place.stop("s1").expect("the turn goes on");
        let text = went_on["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("attempt {n} of 3")) && text.contains("Tried before"), "{text}");
        assert!(!texts.contains(&text));
        texts.push(text);
    }
    let asked = place.stop("s1").expect("a message");
    assert!(asked["hookSpecificOutput"].is_null(), "the turn ends: {asked}");
    assert!(asked["systemMessage"].as_str().unwrap().contains("REGRESSION DETECTED"), "{asked}");
    assert!(is_denied(write(&place, "s1")));
    let id = place.only_loop();
    let state = place.state(&id);
    let attempts =
        state["recovery_history"][0]["protocol_steps"]["retry"]["attempts"].as_array().unwrap().len();
    assert_eq!(attempts, 3, "{state:#}");

    // What a rejection would put back is said, and it is that: the rest of the session's work stays.
    let panel = asked["systemMessage"].as_str().unwrap();
    assert!(
        panel.contains(&format!("as this session found them: {TEST_FILE}. Other changes stay")),
        "{panel}"
    );
    place.write("notes.txt", "work");
    let output = at_terminal(&place, "gate reject", "");
    assert!(output.status.success(), "{}", screen(&output));
    assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
    assert_eq!(std::fs::read_to_string(place.path("notes.txt")).unwrap(), "work");
    assert!(!is_denied(write(&place, "s1")));
}

#[test]
fn a_session_without_a_loop_goes_on_when_a_person_accepts() {
    let place = Place::new();
    place.lose_by_script("s1").expect("the loss is seen");
    for _ in 0..3 {
        place.stop("s1");
    }
    assert!(is_denied(write(&place, "s1")));
    let id = place.only_loop();
    place.done(&["gate", "list"]);
    let output = at_terminal(&place, &format!("gate approve {id}"), "");
    assert!(output.status.success(), "{}", screen(&output));
    assert!(!is_denied(write(&place, "s1")));
}

#[test]
fn a_false_alarm_is_counted_as_one() {
    let (place, _) = with_open_gate(1);
    let event = place.state("one")["regression_events"][0]["event_id"].as_str().unwrap()[..8].to_owned();
    let output = at_terminal(&place, &format!("gate false-positive {event} --reason generated"), "");
    assert!(output.status.success(), "{}", screen(&output));
    let state = place.state("one");
    assert_eq!(state["regression_events"][0]["false_positive"], true);
    assert!(
        state["detected_patterns"].as_array().unwrap().iter().any(|hit| hit["false_positive"] == true),
        "{state:#}"
    );
    assert_eq!(state["human_gates"][0]["subject"], "false_positive");
    assert!(state["persistence_metrics"]["false_positive_rate"].as_f64().unwrap() > 0.0, "{state:#}");
    let silent = place.json(".aiwg/ralph/false-positives.json").to_string();
    assert!(silent.contains("generated") && silent.contains("LP-001"), "{silent}");
    assert!(!is_denied(write(&place, "s1")));
}

#[test]
fn a_critical_gate_is_told_once_by_the_configured_command() {
    let place = Place::new();
    place.write(
        "aiwg.yml",
        "agent_persistence:\n  notify:\n    command: 'echo \"$STEADFAST_TITLE\" >> told; sleep 60'\n",
    );
    place.start_loop("one");
    place.start("s1");
    let begun = std::time::Instant::now();
    place.lose_by_script("s1");
    assert!(begun.elapsed().as_secs() < 20, "nothing waits for it");
    place.stop("s1");
    for _ in 0..100 {
        if place.path("told").exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let told = std::fs::read_to_string(place.path("told")).unwrap();
    assert_eq!(told.lines().collect::<Vec<_>>(), ["🛑 REGRESSION DETECTED - Iteration 1"]);
}

#[test]
fn a_critical_gate_calls_to_the_terminal_once_as_configured() {
    let text = "9;Steadfast: 🛑 REGRESSION DETECTED - Iteration 1";
    for (configured, expected) in [
        ("", Some("\u{7}".to_owned())),
        ("    terminal: bell\n", Some("\u{7}".to_owned())),
        ("    terminal: desktop\n", Some(format!("\u{1b}]{text}\u{1b}\\\u{7}"))),
        ("    terminal: off\n", None),
    ] {
        let place = Place::new();
        if !configured.is_empty() {
            place.write("aiwg.yml", format!("agent_persistence:\n  notify:\n{configured}"));
        }
        place.start_loop("one");
        place.start("s1");
        let answer = place.lose_by_script("s1").expect("the loss is seen");
        assert_eq!(
            answer["terminalSequence"].as_str().map(str::to_owned),
            expected,
            "{configured:?}: {answer}"
        );
        let told = place.log("one").iter().filter(|l| l["hook_name"] == "notify_human_if_critical").count();
        assert_eq!(told, usize::from(expected.is_some()), "{configured:?}");
        // What follows is the same event still.
        for later in [place.stop("s1"), write(&place, "s1"), place.start("s1"), place.stop("s1")] {
            let later = later.unwrap_or_default();
            assert!(later["terminalSequence"].is_null(), "{configured:?}: {later}");
        }
    }
}

#[test]
fn an_answer_that_a_gate_does_not_take_is_told_those_that_it_does() {
    let (place, _) = with_open_gate(2);
    let output = at_terminal(&place, "gate manual-fix --reason mine", "");
    let told = screen(&output);
    assert!(!output.status.success() && told.contains("it takes: reject"), "{told}");
    assert!(!told.contains("it takes: manual_fix"), "{told}");
}
