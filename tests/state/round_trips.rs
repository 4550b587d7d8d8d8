//! Every file under `.aiwg/ralph` holds each of its keys once, and reading and writing it again gives the same text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use serde_json::json;
use steadfast::lifecycle::iteration::record::read_snapshot;
use steadfast::metrics::ReportReading;
use steadfast::state::allowance::{Allowance, RefusedFinding, ShellText};
use steadfast::state::false_alarms::{FalseAlarm, FalseAlarms};
use steadfast::state::gate::CodeHash;
use steadfast::state::layout::Layout;
use steadfast::state::records::IterationRecord;
use steadfast::state::test_record::TestRecord;
use steadfast::state::test_runs::{FailedTest, TestRun};

use crate::own_files::{files, look, look_at, same};
use crate::place::{CRITERIA, Place, TEST_FILE, TESTS};

#[test]
fn what_a_loop_and_a_session_leave_has_no_key_twice_and_is_written_again_as_it_was() {
    let place = Place::new();
    place.start_loop("whole");
    place.start("s1");
    assert!(place.guards("s1"));
    assert!(place.lose_by_script("s1").is_some());
    let failing = json!({"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "toolu_f",
        "error": "E   TypeError: add() takes 1 argument\nFAILED tests/test_calc.py::test_adds\n1 failed, 2 passed in 0.01s"});
    place.fire("post-tool-use-failure", "s1", failing);
    place.fire("pre-compact", "s1", json!({}));
    assert!(place.stop("s1").is_some());
    look(&place);
    place.write(TEST_FILE, TESTS);
    assert!(place.stop("s1").is_some());
    place.write("done", "");
    place.stop("s1");
    assert_eq!(place.state("whole")["status"], "completed");
    let seen = look(&place);
    for form in [
        "state.json",
        "registry.json",
        "hook-log.jsonl",
        "tool-calls.jsonl",
        "watch.json",
        "tests.json",
        "terms.json",
        "iteration",
        "manifest",
        "reflection",
        "index.yaml",
        "analytics.json",
    ] {
        assert!(seen.contains(form), "no {form} was written: {seen:?}");
    }
}

#[test]
fn what_a_driver_leaves_while_it_works_has_no_key_twice() {
    let place = Place::new();
    // The driver notes its agent once that runs.
    let noted = "until test -f .aiwg/ralph/loops/driven/agent.json; do sleep 0.05; done";
    let agent = format!("{noted}; cp -r .aiwg/ralph ../kept && touch done");
    place.done(&[
        "run",
        "Make it right",
        "--until",
        CRITERIA,
        "--loop-id",
        "driven",
        "--",
        "sh",
        "-c",
        &agent,
    ]);
    let kept = place.home().with_file_name("kept");
    let seen: BTreeSet<&str> = files(&kept).iter().filter_map(|path| look_at(path, &kept)).collect();
    assert!(seen.contains("worker.json") && seen.contains("agent.json"), "{seen:?}");
    look(&place);
}

#[test]
fn the_smaller_records_are_written_again_as_they_were() {
    let now = Timestamp::UNIX_EPOCH;
    let path = Path::new("in memory");
    let alarm = json!({"event_id": "reg-1", "pattern_id": "LP-001", "path": "a.py", "lost": ["t"], "what": "w",
        "reason": "r", "marked_at": now, "expires_at": now});
    let alarm: FalseAlarm = serde_json::from_value(alarm).unwrap();
    same::<FalseAlarms>(&json!(FalseAlarms { entries: vec![alarm] }).to_string(), path);
    let allowed = Allowance {
        call: "c".to_owned(),
        command: "rm -rf src".to_owned(),
        code: CodeHash::of("CODE", "salt"),
        refused_at: now,
        granted_at: Some(now),
        granted_via: Some("terminal".to_owned()),
        shell: Some(ShellText { text: "rm -rf src".to_owned(), folder: "/p".into() }),
        findings: vec![RefusedFinding {
            pattern_id: "SF-010".to_owned(),
            path: "src".to_owned(),
            lost: vec!["a".to_owned()],
            what: "w".to_owned(),
        }],
    };
    same::<Vec<Allowance>>(&json!([allowed]).to_string(), path);
    let run = TestRun {
        at: now,
        iteration: 2,
        command: "pytest".to_owned(),
        reading: ReportReading::default(),
        failures: vec![FailedTest {
            test: "test_add".to_owned(),
            expected: Some("3".to_owned()),
            actual: Some("-1".to_owned()),
        }],
    };
    same::<TestRun>(&json!(run).to_string(), path);
    let record = TestRecord {
        put_back: false,
        listed: vec!["t".to_owned()],
        ran: vec!["t".to_owned()],
        passed: BTreeMap::from([("t".to_owned(), 1)]),
        flaky: BTreeSet::from(["u".to_owned()]),
        high_water: BTreeMap::from([("coverage_percentage".to_owned(), 81.5)]),
        added_at_mark: vec!["v".to_owned()],
    };
    same::<TestRecord>(&json!(record).to_string(), path);
}

#[test]
fn an_iteration_that_an_older_version_wrote_with_a_key_twice_is_still_read() {
    let place = Place::new();
    let learning =
        json!({"failed": "f", "why": "w", "next": "n", "signature": "s", "error_type": null, "failing": []});
    let verification = json!({"passed": false, "checks": [], "duration_ms": 0});
    let text = format!(
        r#"{{"iteration": 1, "learning": {learning}, "learning": {learning}, "verification": {verification}}}"#
    );
    place.write(".aiwg/ralph/loops/l/iterations/iteration-001.json", text);
    let record = IterationRecord { iteration: 1, ..IterationRecord::default() };
    let layout = Layout::of_project(&place.root());
    let read = read_snapshot(&layout, "l", &record).expect("it is read");
    assert!(read.verification.is_some());
    assert_eq!(serde_json::to_value(&read).unwrap()["learning"], learning);
}
