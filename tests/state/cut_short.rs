//! The end of a turn whose process dies after it has recorded the iteration: the next one of the same turn goes on from there.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{HOOK, Place};
use crate::whose_loss::write;

/// A program that a hook asks, and that kills the hook once when that is wanted.
fn killing(hook: &str) -> String {
    format!(
        "hooks:\n  {hook}:\n    agents_to_invoke:\n      - agent: helper\n        purpose: \"x\"\n        required: false\n        \
         command: [sh, -c, \"if [ -e ../armed ]; then rm ../armed; kill -9 $PPID; sleep 1; fi; echo \
         '{{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\"ok\\\",\\\"metadata\\\":{{}}}}'\"]\n"
    )
}

/// The end of a turn that dies in a hook.
fn killed_end(place: &Place) {
    fs::write(place.root().join("../armed"), "").unwrap();
    let fields = json!({"session_id": "s1", "cwd": place.root(), "permission_mode": "acceptEdits",
        "last_assistant_message": "All done.", "stop_hook_active": false});
    let input = place.root().join("../event.json");
    fs::write(&input, fields.to_string()).unwrap();
    let mut hook = place.command(HOOK);
    let status = hook.arg("stop").stdin(Stdio::from(fs::File::open(&input).unwrap())).status().unwrap();
    assert!(!status.success(), "it was killed");
}

fn recorded(place: &Place) -> Vec<u64> {
    let state = place.state("one");
    let records = state["iteration_history"].as_array().cloned().unwrap_or_default();
    records.iter().filter_map(|record| record["iteration"].as_u64()).collect()
}

fn is_record(line: &&Value) -> bool {
    line["hook_name"] == "post_iteration" && !line["state_changes"]["iteration_history"].is_null()
}

#[test]
fn an_iteration_is_counted_once_whatever_its_end_died_of() {
    for hook in ["on_error", "pre_iteration"] {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        place.write("why", "TypeError: no number\n");
        write(&place, "s1", "calc.py", "def add(a, b):\n    return a\n");
        place.write(".aiwg/ralph/hooks/persistence-hooks.yaml", killing(hook));
        killed_end(&place);
        assert_eq!(recorded(&place), [1], "{hook}");
        let answer = place.stop("s1").unwrap_or_default().to_string();
        assert!(answer.contains("TypeError"), "{hook}: {answer}");
        let state = place.state("one");
        assert_eq!((recorded(&place), &state["iteration"]), (vec![1], &json!(2)), "{hook}");
        assert_eq!(state["consecutive_same_error"], 1, "{hook}");
        assert_eq!(place.log("one").iter().filter(is_record).count(), 1, "{hook}");
        // The same words at the end of another turn are another iteration.
        place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
        place.stop("s1");
        assert_eq!(recorded(&place), [1, 2], "{hook}");
    }
}

#[test]
fn a_loss_after_a_killed_end_is_found_by_the_next_one() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.write(".aiwg/ralph/hooks/persistence-hooks.yaml", killing("loop_complete"));
    place.write("done", "");
    killed_end(&place);
    assert_eq!((recorded(&place), &place.state("one")["status"]), (vec![1], &json!("running")));
    place.lose_by_script("s1");
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "running");
    assert_eq!(place.state("one")["human_gates"].as_array().map_or(0, Vec::len), 1);
}
