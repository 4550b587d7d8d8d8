//! However a loop ends, its reports are written with all that the documents list; and the views of a loop.

use serde_json::{Value, json};

use crate::decisions::with_open_gate;
use crate::place::{CRITERIA, Place};
use crate::stuck::stuck;
use crate::terminal::{at_terminal, run, screen};

/// A loop of this many iterations whose first has ended.
fn looping(max: &str) -> Place {
    let place = Place::new();
    place.start_bounded("one", max);
    place.start("s1");
    place.write("calc.py", "def add(a, b):\n    return b - a\n");
    place.stop("s1");
    place
}

fn only_completion(place: &Place) -> String {
    let entries = std::fs::read_dir(place.path(".aiwg/ralph")).unwrap().flatten();
    let names = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("completion-") && name.ends_with(".md")
    });
    let names: Vec<_> = names.collect();
    assert_eq!(names.len(), 1, "{names:?}");
    std::fs::read_to_string(&names[0]).unwrap()
}

/// The three files of an ending, with what both documents list.
fn reported(place: &Place, status: &str, ending: &str, iterations: usize) {
    let state = place.state("one");
    assert_eq!((&state["status"], &state["ending"]), (&json!(status), &json!(ending)), "{ending}");
    assert_eq!(state["detection_enabled"], false, "{ending}");
    let path = state["completion_report_path"].as_str().unwrap();
    assert!(path.ends_with("analytics/report.md"), "{path}");
    let report = std::fs::read_to_string(place.path(path)).unwrap();
    for section in [
        "| Iterations |",
        "## Metrics",
        "## Trajectory",
        "Quality: ",
        "## Regression events",
        "## Recovery attempts",
        "## Best and final iteration",
        "- Best: ",
        "- Final: ",
        "## Costs",
        "- Tokens: unknown",
        "- Money: unknown",
    ] {
        assert!(report.contains(section), "{ending}: {section} in {report}");
    }
    let completion = only_completion(place);
    for part in
        ["Make it right", CRITERIA, "| Duration |", "## Verification", "## What was learned", "## Costs"]
    {
        assert!(completion.contains(part), "{ending}: {part} in {completion}");
    }
    let analytics = place.json(".aiwg/ralph/loops/one/analytics/analytics.json");
    assert_eq!(analytics["summary"]["total_iterations"], iterations, "{ending}: {analytics:#}");
    assert_eq!(analytics["iterations"].as_array().unwrap().len(), iterations, "{ending}");
    for cost in ["total_tokens", "total_cost_usd"] {
        assert_eq!(analytics["costs"][cost], "unknown", "{ending}: {analytics:#}");
    }
    assert!(analytics["duration_seconds"].is_u64(), "{ending}");
    let log = place.log("one");
    let last = log.iter().rfind(|line| line["hook_name"] == "loop_complete").unwrap();
    let says = |key: &str| last["outcomes"].as_array().unwrap().iter().any(|outcome| !outcome[key].is_null());
    for key in ["ending", "selection", "archive_iteration_history", "persistence_metrics", "over_target"] {
        assert!(
            says(key) || iterations == 0 && ["selection", "archive_iteration_history"].contains(&key),
            "{ending}: {key} in {last:#}"
        );
    }
    let archive = place.directory("one").join("iterations/history.jsonl.gz");
    assert!(iterations == 0 || archive.is_file(), "{ending}");
}

#[test]
fn every_ending_is_reported() {
    reported(&looping("1"), "failed", "MAX_ITERATIONS", 1);

    let place = looping("9");
    let mut state = place.state("one");
    state["started_at"] = json!("2020-01-01T00:00:00Z");
    place.write(".aiwg/ralph/loops/one/state.json", state.to_string());
    place.stop("s1");
    // The turn that ends late is verified and recorded.
    reported(&place, "failed", "TIMEOUT", 2);

    let place = looping("9");
    place.done(&["loop", "abort", "one"]);
    reported(&place, "aborted", "ABORTED", 1);

    let place = looping("9");
    place.write("done", "");
    place.stop("s1");
    reported(&place, "completed", "SUCCESS", 2);

    let (place, _) = with_open_gate(2);
    assert!(at_terminal(&place, "gate", "3\n").status.success());
    reported(&place, "aborted", "ABORTED", 1);
    let report = std::fs::read_to_string(place.directory("one").join("analytics/report.md")).unwrap();
    assert!(report.contains("test_zero") && report.contains("ended by a person"), "{report}");
}

#[test]
fn a_stuck_loop_that_a_person_ends_is_reported_before_any_iteration() {
    let (place, _) = stuck();
    assert!(at_terminal(&place, "gate", "2\n").status.success());
    let analytics = place.json(".aiwg/ralph/loops/one/analytics/analytics.json");
    assert_eq!(analytics["summary"]["total_iterations"], 0, "{analytics:#}");
    let report = std::fs::read_to_string(place.directory("one").join("analytics/report.md")).unwrap();
    for part in ["None: no work was done.", "- Best: none was selected", "- Final: there was no iteration"] {
        assert!(report.contains(part), "{report}");
    }
    assert!(only_completion(&place).contains("ABORTED"));
}

#[test]
fn a_crashed_loop_is_reported_when_a_person_ends_it() {
    let place = Place::new();
    place.start_loop("one");
    place.fire_and_leave("session-start", "s1", json!({"source": "startup"}));
    let mut state = place.state("one");
    state["status"] = json!("crashed");
    place.write(".aiwg/ralph/loops/one/state.json", state.to_string());
    place.done(&["loop", "abort", "one"]);
    reported(&place, "aborted", "ABORTED", 0);
}

#[test]
fn each_view_has_json_of_its_own() {
    let (place, _) = with_open_gate(2);
    let views = |flags: &[&str]| -> Value {
        let text = place.done(&[&["status", "one", "--json"], flags].concat());
        assert!(!text.contains('\u{1b}'), "{text}");
        serde_json::from_str::<Value>(&text).unwrap()["loops"][0].clone()
    };
    let persistence = views(&["--persistence"]);
    assert_eq!(persistence["persistence"]["regression_events"], 1, "{persistence:#}");
    assert_eq!(persistence["persistence"]["worst_regression"]["type"], "test_deletion");
    assert_eq!(persistence["persistence"]["baseline_metrics"]["test_count"], 3);
    assert_eq!(persistence["persistence"]["current_iteration"]["iteration"], 2);
    let metrics = &persistence["persistence"]["persistence_metrics"];
    assert!(metrics["detection_latency_p95_ms"].is_u64(), "{persistence:#}");
    assert!(metrics["integration_overhead_percentage"].is_f64(), "{persistence:#}");
    assert_eq!((&persistence["regressions"], &persistence["quality"]), (&Value::Null, &Value::Null));
    let regressions = views(&["--regressions"]);
    assert_eq!(regressions["regressions"][0]["severity"], "critical", "{regressions:#}");
    let quality = views(&["--quality"]);
    assert_eq!(quality["quality"][0]["iteration"], 1, "{quality:#}");
    assert_eq!(quality["quality"][0]["best"], true);
    let all = views(&["--persistence", "--regressions", "--quality"]);
    assert!(["persistence", "regressions", "quality"].iter().all(|view| !all[*view].is_null()));
    let every = place.done(&["status", "--all", "--persistence"]);
    assert!(every.contains("false_positive_rate: 0.00"), "{every}");
    // What is over its target is said.
    place.write(
        "aiwg.yml",
        "agent_persistence:\n  performance:\n    max_integration_overhead_percentage: 0\n",
    );
    let told = place.done(&["status", "one", "--persistence"]);
    assert!(told.contains("Over target: integration overhead"), "{told}");
    let told = views(&["--persistence"]);
    assert!(told["persistence"]["over_target"][0].as_str().unwrap().contains("at most 0%"), "{told:#}");
}

#[test]
fn a_view_is_coloured_on_a_terminal_and_fits_it() {
    let place = looping("9");
    let steadfast = env!("CARGO_BIN_EXE_steadfast");
    let shown = |columns: u32, variables: &[(&str, &str)]| {
        let command = format!("stty cols {columns}; {steadfast} status one --quality");
        let output = run(&place, &command, "", &[&[("TERM", "xterm-256color")], variables].concat());
        assert!(output.status.success(), "{}", screen(&output));
        screen(&output)
    };
    let bar = |text: &str| text.matches('░').count();
    let piped = place.done(&["status", "one", "--quality"]);
    assert!(!piped.contains('\u{1b}') && piped.contains("⬅ BEST"), "{piped}");
    let wide = shown(120, &[]);
    assert!(wide.contains("\u{1b}[32m") && bar(&wide) == bar(&piped) && bar(&wide) > 5, "{wide}");
    let plain = shown(120, &[("NO_COLOR", "1")]);
    assert!(!plain.contains('\u{1b}') && plain.contains("⬅ BEST"), "{plain}");
    let narrow = shown(34, &[("NO_COLOR", "1")]);
    assert!(bar(&narrow) < bar(&wide), "{narrow}");
    for line in narrow.lines() {
        assert!(line.chars().count() <= 34, "{line:?}");
    }
}
