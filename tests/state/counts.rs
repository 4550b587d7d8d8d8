//! What is counted: tests that a runner ran, files that an iteration changed, and what the hooks cost.

use serde_json::{Value, json};

use crate::place::Place;

/// A runner without names: it runs as many tests as a file says, and passes once another file is there.
const COUNTING: &str = "n=$(cat many)\nif test -f done; then echo \"=== $n passed in 0.01s ===\"; exit 0; fi\n\
    echo \"=== 1 failed, $((n - 1)) passed in 0.01s ===\"; exit 1\n";

fn counting() -> Place {
    let place = Place::new();
    place.write("check.sh", COUNTING);
    place.write("many", "9");
    place.commit("A runner that counts");
    place.start_loop("one");
    place.start("s1");
    place
}

fn events(place: &Place) -> Vec<Value> {
    place.state("one")["regression_events"].as_array().cloned().unwrap_or_default()
}

fn open_gates(place: &Place) -> usize {
    let state = place.state("one");
    let gates = state["human_gates"].as_array().cloned().unwrap_or_default();
    gates.iter().filter(|gate| gate["decided_at"].is_null()).count()
}

#[test]
fn a_pass_with_fewer_tests_and_no_lost_name_is_a_regression_until_they_are_back() {
    let place = counting();
    place.write("many", "7");
    place.write("done", "");
    let told = place.stop("s1").expect("it goes on").to_string();
    assert!(told.contains("7 tests ran where 9 ran"), "{told}");
    assert_eq!((place.state("one")["status"].clone(), open_gates(&place)), (json!("running"), 0));
    let found = events(&place);
    assert_eq!(found.len(), 1, "{found:#?}");
    let details = &found[0]["details"];
    assert_eq!((&details["baseline_value"], &details["current_value"]), (&json!(9), &json!(7)));
    place.write("many", "9");
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed", "{:#?}", events(&place));
}

#[test]
fn a_person_is_asked_about_tests_that_stay_away_and_may_give_up_so_many_and_no_more() {
    for (left, status) in [("7", "completed"), ("6", "running")] {
        let place = counting();
        place.write("many", "7");
        place.write("done", "");
        place.stop("s1");
        place.stop("s1");
        assert_eq!((place.state("one")["status"].clone(), open_gates(&place)), (json!("running"), 1));
        let output = crate::terminal::at_terminal(&place, "gate approve", "");
        assert!(output.status.success(), "{}", crate::terminal::screen(&output));
        place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
        place.write("many", left);
        place.stop("s1");
        assert_eq!(place.state("one")["status"], status, "{:#?}", events(&place));
    }
}

/// A runner that names the tests that it runs, as many as a file says, and passes.
const NAMING: &str = "n=$(cat many); i=1\nwhile [ $i -le $n ]; do echo \"tests/test_calc.py::test_t$i PASSED\"; i=$((i + 1)); done\n\
    echo \"=== $n passed in 0.01s ===\"\n[ -f done ]\n";

#[test]
fn tests_that_did_not_run_are_named_and_a_person_is_asked_at_once_where_most_are_gone() {
    for (left, severity, gates) in [("9", "high", 0), ("1", "critical", 1)] {
        let place = Place::new();
        place.write("check.sh", NAMING);
        place.write("many", "10");
        place.commit("A runner that names");
        place.start_loop("one");
        place.start("s1");
        // The names are known from a run in which they passed.
        place.stop("s1");
        place.write("many", left);
        place.write("done", "");
        let told = place.stop("s1").unwrap_or_default().to_string();
        let found = events(&place);
        assert_eq!((found.len(), &found[0]["severity"]), (1, &json!(severity)), "{found:#?}");
        let lost = found[0]["details"]["diff"]["deleted_tests"].as_array().cloned().unwrap_or_default();
        assert_eq!(lost.len(), 10 - left.parse::<usize>().unwrap(), "{found:#?}");
        assert_eq!(open_gates(&place), gates, "{told}");
        let learned = &place.state("one")["iteration_history"][1]["learning"];
        assert!(learned["failed"].as_str().unwrap_or_default().contains("ran where 10 ran"), "{learned:#}");
    }
}

#[test]
fn what_another_loop_has_lost_is_waited_for_and_is_no_standstill() {
    let place = Place::new();
    place.write("check.sh", NAMING);
    place.write("many", "3");
    place.commit("A runner that names");
    for (id, session) in [("one", "s1"), ("two", "s2")] {
        place.start_loop(id);
        place.start(session);
    }
    place.lose_by_script("s1").expect("the loss is seen");
    place.write("many", "2");
    place.write("done", "");
    for turn in 1..=3 {
        let text = format!("def add(a, b):\n    return a + b + 0 * {turn}\n");
        crate::whose_loss::write(&place, "s2", "calc.py", &text);
        let told = place.stop("s2").unwrap_or_default();
        let state = place.state("two");
        let gates = state["human_gates"].as_array().map_or(0, Vec::len);
        assert_eq!(gates, 0, "{turn}: {:#}", state["human_gates"]);
        let goes_on = told.to_string().contains("loop one has lost");
        let waits = told["systemMessage"].as_str().is_some_and(|told| told.contains("another loop has lost"));
        assert_eq!((goes_on, waits), (turn == 1, turn > 1), "{turn}: {told:#}");
    }
}

#[test]
fn a_removed_file_is_a_change_of_its_iteration() {
    let place = Place::new();
    place.write("src/old/one.py", "x = 1\n");
    place.write("notes.md", "notes\n");
    place.commit("More");
    place.start_loop("one");
    place.start("s1");
    std::fs::remove_file(place.path("src/old/one.py")).unwrap();
    place.stop("s1");
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    place.stop("s1");
    let state = place.state("one");
    let changed = |n: usize| -> Vec<Value> {
        let artifacts = state["iteration_history"][n]["artifacts"].as_array().cloned().unwrap_or_default();
        artifacts.iter().map(|artifact| artifact["path"].clone()).collect()
    };
    assert_eq!((changed(0), changed(1)), (vec![json!("src/old/one.py")], vec![json!("calc.py")]));
    place.done(&["loop", "abort", "one"]);
    let report = std::fs::read_to_string(place.directory("one").join("analytics/report.md")).unwrap();
    assert!(report.contains("src/old/one.py (removed)"), "{report}");
    let shown = place.done(&["status", "one"]);
    assert!(!shown.lines().any(|line| line.trim() == "Learned:"), "{shown}");
}

#[test]
fn a_call_is_not_credited_with_what_a_person_changed_before_it() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.write("calc.py", "def add(a, b):\n    return b + a  # mine\n");
    std::thread::sleep(std::time::Duration::from_millis(50));
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "t1",
        "tool_response": {"stdout": "", "stderr": ""}});
    place.fire("pre-tool-use", "s1", fields.clone());
    place.write("src/made.py", "made = 1\n");
    place.write("check.sh", "test -f done || { echo not yet; exit 1; }\n");
    place.fire("post-tool-use", "s1", fields);
    place.done(&["undo", "--last"]);
    let text = |path: &str| std::fs::read_to_string(place.path(path)).unwrap();
    assert!(text("calc.py").contains("# mine"), "a person's work stays");
    assert!(text("check.sh").contains("echo not done"), "the call's goes back");
}

#[test]
fn a_revert_names_the_other_loops_work_and_leaves_it() {
    let place = Place::new();
    for (id, session) in [("one", "s1"), ("two", "s2")] {
        place.start_loop(id);
        place.start(session);
    }
    let write = |session: &str, path: &str, text: &str| {
        let input = json!({"file_path": place.path(path), "content": text});
        let fields = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": format!("t-{session}"),
            "tool_response": {}});
        place.fire("pre-tool-use", session, fields.clone());
        place.write(path, text);
        place.fire("post-tool-use", session, fields);
    };
    write("s1", "one.py", "x = 1\n");
    write("s2", "two.py", "y = 2\n");
    write("s1", "both.py", "z = 1\n");
    write("s2", "both.py", "z = 2\n");
    place.stop("s1");
    place.write("hers.txt", "hers\n");
    // A file's time tells whose it is.
    std::thread::sleep(std::time::Duration::from_millis(60));
    write("s2", "later.py", "y = 3\n");
    let refused = place.steadfast(&["loop", "abort", "one", "--revert"]);
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && words.contains("two.py") && !words.contains("one.py"), "{words}");
    let (lost, staying) = words.split_once("These stay").unwrap_or_default();
    for (name, stays) in [("both.py", false), ("hers.txt", false), ("two.py", true), ("later.py", true)] {
        assert_eq!((lost.contains(name), staying.contains(name)), (!stays, stays), "{name}: {words}");
    }
    assert!(place.path("two.py").exists() && place.path("one.py").exists());
    let forced = place.done(&["loop", "abort", "one", "--revert", "--force"]);
    for name in ["two.py", "later.py"] {
        let why = format!("Left as it is: {name}, the session of loop two has changed it");
        assert!(forced.contains(&why) && place.path(name).exists(), "{forced}");
    }
    let replaced = forced.lines().find(|line| line.contains("others have changed it")).unwrap_or_default();
    for name in ["both.py", "hers.txt"] {
        assert!(replaced.contains(name) && !place.path(name).exists(), "{forced}");
    }
    assert!(!place.path("one.py").exists());
}

#[test]
fn a_revert_leaves_the_other_loops_work_without_being_asked() {
    let place = Place::new();
    for (id, session) in [("one", "s1"), ("two", "s2")] {
        place.start_loop(id);
        place.start(session);
    }
    crate::whose_loss::write(&place, "s2", "calc.py", "def add(a, b):\n    return b + a\n");
    crate::whose_loss::write(&place, "s1", "one.py", "x = 1\n");
    let done = place.done(&["loop", "abort", "one", "--revert"]);
    assert!(done.contains("Left as it is: calc.py, the session of loop two has changed it"), "{done}");
    assert!(!place.path("one.py").exists());
    assert!(std::fs::read_to_string(place.path("calc.py")).unwrap().contains("b + a"));
}

#[test]
fn what_the_hooks_cost_is_measured_in_a_copy() {
    let place = Place::new();
    let before = place.loops();
    let both = place.done(&["benchmark", "--iterations", "2", "--edits", "2"]);
    for part in ["Without persistence, iteration 2:", "With persistence, iteration 2:", "Overhead: "] {
        assert!(both.contains(part), "{part} in {both}");
    }
    let one: Value =
        serde_json::from_str(&place.done(&["benchmark", "--without-persistence", "--edits", "2", "--json"]))
            .unwrap();
    assert_eq!(one["without_persistence_ms"].as_array().map(Vec::len), Some(3));
    assert!(one["with_persistence_ms"].is_null() && one["overhead_percent"].is_null());
    let with = place.done(&["benchmark", "--with-persistence", "--iterations", "1", "--edits", "2"]);
    assert!(with.contains("With persistence, iteration 1:") && !with.contains("Without"), "{with}");
    assert_eq!(place.loops(), before, "the project itself stays as it is");
}

#[test]
fn a_module_with_importers_does_not_vanish_in_any_language_that_names_its_files() {
    let rows = [
        (
            "src/total.rs",
            "pub fn total() -> u32 {\n    1\n}\n",
            "src/lib.rs",
            "mod total;\npub use total::total;\n",
        ),
        (
            "pkg/total/total.go",
            "package total\n\nfunc Total() int {\n\treturn 1\n}\n",
            "main.go",
            "package main\n\nimport \"example.com/app/pkg/total\"\n\nfunc main() {\n\ttotal.Total()\n}\n",
        ),
        (
            "src/com/shop/Total.java",
            "package com.shop;\n\npublic class Total {}\n",
            "src/com/app/Main.java",
            "package com.app;\n\nimport com.shop.Total;\n\nclass Main { Total total; }\n",
        ),
        (
            "lib/shop/total.rb",
            "def total\n  1\nend\n",
            "bin/main.rb",
            "require_relative '../lib/shop/total'\nputs total\n",
        ),
        (
            "src/Shop/Total.php",
            "<?php\nnamespace App\\Shop;\nclass Total {}\n",
            "src/Main.php",
            "<?php\nuse App\\Shop\\Total;\n$t = new Total();\n",
        ),
        (
            "lib/shop/total.ex",
            "defmodule Shop.Total do\n  def total, do: 1\nend\n",
            "lib/main.ex",
            "defmodule Main do\n  alias Shop.Total\n  def run, do: Total.total()\nend\n",
        ),
        (
            "include/shop/total.h",
            "int total();\n",
            "src/main.cpp",
            "#include <shop/total.h>\nint main() { return total(); }\n",
        ),
    ];
    for (module, text, importer, imports) in rows {
        for stands_in in [false, true] {
            let place = Place::new();
            place.write("go.mod", "module example.com/app\n");
            place.write(module, text);
            place.write(importer, imports);
            place.commit("A module");
            place.start_loop("one");
            place.start("s1");
            std::fs::remove_file(place.path(module)).unwrap();
            if stands_in {
                // The importer goes with it.
                std::fs::remove_file(place.path(importer)).unwrap();
            }
            place.write("done", "");
            place.stop("s1");
            let lost: Vec<Value> = events(&place)
                .into_iter()
                .filter(|event| event["regression_type"] == "feature_removal")
                .collect();
            assert_eq!(
                lost.is_empty(),
                stands_in,
                "{module}: {:#?}",
                place.state("one")["detected_patterns"]
            );
        }
    }
}

#[test]
fn a_call_is_recorded_with_what_is_known_of_the_figures() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    let files = place.state("one")["baseline_metrics"]["file_count"].as_u64().unwrap();
    let newest = || {
        let state = place.state("one");
        state["tool_call_history"].as_array().unwrap().last().unwrap()["current_metrics"].clone()
    };
    crate::whose_loss::write(&place, "s1", "src/new.py", "x = 1\n");
    assert_eq!(newest()["file_count"], files + 1, "{:#}", newest());
    let more = crate::place::TESTS.to_owned() + "\ndef test_more():\n    assert add(1, 1) == 2\n";
    crate::whose_loss::write(&place, "s1", crate::place::TEST_FILE, &more);
    assert_eq!((&newest()["file_count"], &newest()["test_count"]), (&json!(files + 1), &json!(4)));
    crate::whose_loss::bash(&place, "s1", "rm src/new.py");
    assert_eq!(newest()["file_count"], files, "{:#}", newest());
}

#[test]
fn a_clean_iteration_says_so_in_its_record_and_in_the_log() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    crate::whose_loss::write(&place, "s1", "calc.py", "def add(a, b):\n    return b + a\n");
    place.stop("s1");
    let own = place.json(".aiwg/ralph/loops/one/iterations/iteration-001.json");
    let log = place.log("one");
    let logged = log.iter().find_map(|line| line["outcomes"][0].get("regression_report")).unwrap();
    for report in [&own["regression_report"], logged] {
        assert_eq!((&report["verdict"], &report["detected"]), (&json!("PASS"), &json!(false)), "{report:#}");
        assert_eq!(
            (&report["baseline"]["test_count"], &report["current"]["test_count"]),
            (&json!(3), &json!(3))
        );
        assert_eq!(report["regressions"], json!([]));
    }
    place.lose_by_script("s1").expect("the loss is seen");
    place.stop("s1");
    let lost = place.json(".aiwg/ralph/loops/one/iterations/iteration-002.json")["regression_report"].clone();
    assert_eq!((&lost["verdict"], &lost["detected"]), (&json!("BLOCK"), &json!(true)), "{lost:#}");
}
