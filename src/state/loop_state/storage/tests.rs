use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;
use crate::model::finding::{RegressionType, Severity};
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{Level, Status};
use crate::state::mending;
use crate::state::records::{
    Baseline, BestIteration, ErrorRecord, HookFailure, IterationRecord, RecoveryRecord, RegressionEvent,
    RiskyAction, ToolCallRecord,
};
use crate::state::registry::Kind;

fn now() -> Timestamp {
    "2026-02-03T10:11:12Z".parse().unwrap()
}

/// A project with one loop, and the ways into it.
struct Project {
    _dir: tempfile::TempDir,
    layout: Layout,
}

impl Project {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Project { layout: Layout::of_project(dir.path()), _dir: dir }
    }

    fn state(&self) -> PathBuf {
        self.layout.state("l")
    }

    fn put(&self, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.layout.loop_dir("l")).unwrap();
        fs::write(self.state(), text).unwrap();
    }

    fn put_copy(&self, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.layout.loop_dir("l")).unwrap();
        fs::write(backup(&self.state()), text).unwrap();
    }

    fn read(&self) -> Result<LoopState, Error> {
        LoopState::read(&self.layout, "l")
    }

    fn recover(&self) -> Result<(LoopState, Option<String>), Error> {
        let lock = Lock::take(&self.layout.loop_dir("l").join("state.lock"), CLI_WAIT).unwrap().unwrap();
        LoopState::recover(&self.layout, "l", &lock, now())
    }

    fn set_aside(&self) -> Vec<String> {
        let names = fs::read_dir(self.layout.loop_dir("l")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.contains(".damaged-")).collect();
        names.sort();
        names
    }
}

fn event(id: &str) -> RegressionEvent {
    RegressionEvent {
        event_id: id.into(),
        timestamp: now(),
        iteration: 2,
        details: serde_json::from_value(json!({"diff": {"deleted_tests": ["a.test.ts: x"]}})).unwrap(),
        ..RegressionEvent::new(RegressionType::TestDeletion, Severity::High)
    }
}

/// A state in which every field is there and differs from its default.
fn full() -> LoopState {
    let mut state = LoopState::new("l", "task", now());
    state.status = Status::Paused;
    state.kind = Kind::Implicit;
    state.session_id = Some("s".into());
    state.iteration = 7;
    state.iteration_count = 7;
    state.completion_criteria = "c passes".into();
    state.last_updated = "2026-02-04T00:00:00Z".parse().unwrap();
    state.completed_at = Some(now());
    state.working_directory = "/w".into();
    state.configuration.max_iterations = 99;
    state.progress.last_completion_check = Some(now());
    state.metrics.total_iterations = 6;
    state.baseline_metrics = Some(Baseline { test_count: Some(5), ..Baseline::default() });
    state.iteration_history.push(IterationRecord { iteration: 1, quality_score: 61.5, ..Default::default() });
    state.best_iteration = Some(BestIteration { iteration: 1, ..Default::default() });
    state.regression_events.push(event("e1"));
    state.regression_detected = true;
    state.recovery_in_progress = true;
    state.recovery_attempts = 1;
    state.recovery_history = vec![RecoveryRecord { trigger: "t".into(), ..RecoveryRecord::default() }];
    state.push_error(ErrorRecord { message: "m".into(), ..ErrorRecord::default() });
    state.stuck_loop_detected = true;
    state.set_level(Level::Aggressive, "r", now());
    state.hook_failure = Some(HookFailure { hook: "on_error".into(), ..HookFailure::default() });
    state.detection_enabled = true;
    state.push_risky_action(RiskyAction { tool: "Bash".into(), ..Default::default() });
    state.push_tool_call(ToolCallRecord { tool: "Edit".into(), ..Default::default() });
    state.detected_patterns = serde_json::from_value(json!([{
        "pattern_id": "LP-001", "pattern_name": "n", "iteration": 1, "timestamp": now(), "severity": "high"
    }]))
    .unwrap();
    state.detected_patterns_total = 1;
    state.last_iteration_quality = Some(61.5);
    state.selected_iteration = Some(1);
    state.completion_report_path = Some("p".into());
    state.continuations = 3;
    state.human_gates = serde_json::from_value(json!([{
        "gate_id": "g", "subject": "regression", "gate_type": "TERMINATE", "opened_at": now(), "iteration": 2,
        "event_ids": ["e1"], "message": "m", "choices": []
    }]))
    .unwrap();
    state.pending_notice = Some("n".into());
    state.consecutive_same_error = 2;
    state.extra.insert("owner".into(), "alice".into());
    state
}

fn fields(state: &LoopState) -> Map<String, Value> {
    let Value::Object(fields) = serde_json::to_value(state).unwrap() else { panic!() };
    fields
}

#[test]
fn what_another_process_has_written_is_read_anew() {
    let project = Project::new();
    let (mut state, read) = (full(), || LoopState::read_shared(&project.layout, "l").unwrap());
    state.write(&project.layout, Durability::Process).unwrap();
    let first = read();
    assert!(Rc::ptr_eq(&first, &read()), "the same bytes are parsed once");
    // As long as before.
    state.iteration = 8;
    project.put(serde_json::to_vec_pretty(&state).unwrap());
    assert_eq!((first.iteration, read().iteration), (7, 8));
    project.put("{");
    project.put_copy(serde_json::to_vec_pretty(&full()).unwrap());
    assert_eq!(read().iteration, 7, "the copy serves");
}

#[test]
fn a_state_without_any_one_field_is_sound() {
    let project = Project::new();
    let all = fields(&full());
    let defaults = fields(&LoopState::new("", "", Timestamp::UNIX_EPOCH));
    assert_eq!(all.len(), 47, "every field differs from its default in `full`");
    for field in all.keys() {
        let mut fewer = all.clone();
        fewer.remove(field);
        project.put(Value::Object(fewer.clone()).to_string());
        let (state, fault) = project.recover().unwrap();
        assert_eq!(fault, None, "{field}");
        let mut expected = fewer;
        match field.as_str() {
            "loop_id" => expected.insert(field.clone(), "l".into()),
            _ => defaults.get(field).and_then(|default| expected.insert(field.clone(), default.clone())),
        };
        assert_eq!(fields(&state), expected, "{field}");
    }
}

#[test]
fn a_field_of_the_wrong_type_costs_itself_alone_and_disarms_nothing() {
    let all = fields(&full());
    for field in all.keys().filter(|field| *field != "owner") {
        for wrong in [json!({"x": []}), json!([{"x": {}}, 7]), json!(-7.5), json!("wrong"), json!(true)] {
            let project = Project::new();
            if mending::fits::<LoopState>(field, &wrong) {
                continue;
            }
            let mut changed = all.clone();
            changed.insert(field.clone(), wrong.clone());
            project.put(Value::Object(changed).to_string());
            let (state, fault) = project.recover().unwrap_or_else(|error| panic!("{field} {wrong}: {error}"));
            assert!(fault.is_some_and(|fault| fault.contains(field)), "{field} {wrong}");
            let mut read = fields(&state);
            let mut expected = all.clone();
            for fields in [&mut read, &mut expected] {
                fields.remove(field);
            }
            assert_eq!(read, expected, "{field} {wrong}");
            assert!(state.detection_enabled, "{field} {wrong}");
            assert!(state.open_regressions().next().is_some(), "{field} {wrong}");
            // The file on disk is sound now, and what it was is kept.
            assert_eq!(project.recover().unwrap(), (state, None), "{field} {wrong}");
            assert_eq!(project.set_aside().len(), 1, "{field} {wrong}");
        }
    }
}

#[test]
fn the_last_good_copy_lends_the_field_that_is_lost() {
    let project = Project::new();
    let mut good = full();
    good.iteration = 6;
    project.put_copy(serde_json::to_vec(&good).unwrap());
    let mut damaged = fields(&full());
    damaged.insert("iteration".into(), "seven".into());
    damaged.insert("continuations".into(), 4.into());
    project.put(Value::Object(damaged).to_string());
    let state = project.read().unwrap();
    assert_eq!((state.iteration, state.continuations), (6, 4));
    assert_eq!(project.set_aside(), [""; 0], "reading touches nothing");
}

#[test]
fn a_regression_that_cannot_be_read_counts_as_open() {
    let project = Project::new();
    let mut state = fields(&full());
    let mut odd = serde_json::to_value(event("e2")).unwrap();
    odd["severity"] = "CRITICAL".into();
    odd["regression_type"] = "TEST_SKIPPING".into();
    let mut approved = serde_json::to_value(event("e3")).unwrap();
    approved["severity"] = 9.into();
    approved["human_decision"] = "approve".into();
    state.insert("regression_events".into(), json!([event("e1"), odd, 7, approved]));
    project.put(Value::Object(state).to_string());
    let events = project.read().unwrap().regression_events;
    let ids: Vec<_> = events.iter().map(|event| (event.event_id.as_str(), event.is_open())).collect();
    assert_eq!(ids, [("e1", true), ("e2", true), ("unreadable-2", true), ("e3", false)]);
    assert_eq!(events[1].regression_type, RegressionType::TestSkipping);
    assert_eq!(events[1].severity, Severity::Critical);
}

#[test]
fn a_damaged_file_is_set_aside_and_the_copy_takes_its_place() {
    let project = Project::new();
    let mut state = full();
    state.write(&project.layout, Durability::Power).unwrap();
    state.task = "second".into();
    state.write(&project.layout, Durability::Power).unwrap();
    project.put(b"{\"version\": \"2");
    assert_eq!(project.read().unwrap().task, "task");
    let (recovered, message) = project.recover().unwrap();
    assert_eq!(recovered.task, "task");
    let message = message.unwrap();
    assert_eq!(project.set_aside(), ["state.json.damaged-20260203T101112Z"]);
    for name in ["state.json.bak", "state.json.damaged-20260203T101112Z"] {
        assert!(message.contains(name), "{message}");
    }
    assert_eq!(project.recover().unwrap(), (recovered, None));
    // Once more within the same second.
    project.put(b"[]");
    project.recover().unwrap();
    assert_eq!(project.set_aside().len(), 2);
}

#[test]
fn both_lost_is_an_error_and_stays_one() {
    for (file, copy) in [
        (&b""[..], &b""[..]),
        (b"{}", b"nonsense"),
        (b"\xff\xfe", b"{\"a\": 1}"),
        (b"null", b"[]"),
        (b"{\"version\":\"2.0.0\"}", b"7"),
    ] {
        let project = Project::new();
        project.put(file);
        project.put_copy(copy);
        for error in [project.read().unwrap_err(), project.recover().unwrap_err()] {
            assert!(matches!(error, Error::Damaged { .. }), "{error}");
            let text = error.to_string();
            assert!(text.contains("state.json ") && text.contains("state.json.bak"), "{text}");
        }
        assert_eq!(fs::read(project.state()).unwrap(), file, "nothing is reset");
    }
    let project = Project::new();
    assert!(matches!(project.read().unwrap_err(), Error::Missing { .. }));
    project.put_copy(serde_json::to_vec(&full()).unwrap());
    assert_eq!(project.read().unwrap().task, "task", "a lost file is a damaged one");
}

#[test]
fn a_newer_version_is_read_and_never_written() {
    for (version, newer) in
        [("3.0.0", true), ("10.1", true), ("2.9.7", false), ("1.4.0", false), ("x", false)]
    {
        // A place that was never sealed: over a sealed state such a file would be a change from outside.
        let project = Project::new();
        let mut state = fields(&full());
        state.insert("version".into(), version.into());
        state.insert("iteration".into(), if newer { json!({"number": 7}) } else { json!(7) });
        let text = Value::Object(state).to_string();
        project.put(&text);
        let (state, _) = project.recover().unwrap();
        assert_eq!((state.task.as_str(), state.session_id.as_deref()), ("task", Some("s")), "{version}");
        let written = state.write(&project.layout, Durability::Process);
        assert_eq!(matches!(written, Err(Error::Newer { .. })), newer, "{version}");
        assert_eq!(fs::read_to_string(project.state()).unwrap() == text, newer, "{version}");
        // Nor by a state that does not come from it.
        project.put(&text);
        let written = full().write(&project.layout, Durability::Process);
        assert_eq!(matches!(written, Err(Error::Newer { .. })), newer, "{version}");
        assert_eq!(project.set_aside(), [""; 0]);
    }
    let project = Project::new();
    project.put(r#"{"version":"2.7.0","loop_id":"l","new_in_2_7":{"a":1}}"#);
    let state = project.read().unwrap();
    state.write(&project.layout, Durability::Process).unwrap();
    let again = project.read().unwrap();
    assert_eq!((again.version.as_str(), &again.extra["new_in_2_7"]["a"]), ("2.7.0", &json!(1)));
}

#[test]
fn another_loops_id_in_the_file_is_not_believed() {
    let project = Project::new();
    let mut other = full();
    other.loop_id = "../../other".into();
    project.put(serde_json::to_vec(&other).unwrap());
    assert_eq!(project.read().unwrap().loop_id, "l");
}

/// In a child process: writes ever newer states until it is killed.
#[test]
fn writer() {
    let Some(root) = std::env::var_os("STEADFAST_TEST_WRITER") else { return };
    let layout = Layout::of_project(Path::new(&root));
    let lock = Lock::take(&layout.loop_dir("l").join("state.lock"), CLI_WAIT).unwrap().unwrap();
    let (mut state, fault) = LoopState::recover(&layout, "l", &lock, now()).unwrap();
    assert_eq!(fault, None);
    loop {
        state.iteration += 1;
        state.task = task(state.iteration);
        let durability = if state.iteration % 8 == 0 { Durability::Power } else { Durability::Process };
        state.write(&layout, durability).unwrap();
    }
}

/// A large text that fits to the iteration.
fn task(iteration: u32) -> String {
    format!("{iteration} ").repeat(20_000)
}

#[test]
fn a_writer_killed_at_any_moment_leaves_a_whole_state() {
    let project = Project::new();
    let mut state = full();
    state.task = task(state.iteration);
    state.write(&project.layout, Durability::Process).unwrap();
    let mut last = state.iteration;
    for round in 0..200_u64 {
        let root = project.layout.root().parent().and_then(Path::parent).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "state::loop_state::storage::tests::writer"])
            .env("STEADFAST_TEST_WRITER", root)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Not before it writes; then at a moment that differs each time.
        let started = Instant::now();
        while project.read().is_ok_and(|state| state.iteration == last) {
            assert!(started.elapsed() < Duration::from_secs(30), "the writer does not write");
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(round * 6151 % 4000));
        child.kill().unwrap();
        child.wait().unwrap();
        for path in [project.state(), backup(&project.state())] {
            let state: LoopState = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            assert_eq!(state.task, task(state.iteration), "round {round}: {}", path.display());
        }
        let state = project.read().unwrap();
        assert!(state.iteration > last, "round {round}");
        last = state.iteration;
    }
    assert!(last > 200);
    assert_eq!(project.set_aside(), [""; 0]);
}

/// Any JSON, not too deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,4}", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// A line of a log with anything in it, or no line at all.
fn log_line() -> impl Strategy<Value = String> {
    let hooks = [
        "loop_start",
        "pre_iteration",
        "pre_tool_call",
        "regression_detected",
        "post_iteration",
        "on_error",
        "loop_complete",
        "SessionEnd",
        "x",
    ];
    let fields = [
        "iteration",
        "regression_events",
        "mended",
        "hook_failure",
        "reinforcement_level",
        "baseline_metrics",
        "configuration",
        "last_risky_action",
        "status",
        "selected_iteration",
        "completion_report_path",
    ];
    let outcome = prop_oneof![
        any_json(),
        any_json().prop_map(|value| json!({"task": value, "completion": value, "passed": true})),
        any_json()
            .prop_map(|lost| json!({"regression_type": "test_skipping", "severity": "high", "lost": lost})),
        Just(json!({"error_type": "E", "message": "m", "pattern_id": "LP-001", "path": "p"})),
    ];
    let changes = prop::collection::vec((prop::sample::select(fields.to_vec()), any_json()), 0..4);
    let line =
        (prop::sample::select(hooks.to_vec()), any::<u32>(), prop::collection::vec(outcome, 0..3), changes);
    let line = line.prop_map(|(hook_name, iteration, outcomes, changes)| {
        let changes: Map<String, Value> = changes.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        json!({
            "timestamp": now(), "hook_name": hook_name, "loop_id": "l", "iteration": iteration,
            "agents_invoked": [], "outcomes": outcomes, "state_changes": changes, "duration_ms": 0, "seq": 1,
            "prev_hash": "",
        })
        .to_string()
    });
    prop_oneof![6 => line, 1 => ".{0,40}"]
}

/// Fields that no version of ours has.
fn foreign() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec(("x_[a-z]{1,6}", any_json()), 0..4)
        .prop_map(|entries| entries.into_iter().collect())
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0..4_000_000_000_i64, 0..1_000_000_000_i32).prop_map(|(s, ns)| Timestamp::new(s, ns).unwrap())
}

prop_compose! {
    fn any_history()(
        records in prop::collection::vec((any::<u32>(), time(), 0..10_001_i32, ".{0,20}", foreign()), 0..4)
    ) -> Vec<IterationRecord> {
        let record = |(iteration, timestamp, quality, learnings, extra)| IterationRecord {
            iteration,
            timestamp,
            quality_score: f64::from(quality) / 100.0,
            quality_delta: -f64::from(quality) / 100.0,
            learnings,
            extra,
            ..IterationRecord::default()
        };
        records.into_iter().map(record).collect()
    }
}

prop_compose! {
    fn any_state()(
        task in ".{0,40}",
        session in prop::option::of("[a-z0-9-]{1,12}"),
        (iteration, continuations, max) in (any::<u32>(), any::<u32>(), any::<u32>()),
        (started, updated, completed) in (time(), time(), prop::option::of(time())),
        status in prop::sample::select(vec![
            Status::Running, Status::Paused, Status::Completing, Status::Completed, Status::Failed, Status::Aborted, Status::Crashed,
        ]),
        level in prop::sample::select(vec![Level::Off, Level::Minimal, Level::Standard, Level::Aggressive, Level::Adaptive]),
        history in any_history(),
        events in prop::collection::vec((time(), any::<u32>(), any::<bool>(), foreign()), 0..3),
        (extra, inner_extra) in (foreign(), foreign()),
        (risky, totals) in (prop::collection::vec((time(), ".{0,10}"), 0..3), any::<u64>()),
    ) -> LoopState {
        let mut state = LoopState::new("l", &task, started);
        (state.session_id, state.iteration, state.continuations) = (session, iteration, continuations);
        (state.last_updated, state.completed_at) = (updated, completed);
        (state.status, state.reinforcement_level) = (status, level);
        state.configuration.max_iterations = max;
        state.configuration.extra = inner_extra.clone();
        state.metrics.extra = inner_extra;
        state.iteration_history = history;
        state.regression_events = events
            .into_iter()
            .map(|(timestamp, iteration, invoked, extra)| RegressionEvent {
                timestamp, iteration, human_gate_invoked: invoked, extra, ..event("e")
            })
            .collect();
        let action = |(timestamp, target)| RiskyAction { timestamp, target, ..RiskyAction::default() };
        state.risky_actions = risky.into_iter().map(action).collect();
        state.risky_actions_total = totals;
        state.extra = extra;
        state
    }
}

proptest! {
    #[test]
    fn any_state_is_read_as_it_was_written(state in any_state()) {
        let project = Project::new();
        state.write(&project.layout, Durability::Process).unwrap();
        prop_assert_eq!(&project.read().unwrap(), &state);
        prop_assert_eq!(project.recover().unwrap(), (state, None));
    }

    #[test]
    fn no_bytes_panic(file in prop::collection::vec(any::<u8>(), 0..200), copy in prop::option::of(prop::collection::vec(any::<u8>(), 0..50))) {
        let project = Project::new();
        project.put(&file);
        if let Some(copy) = copy {
            project.put_copy(copy);
        }
        let refused = |result: Result<_, Error>| matches!(result, Err(Error::Damaged { .. }));
        prop_assert!(refused(project.read()));
        prop_assert!(refused(project.recover().map(|(state, _)| state)));
    }

    /// Whatever the lines of a log say of a loop whose state is lost: it is that loop, and nothing disarms it.
    #[test]
    fn no_log_panics_or_disarms(lines in prop::collection::vec(log_line(), 0..12)) {
        let project = Project::new();
        project.put(b"{");
        project.put_copy(b"");
        let log = project.layout.hook_log("l");
        fs::write(&log, lines.join("\n")).unwrap();
        fs::create_dir_all(project.layout.iterations("l")).unwrap();
        fs::write(project.layout.iteration("l", 1), lines.first().cloned().unwrap_or_default()).unwrap();
        fs::write(project.layout.tool_calls("l"), lines.join("\n")).unwrap();
        match project.recover() {
            Ok((state, told)) => {
                prop_assert!(lines.iter().any(|line| line.contains("loop_start")));
                prop_assert_eq!(state.loop_id.as_str(), "l");
                prop_assert_eq!(state.detection_enabled, !state.status.is_over());
                prop_assert!(told.is_some_and(|told| told.contains("hook-log.jsonl")));
                prop_assert_eq!(project.recover().unwrap(), (state, None));
            }
            Err(error) => prop_assert!(matches!(error, Error::Damaged { .. }), "{}", error),
        }
    }

    /// A sound file with a piece replaced is mended, or its copy serves.
    #[test]
    fn no_damage_loses_the_loop_while_the_copy_is_sound(at in 0.0..1.0_f64, length in 0..40_usize, with in "[\\[\\]{}\":,0-9a-z ]{0,12}") {
        let project = Project::new();
        let good = serde_json::to_string(&full()).unwrap();
        project.put_copy(&good);
        let start = (good.len() as f64 * at) as usize;
        let end = (start + length).min(good.len());
        project.put(format!("{}{with}{}", &good[..start], &good[end..]));
        let state = project.read().unwrap();
        prop_assert_eq!(state.loop_id.as_str(), "l");
    }
}
