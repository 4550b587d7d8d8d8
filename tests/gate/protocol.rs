//! What the protocol promises row by row: levels, the way back, the warning in time, and names that stay the same.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::decisions::with_open_gate;
use crate::documents::{after, score};
use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::{at_terminal, screen};
use crate::write_by_call;

/// What happens to a project.
type Step<'a> = &'a dyn Fn(&Place);

fn context(answer: Option<Value>) -> String {
    let answer = answer.unwrap_or_default();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

fn levels(place: &Place) -> Vec<(u64, String, String)> {
    let history = place.state("one")["reinforcement_history"].as_array().unwrap().clone();
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    history
        .iter()
        .map(|entry| (entry["iteration"].as_u64().unwrap(), text(entry, "to_level"), text(entry, "reason")))
        .collect()
}

#[test]
fn quality_that_falls_raises_the_level_and_quality_that_rises_does_not() {
    for (before, level, reason) in [
        (99.0, "AGGRESSIVE", "Iteration 3 threshold + Quality fell"),
        (0.0, "STANDARD", "Iteration 3 threshold reached"),
    ] {
        let place = after(1, |_| ());
        score(&place, &[before]);
        place.write("why", "src/cart.ts(3,7): error TS2399: another fault\n");
        let told = context(place.stop("s1"));
        let (iteration, to, why) = levels(&place).pop().unwrap();
        assert_eq!((iteration, &*to, &*why), (3, level, reason), "{before}");
        assert_eq!(told.contains("Stuck Loop Risk"), level == "AGGRESSIVE", "{told}");
    }
}

/// What a reinforcement is about apart from its figures: each line from where the banner and the reflections end.
fn reinforcement(told: &str) -> String {
    let from =
        ["This is iteration", "Iteration 4:", "🚨 ITERATION"].iter().filter_map(|start| told.rfind(start));
    let text = from.max().and_then(|at| told.get(at..)).unwrap_or_default();
    let known = text.lines().filter(|line| !line.contains("fault") && !line.starts_with("Tried before"));
    known.collect::<Vec<_>>().join("\n").replace(|c: char| c.is_ascii_digit(), "")
}

#[test]
fn twelve_iterations_in_one_go_read_twelve_different_texts() {
    let place = Place::new();
    place.start_bounded("one", "20");
    let mut texts = vec![context(place.start("s1")).lines().last().unwrap().to_owned()];
    for n in 1..=12 {
        let passed = n * 8;
        place.write(
            "why",
            format!(
                "src/cart.ts(3,7): error TS23{n:02}: fault {}\n{} failed, {passed} passed in 0.1s\n",
                "x".repeat(n),
                104 - passed
            ),
        );
        if n % 4 == 0 {
            // A client continues a turn so often at most; a person's next prompt goes on.
            place.fire("user-prompt-submit", "s1", json!({"prompt": "Go on."}));
        }
        place.write("calc.py", format!("def add(a, b):\n    return a - b - {n}\n"));
        let told = context(place.fire(
            "stop",
            "s1",
            json!({"last_assistant_message": format!("Attempt {n} is over."), "stop_hook_active": n % 4 != 0}),
        ));
        assert!(told.contains(&format!("Continuing to iteration {} of 20", n + 1)), "{n}: {told}");
        if n >= 2 {
            assert!(
                told.contains(&format!("fault {}\n", "x".repeat(n))),
                "the newest error is named: {told}"
            );
            assert!(told.contains(&format!("Tried before: Attempt {n} is over")), "{told}");
            let text = reinforcement(&told);
            assert_eq!(text.contains("Stuck Loop Risk"), n >= 4, "before iteration {}: {told}", n + 1);
            texts.push(text);
        } else {
            texts.push(told.lines().last().unwrap().to_owned());
        }
    }
    texts.truncate(12);
    assert!(texts.iter().all(|text| text.len() > 60), "{texts:#?}");
    let different: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(different.len(), 12, "{texts:#?}");
    let levels = levels(&place);
    let words: Vec<(u64, &str, &str)> = levels.iter().map(|(n, level, why)| (*n, &**level, &**why)).collect();
    assert_eq!(
        words,
        [
            (0, "MINIMAL", "Loop initialization"),
            (3, "STANDARD", "Iteration 3 threshold reached"),
            // Each step is a small one.
            (4, "AGGRESSIVE", "Quality plateau detected (3 iterations < 5% delta)"),
        ]
    );
}

#[test]
fn the_state_before_an_iteration_comes_back_at_any_later_moment_of_it() {
    let begun = || {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        assert!(place.stop("s1").is_some(), "the second iteration begins");
        let path = place.state("one")["pre_iteration_snapshot"].as_str().unwrap().to_owned();
        assert!(path.ends_with("iteration-002-pre.json.gz") && place.path(&path).exists(), "{path}");
        place
    };
    let changed = |place: &Place| place.write("calc.py", "def add(a, b):\n    return a * b\n");
    let edited = |place: &Place| {
        let fields = json!({"tool_name": "Write", "tool_use_id": "t1", "tool_response": {},
            "tool_input": {"file_path": place.path("calc.py"), "content": "def add(a, b):\n    return b - a\n"}});
        assert_eq!(place.fire("pre-tool-use", "s1", fields.clone()), None, "the edit runs");
        place.write("calc.py", "def add(a, b):\n    return b - a\n");
        place.fire("post-tool-use", "s1", fields);
    };
    let ends = |place: &Place| _ = place.stop("s1");
    let removed = |place: &Place| std::fs::remove_file(place.path("calc.py")).unwrap();
    let commits = |place: &Place| place.commit("Turned round");
    // What nobody's call wrote may be a person's: it is named, and replaced only when that is said.
    let moments: [(&str, bool, &[Step]); 5] = [
        ("outside of any call", true, &[&changed]),
        ("after an edit", false, &[&edited]),
        ("after an edit and a removal", true, &[&edited, &removed]),
        ("when the turn has ended", true, &[&edited, &ends]),
        ("after a commit", false, &[&edited, &commits]),
    ];
    for (moment, is_held, steps) in moments {
        let place = begun();
        place.write("stray.py", "x = 1\n");
        steps.iter().for_each(|step| step(&place));
        let output = place.steadfast(&["undo", "--to", "iteration-002-pre"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(!output.status.success(), is_held, "{moment}: {said}");
        if is_held {
            assert!(said.contains("--force"), "{moment}: {said}");
            place.done(&["undo", "--to", "iteration-002-pre", "--force"]);
        }
        let calc = std::fs::read_to_string(place.path("calc.py")).unwrap();
        assert_eq!(calc, "def add(a, b):\n    return a - b\n", "{moment}");
        // A file is taken away again where it is known to have come in this iteration.
        assert!(moment != "when the turn has ended" || !place.path("stray.py").exists());
    }
}

#[test]
fn a_risky_call_is_warned_of_in_its_own_turn_with_file_and_class() {
    let place = Place::new();
    place.write("old/a.py", "x = 1\n");
    place.commit("Old");
    place.start_loop("one");
    place.start("s1");
    let told = context(place.edit("pre-tool-use", "s1", "add(1, 2) == 3", "add(2, 1) == 3"));
    for part in [TEST_FILE, "test_file_modification", "a fix", "not the removal"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    // It was said before the call, and is not said again after it or with the next prompt.
    let later = [
        place.edit("post-tool-use", "s1", "add(1, 2) == 3", "add(2, 1) == 3"),
        place.fire("user-prompt-submit", "s1", json!({"prompt": "Go on."})),
    ];
    for answer in later {
        assert!(!context(answer.clone()).contains("test_file_modification"), "{answer:?}");
    }
    let run = |command: &str| {
        let input = json!({"command": command});
        context(place.fire(
            "pre-tool-use",
            "s1",
            json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": "t"}),
        ))
    };
    for (command, file, class) in
        [("git rm -r old", "old", "version_control_deletion"), ("rm -rf old", "old", "bulk_deletion")]
    {
        let told = run(command);
        assert!(told.contains(file) && told.contains(class), "{command}: {told}");
    }
    assert_eq!(run("cat calc.py"), "");
}

#[test]
fn a_loss_fires_its_hook_within_the_same_call_and_in_time() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    let begun = Instant::now();
    let answer = place.lose_by_script("s1").expect("the call that lost it tells it");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(answer["decision"], "block", "{answer}");
    // Nothing else has been called since, and it is all there.
    let lines = place.log("one");
    let at = |hook: &str| lines.iter().position(|line| line["hook_name"] == hook);
    let (lost, gate) = (at("regression_detected").unwrap(), at("human_gate"));
    assert!(lines[lost]["duration_ms"].as_u64().unwrap() <= 10_000, "{}", lines[lost]);
    assert!(gate.is_none_or(|gate| gate > lost), "{lines:#?}");
    let state = place.state("one");
    assert_eq!(state["regression_events"].as_array().unwrap().len(), 1);
    let steps = state["recovery_history"][0]["protocol_steps"].as_object().unwrap();
    assert!(
        ["pause", "diagnose", "adapt", "escalate"].iter().all(|step| steps[*step].is_object()),
        "{steps:?}"
    );
    let printed = place.done(&["hooks", "show", "regression_detected"]);
    assert!(printed.contains("10000 ms") || printed.contains("10 s"), "{printed}");
}

#[test]
fn each_recovery_has_an_id_of_its_own_and_carries_its_regressions_to_the_person() {
    let place = Place::new();
    for session in ["s1", "s2"] {
        place.start(session);
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "t",
            "tool_response": {}});
        place.fire("pre-tool-use", session, fields.clone());
        place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
        assert!(place.fire("post-tool-use", session, fields).is_some());
        place.write(TEST_FILE, TESTS);
    }
    let mut recoveries = BTreeSet::new();
    let mut events = BTreeSet::new();
    for id in place.loops() {
        let state = place.state(&id);
        recoveries.insert(state["recovery_history"][0]["recovery_id"].to_string());
        events.insert(state["regression_events"][0]["event_id"].to_string());
    }
    assert_eq!((recoveries.len(), events.len()), (2, 2), "two sessions: {recoveries:?} {events:?}");

    let (place, _) = with_open_gate(2);
    let state = place.state("one");
    let id = &state["regression_events"][0]["event_id"];
    assert!(id.as_str().is_some_and(|id| id.len() > 8));
    assert_eq!(state["recovery_history"][0]["event_ids"], json!([id]), "in the recovery");
    assert_eq!(state["human_gates"][0]["event_ids"], json!([id]), "in the escalation");
    let listed: Value = serde_json::from_str(&place.done(&["gate", "list", "--json"])).unwrap();
    assert!(listed.to_string().contains(id.as_str().unwrap()), "{listed}");
}

#[test]
fn a_rejection_says_how_many_files_are_back() {
    for (stray, said) in
        [(false, "1 file is as before iteration 1"), (true, "2 files are as before iteration 1")]
    {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        if stray {
            write_by_call(&place, "s1", "left.py", "x = 1\n");
        }
        place.lose_by_script("s1");
        let output = at_terminal(&place, "gate reject", "");
        let screen = screen(&output);
        assert!(screen.contains(said), "{said} in {screen}");
    }
}
