//! Sessions come and go: what becomes of a loop whose session was cleared, closed or never came, and of a guard loop.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{CRITERIA, ONE_TEST, Place, TEST_FILE, TESTS};

fn told(answer: &Option<Value>) -> String {
    answer.as_ref().and_then(|answer| answer["systemMessage"].as_str()).unwrap_or_default().to_owned()
}

fn context(answer: &Option<Value>) -> String {
    let text = answer.as_ref().and_then(|answer| answer["hookSpecificOutput"]["additionalContext"].as_str());
    text.unwrap_or_default().to_owned()
}

fn end(place: &Place, session: &str, reason: &str) {
    place.fire("session-end", session, json!({"reason": reason}));
}

#[test]
fn a_cleared_session_goes_on_with_its_loop_and_the_person_hears_of_it() {
    let place = Place::new();
    place.start_loop("one");
    assert!(told(&place.start("s1")).contains("loop one goes on in this session"), "a claim is told");
    place.stop("s1");
    end(&place, "s1", "clear");
    let answer = place.fire("session-start", "s2", json!({"source": "clear"}));
    assert!(context(&answer).contains("loop one, iteration 2"), "{answer:?}");
    assert!(told(&answer).contains("loop one goes on in this session: iteration 2"), "{answer:?}");
    assert!(place.stop("s2").is_some());
    let state = place.state("one");
    assert_eq!((&state["session_id"], &state["iteration"]), (&json!("s2"), &json!(3)));
    assert_eq!(place.stop("s1"), None, "the old session is in no loop any more");
}

#[test]
fn a_closed_session_leaves_its_loop_to_whoever_takes_it_up() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    let live = place.steadfast(&["loop", "resume", "one"]);
    let live = String::from_utf8_lossy(&live.stderr).into_owned();
    assert!(live.contains("running in session s1") && live.contains("loop pause one"), "{live}");
    end(&place, "s1", "other");
    assert!(place.done(&["status", "one"]).contains("Hooks: not active"));
    let answer = place.start("s2");
    assert!(told(&answer).contains("steadfast loop resume one") && context(&answer).is_empty(), "{answer:?}");
    assert_eq!(place.stop("s2"), None, "nobody is drawn in");
    place.done(&["loop", "resume", "one"]);
    assert!(context(&place.start("s3")).contains("loop one"));
    end(&place, "s3", "other");
    // Its own session may come back, and a prompt may take it up as well.
    assert!(context(&place.fire("session-start", "s3", json!({"source": "resume"}))).contains("loop one"));
    end(&place, "s3", "other");
    let taken = place.fire("user-prompt-submit", "s4", json!({"prompt": "/steadfast:resume one"}));
    assert!(told(&taken).contains("goes on in this session"), "{taken:?}");
    assert!(place.done(&["status", "one"]).contains("Hooks: active in session s4"));
}

#[test]
fn a_loop_that_nobody_claims_ends_with_its_time_and_is_heard_of_once() {
    for looked_at in [false, true] {
        let place = Place::new();
        place.start_loop("one");
        place.outlast("one");
        if looked_at {
            assert!(place.done(&["status", "--all"]).contains("one failed"));
        }
        let answer = place.start("s1");
        assert!(told(&answer).contains("loop one has ended: its time"), "{answer:?}");
        assert!(!context(&answer).contains("loop one"), "{answer:?}");
        assert_eq!(place.state("one")["status"], "failed");
        assert!(!told(&place.start("s2")).contains("loop one"), "once");
        place.done(&["loop", "resume", "one"]);
        assert!(context(&place.start("s3")).contains("loop one"), "it has its time again");
    }
}

#[test]
fn a_turn_that_ends_late_is_verified_and_recorded() {
    for met in [false, true] {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        place.outlast("one");
        if met {
            place.write("done", "");
        }
        let answer = place.stop("s1");
        let state = place.state("one");
        assert_eq!(state["status"], if met { "completed" } else { "failed" }, "{answer:?}");
        assert_eq!(state["iteration_history"].as_array().map(Vec::len), Some(1));
        if met {
            continue;
        }
        let said = told(&answer);
        assert!(said.contains("TIMEOUT") && said.contains("$ sh check.sh"), "{said}");
        // Each way on that is offered works.
        let ways: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("- steadfast ")).collect();
        assert!(ways.len() == 3, "{said}");
        for way in ways {
            let words: Vec<&str> = way.split("   ").next().unwrap().split_whitespace().collect();
            place.done(&words);
            if way.contains("resume") {
                assert_eq!(place.state("one")["status"], "running", "{way}");
                place.start("s9");
                place.outlast("one");
                let mut state = place.state("one");
                state["timeout_counts_from"] = Value::Null;
                place.write(".aiwg/ralph/loops/one/state.json", state.to_string());
                place.stop("s9");
            }
        }
        assert_eq!(place.state("one")["status"], "aborted");
    }
}

#[test]
fn a_guard_loop_ends_with_its_session_and_comes_back_with_it() {
    let place = Place::new();
    assert!(place.guards("s1"));
    let id = place.only_loop();
    assert_eq!(place.state(&id)["status"], "running");
    end(&place, "s1", "other");
    assert_eq!(place.state(&id)["status"], "completed");
    place.fire("session-start", "s1", json!({"source": "resume"}));
    assert!(place.guards("s1"));
    assert_eq!((place.loops().len(), place.state(&id)["status"].clone()), (1, json!("running")));
    // A person may end it, too.
    place.done(&["loop", "abort", &id]);
    assert_eq!(place.state(&id)["status"], "aborted");
}

#[test]
fn a_turn_that_is_told_three_times_at_once_is_one_iteration() {
    let place = Place::new();
    place.write("check.sh", "sleep 0.5; echo not done; exit 1\n");
    place.start_loop("one");
    place.start("s1");
    let answers: Vec<Option<Value>> = std::thread::scope(|scope| {
        let stops: Vec<_> = (0..3).map(|_| scope.spawn(|| place.stop("s1"))).collect();
        stops.into_iter().map(|stop| stop.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|answer| answer.is_some()).count(), 1, "{answers:?}");
    let state = place.state("one");
    assert_eq!(state["iteration_history"].as_array().map(Vec::len), Some(1));
    assert_eq!(state["iteration"], 2);
    // The same words in the next turn are an end of their own.
    assert!(place.stop("s1").is_some());
    assert_eq!(place.state("one")["iteration"], 3);
}

#[test]
fn sessions_that_start_at_once_get_a_loop_each() {
    let sessions = ["s0", "s1", "s2", "s3"];
    for round in 0..5 {
        let place = Place::new();
        let loops = ["l0", "l1", "l2", "l3"].map(|id| {
            place.start_loop(id);
            id
        });
        std::thread::scope(|scope| {
            for session in sessions {
                scope.spawn(|| place.start(session));
            }
        });
        let mut owners = loops.map(|id| place.state(id)["session_id"].clone());
        owners.sort_by_key(Value::to_string);
        assert_eq!(owners, sessions.map(Value::from), "round {round}");
    }
}

#[test]
fn a_criterion_runs_where_its_loop_was_started() {
    let place = Place::new();
    place.write("packages/b/verify.sh", "test -f ready || { echo not ready; exit 1; }\n");
    let start = |folder: &str, until: &str, id: &str| {
        let mut command = place.command_of_steadfast();
        command.args(["loop", "start", "Make it right", "--until", until, "--loop-id", id]);
        command.current_dir(place.path(folder)).stdin(Stdio::null()).output().unwrap()
    };
    let started = start("packages/b", "sh verify.sh passes", "sub");
    assert!(started.status.success(), "{started:?}");
    assert!(context(&place.start("s1")).contains("sh verify.sh passes (in packages/b)"));
    assert!(place.stop("s1").is_some(), "it is not met");
    place.write("packages/b/ready", "");
    place.stop("s1");
    assert_eq!(place.state("sub")["status"], "completed");
    // What can't succeed is refused, or asked about.
    for (folder, until, id) in [(".", "`nmp test` passes", "a"), ("packages/b", "pyest -q passes", "b")] {
        let refused = start(folder, until, id);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains("no program"), "{said}");
    }
    let asked = start(".", "sh verify.sh passes", "c");
    assert!(String::from_utf8_lossy(&asked.stdout).contains("Is the criterion what was meant?"), "{asked:?}");
    let empty = place.steadfast(&["loop", "start", " ", "--until", CRITERIA]);
    assert!(!empty.status.success() && String::from_utf8_lossy(&empty.stderr).contains("task is empty"));
    let most = place.done(&[
        "loop",
        "start",
        "x",
        "--until",
        CRITERIA,
        "--loop-id",
        "m",
        "--max-iterations",
        "999999",
    ]);
    assert!(most.contains("up to 1000 iterations"), "{most}");
}

#[test]
fn what_something_else_has_written_is_told_and_does_not_hold() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.stop("s1");
    let log = place.directory("one").join("hook-log.jsonl");
    let lines = std::fs::read_to_string(&log).unwrap();
    let cut: String =
        lines.split_inclusive('\n').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
    let heard = |what: &str| {
        let answer = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
        assert!(told(&answer).contains("CRITICAL") && told(&answer).contains(what), "{what}: {answer:?}");
        let again = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
        assert!(!told(&again).contains("CRITICAL"), "once: {again:?}");
        let shown = place.done(&["status", "one"]);
        assert!(shown.contains("Critical: the"), "{shown}");
    };
    for changed in [cut, lines.replacen("MINIMAL", "OFFFFFF", 1), String::new()] {
        std::fs::write(&log, changed).unwrap();
        heard("hook-log of loop one was changed");
        assert!(!place.steadfast(&["log", "verify", "one"]).status.success());
    }
    std::fs::remove_file(&log).unwrap();
    heard("hook-log of loop one was changed");

    let mut state = place.state("one");
    let tests = state["baseline_metrics"]["test_count"].clone();
    state["status"] = json!("completed");
    state["baseline_metrics"]["test_count"] = json!(1);
    place.write(".aiwg/ralph/loops/one/state.json", state.to_string());
    heard("state.json was changed");
    let state = place.state("one");
    assert_eq!((&state["status"], &state["baseline_metrics"]["test_count"]), (&json!("running"), &tests));

    let mut registry = place.json(".aiwg/ralph/registry.json");
    registry["sessions"] = json!({});
    place.write(".aiwg/ralph/registry.json", registry.to_string());
    heard("registry.json was changed");
    assert!(place.stop("s1").is_some(), "the session is still in its loop");
    std::fs::remove_file(place.path(".aiwg/ralph/registry.json")).unwrap();
    heard("registry.json was changed");
    assert!(place.stop("s1").is_some());
}

#[test]
fn the_log_and_the_summary_say_what_really_was() {
    let place = Place::new();
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    place.write("check.sh", "sleep 0.6; test -f done || { cat why 2>/dev/null || echo not done; exit 1; }\n");
    place.start_loop("one");
    place.start("s1");
    place.stop("s1");
    for line in place.log("one") {
        let slow = line["duration_ms"].as_u64().unwrap() >= 600;
        assert!(!slow || line["hook_name"] == "post_iteration", "{line}");
    }
    assert!(place.log("one").iter().any(|line| line["duration_ms"].as_u64().unwrap() >= 600));
    place.write("new.py", "a = 1\nb = 2\nc = 3\n");
    place.write("done", "");
    let answer = place.stop("s1");
    // What was changed before the loop is not its own: the line of `calc.py` does not count.
    assert!(told(&answer).contains("Total changes: +3, -0"), "{answer:?}");
    // A loop that is met at once has changed nothing.
    let met = place.done(&["loop", "start", "x", "--until", CRITERIA, "--loop-id", "met"]);
    assert!(met.contains("Files modified: 0\n- Total changes: +0, -0"), "{met}");
}

#[test]
fn what_is_lost_outside_of_any_call_is_told_at_the_next_prompt() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.stop("s1");
    let quiet = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    assert!(!context(&quiet).contains("since the last turn"), "{quiet:?}");
    std::thread::sleep(std::time::Duration::from_millis(50));
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    let answer = place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    assert!(context(&answer).contains("since the last turn"), "{answer:?}");
    assert!(told(&answer).contains("since the last turn"), "{answer:?}");
}

#[test]
fn a_loop_ends_and_pauses_for_a_persons_script_too() {
    let place = Place::new();
    place.start_loop("one");
    for (verb, status) in [("pause", "paused"), ("abort", "aborted")] {
        let output = place.command_of_steadfast().args(["loop", verb, "one"]).stdin(Stdio::null()).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{verb}: {said}");
        assert_eq!(place.state("one")["status"], status);
    }
}

#[test]
fn what_only_a_loop_at_work_needs_goes_with_the_session_after_it() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.write_by_call("calc.py", "def add(a, b):\n    return a + b\n");
    place.write("done", "");
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "completed");
    place.fire("session-end", "s1", json!({"reason": "other"}));
    let left = std::fs::read_dir(place.directory("one")).unwrap().flatten();
    let names: Vec<String> = left.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let is_of_work =
        |name: &&String| name.ends_with(".lock") || ["turn-ended", "worker.json"].contains(&name.as_str());
    assert_eq!(names.iter().filter(is_of_work).count(), 0, "{names:?}");
    // What a look back needs stays.
    for name in ["state.json", "hook-log.jsonl", "touched.txt", "watch.json"] {
        assert!(names.iter().any(|left| left == name), "{name}: {names:?}");
    }
    place.done(&["log", "verify", "one"]);
    place.done(&["undo", "--last"]);
    assert!(std::fs::read_to_string(place.path("calc.py")).unwrap().contains("a - b"));
}
