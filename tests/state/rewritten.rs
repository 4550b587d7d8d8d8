//! The files on which the guard decides, rewritten or removed by a script that a call has run: told, put back, and nothing
//! is decided by them.

use std::fs;

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

const SESSION: &str = "s1";

/// A project with a loop that has ended one iteration.
fn begun() -> Place {
    let place = Place::new();
    place.start_loop("one");
    place.start(SESSION);
    place.write("calc.py", "def add(a, b):\n    return a + b + 1\n");
    place.stop(SESSION);
    place
}

/// A call of the shell that does something beside what its words say; what is told after it.
fn by_script(place: &Place, work: impl FnOnce()) -> String {
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_7",
        "tool_response": {"stdout": "", "stderr": ""},
    });
    place.fire("pre-tool-use", SESSION, fields.clone());
    work();
    place.fire("post-tool-use", SESSION, fields).map(|told| told.to_string()).unwrap_or_default()
}

/// What `steadfast status` says is critical.
fn critical(place: &Place) -> Vec<String> {
    let shown = place.done(&["status", "one"]);
    shown.lines().filter(|line| line.contains("Critical")).map(str::to_owned).collect()
}

#[test]
fn a_file_on_which_a_decision_rests_is_told_and_put_back() {
    let place = begun();
    let mut names: Vec<String> = ["terms.json", "tests.json", "watch.json", "state.seal"]
        .map(|name| format!(".aiwg/ralph/loops/one/{name}"))
        .to_vec();
    let start = place.state("one")["baseline_snapshot"].as_str().unwrap().to_owned();
    names.push(start);
    for name in names {
        let file = name.rsplit('/').next().unwrap();
        for removed in [false, true] {
            let before = fs::read(place.path(&name)).unwrap();
            let told = by_script(&place, || match removed {
                true => fs::remove_file(place.path(&name)).unwrap(),
                false => place.write(&name, "{}"),
            });
            // One that was written a moment ago may be on the way.
            if !removed {
                assert!(told.contains("Critical") && told.contains(file), "{name}: {told}");
                assert!(critical(&place).iter().any(|line| line.contains(file)), "{name}");
            }
            let now = fs::read(place.path(&name)).unwrap();
            assert!(now == before || file == "state.seal" || file == "watch.json", "{name} is not back");
            assert_ne!(now, b"{}", "{name}");
        }
    }
    assert_eq!(by_script(&place, || ()), "", "it is told once");
}

#[test]
fn a_contract_that_is_rewritten_together_with_what_it_holds_completes_nothing() {
    let place = begun();
    let terms = ".aiwg/ralph/loops/one/terms.json";
    let text = fs::read_to_string(place.path(terms)).unwrap();
    let check = fs::read_to_string(place.path("check.sh")).unwrap();
    let weak = text.replace(&json!(check.trim()).to_string(), "\"true\"");
    assert_ne!(weak, text);
    let told = by_script(&place, || {
        place.write(terms, &weak);
        place.write("check.sh", "true\n");
    });
    assert!(told.contains("Critical") && told.contains("terms.json"), "{told}");
    place.stop(SESSION);
    let state = place.state("one");
    assert_eq!((&state["status"], &state["regression_detected"]), (&json!("running"), &json!(true)));
    assert_eq!(fs::read_to_string(place.path(terms)).unwrap(), text);
}

#[test]
fn without_its_seal_a_rewritten_state_does_not_hold() {
    let place = begun();
    by_script(&place, || place.write(TEST_FILE, TESTS.replace(ONE_TEST, "")));
    let before = place.state("one");
    assert_eq!(before["human_gates"].as_array().unwrap().len(), 1);
    let mut forged = before.clone();
    forged["human_gates"][0]["decision"] = json!("approve");
    forged["baseline_metrics"]["test_count"] = json!(1);
    forged["iteration_history"] = json!([]);
    place.write(".aiwg/ralph/loops/one/state.json", forged.to_string());
    fs::remove_file(place.directory("one").join("state.seal")).unwrap();
    let shown = critical(&place).join("\n");
    assert!(shown.contains("baseline_metrics") && shown.contains("iteration_history"), "{shown}");
    let told = place.fire("user-prompt-submit", SESSION, json!({"prompt": "go on"})).unwrap().to_string();
    assert!(told.contains("CRITICAL") && told.contains("human_gates"), "{told}");
    let now = place.state("one");
    for field in ["human_gates", "baseline_metrics", "iteration_history", "regression_events"] {
        assert_eq!(now[field], before[field], "{field}");
    }
    assert!(!critical(&place).is_empty(), "it stays on the record");
    place.write("done", "");
    place.stop(SESSION);
    assert_eq!(place.state("one")["status"], "running");
}

#[test]
fn a_seal_alone_that_is_taken_away_is_told_and_one_that_never_was_is_not() {
    let place = begun();
    let told = by_script(&place, || fs::remove_file(place.directory("one").join("state.seal")).unwrap());
    assert!(told.contains("Critical") && told.contains("state.seal"), "{told}");
    let place = begun();
    place.unseal("one");
    assert_eq!(by_script(&place, || ()), "");
    assert_eq!(critical(&place), [""; 0]);
}

#[test]
fn status_tells_of_a_registry_or_a_state_that_something_else_has_changed() {
    let registry = |place: &Place| place.write(".aiwg/ralph/registry.json", "{}");
    let state = |place: &Place| fs::remove_file(place.directory("one").join("state.json")).unwrap();
    let folder = |place: &Place| fs::remove_dir_all(place.directory("one")).unwrap();
    let accidents: [(_, fn(&Place)); 3] = [("registry", registry), ("state", state), ("state", folder)];
    for (what, accident) in accidents {
        let place = begun();
        assert_eq!(critical(&place), [""; 0]);
        accident(&place);
        for _ in 0..2 {
            let before = critical(&place).join("\n");
            assert!(before.contains(what), "before a hook: {before}");
        }
        place.fire("user-prompt-submit", SESSION, json!({"prompt": "go on"}));
        let after = critical(&place).join("\n");
        assert!(after.contains(what), "after a hook: {after}");
    }
}

/// The numbers of the iterations that have a record.
fn numbers(place: &Place) -> Vec<Value> {
    let state = place.state("one");
    state["iteration_history"].as_array().unwrap().iter().map(|record| record["iteration"].clone()).collect()
}

#[test]
fn an_iteration_that_has_its_record_is_over_whoever_did_not_begin_the_next() {
    // As after a hook that died between the record and its answer: the next iteration was not begun.
    let waits = [("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "1")];
    let end = json!({"last_assistant_message": "All done.", "stop_hook_active": false});
    for is_prompted in [true, false] {
        let place = Place::new();
        place.start_loop("one");
        place.start(SESSION);
        place.write("calc.py", "def add(a, b):\n    return a * b\n");
        place.fire_with(&waits, "stop", SESSION, end.clone());
        assert_eq!((numbers(&place), &place.state("one")["iteration"]), (vec![json!(1)], &json!(1)));
        if is_prompted {
            let told = place.fire("user-prompt-submit", SESSION, json!({"prompt": "go on"})).unwrap();
            assert!(told.to_string().contains("iteration 2 of"), "{told}");
            assert_eq!(place.state("one")["iteration"], 2);
        }
        place.write("calc.py", "def add(a, b):\n    return a + b\n");
        place.fire_with(
            &waits,
            "stop",
            SESSION,
            json!({"last_assistant_message": "Now.", "stop_hook_active": false}),
        );
        assert_eq!(numbers(&place), [1, 2], "prompted: {is_prompted}");
        let first = fs::read_to_string(place.directory("one").join("iterations/iteration-001.json")).unwrap();
        assert!(first.contains("All done.") && !first.contains("Now."), "the first record stays");
    }
}

#[test]
fn what_a_person_undoes_is_no_loss_later() {
    let place = begun();
    let more =
        "\ndef test_large():\n    assert add(7, 8) == 15\n\ndef test_two():\n    assert add(1, 1) == 2\n";
    let input = json!({
        "file_path": place.path(TEST_FILE), "old_string": ONE_TEST, "new_string": format!("{ONE_TEST}{more}"),
    });
    let fields = json!({
        "tool_name": "Edit", "tool_input": input, "tool_use_id": "toolu_more", "tool_response": {"success": true},
    });
    place.fire("pre-tool-use", SESSION, fields.clone());
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, &format!("{ONE_TEST}{more}")));
    place.fire("post-tool-use", SESSION, fields);
    place.stop(SESSION);
    let high =
        |place: &Place| place.json(".aiwg/ralph/loops/one/tests.json")["high_water"]["test_count"].clone();
    assert_eq!(high(&place), 5.0);
    place.done(&["undo", "--tool-call", "toolu_more"]);
    assert_eq!(fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
    place.fire("user-prompt-submit", SESSION, json!({"prompt": "go on"}));
    place.write("why", "TypeError: another failure\n");
    place.stop(SESSION);
    assert_eq!((&place.state("one")["regression_events"], high(&place)), (&json!([]), json!(3.0)));
    place.write("done", "");
    let end = place.stop(SESSION);
    let state = place.state("one");
    assert_eq!((&state["status"], &state["regression_events"]), (&json!("completed"), &json!([])), "{end:?}");
}
