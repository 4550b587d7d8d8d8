//! Random sequences of what agents, people and crashes do, through the real hooks over a real folder: whatever comes,
//! the protocol holds.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::Config;
use serde::Deserialize;
use serde_json::{Value, json};
use steadfast::agents::recovery_orchestrator::protocol::{Phase, phase, tried};
use steadfast::state::records::RecoveryRecord;

use crate::place::{Place, TEST_FILE};
use crate::terminal::at_terminal;

const HOOK: &str = env!("CARGO_BIN_EXE_steadfast-hook");
const SESSION: &str = "s0";
/// How many tests there are to lose.
const TESTS: usize = 5;

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    /// A script takes a test with it.
    Lose(usize),
    /// A script does so, and the client dies before it can say that the call has ended.
    LoseAndDie(usize),
    /// A script takes a test with it, and three equal failures come before its call ends.
    LoseLate(usize),
    /// A script switches a test off.
    Skip(usize),
    /// A script makes a test say nothing.
    Weaken(usize),
    /// The agent writes all tests back.
    PutBack,
    /// The agent writes the source.
    Work(u8),
    /// The agent's test run, with so many failures.
    Run(u8),
    /// A call that fails.
    Fail(u8),
    /// The completion criterion holds, or no longer does.
    Criterion(bool),
    /// The end of a turn.
    Stop,
    /// Something is typed.
    Prompt,
    /// The session is resumed, or another one begins beside it and ends a turn.
    Session(bool),
    /// The agent tries to decide.
    AgentDecides(u8),
    /// A person answers with a number, at a terminal.
    PersonDecides(u8),
    /// A person calls the newest open regression a false alarm.
    FalseAlarm,
    /// A person pauses, resumes or aborts the loop.
    Command(u8),
    /// A hook is killed after so many milliseconds.
    Killed(u8, u8),
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..TESTS).prop_map(Step::Lose),
        1 => (0..TESTS).prop_map(Step::LoseAndDie),
        1 => (0..TESTS).prop_map(Step::LoseLate),
        2 => (0..TESTS).prop_map(Step::Skip),
        1 => (0..TESTS).prop_map(Step::Weaken),
        1 => Just(Step::PutBack),
        2 => any::<u8>().prop_map(Step::Work),
        1 => (0..3_u8).prop_map(Step::Run),
        3 => (0..2_u8).prop_map(Step::Fail),
        1 => any::<bool>().prop_map(Step::Criterion),
        8 => Just(Step::Stop),
        1 => Just(Step::Prompt),
        1 => any::<bool>().prop_map(Step::Session),
        2 => (0..4_u8).prop_map(Step::AgentDecides),
        5 => prop_oneof![4 => Just(1), 4 => Just(2), 1 => Just(3)].prop_map(Step::PersonDecides),
        1 => Just(Step::FalseAlarm),
        1 => (0..12_u8).prop_map(Step::Command),
        2 => ((0..4_u8), (0..25_u8)).prop_map(|(event, after)| Step::Killed(event, after)),
    ]
}

/// The project with its loop, what was seen of it, and what people decided.
struct Run {
    place: Place,
    id: String,
    retries: usize,
    validator: jsonschema::Validator,
    seen: Seen,
    decisions: usize,
    attempts: usize,
    reached: Reached,
}

/// How often each state, and each way from one to another, was seen.
type Reached = BTreeMap<String, usize>;

/// What may only be added to, as it was last seen.
#[derive(Default)]
struct Seen {
    state: Value,
    log: String,
}

impl Run {
    /// A loop that a person has started, or a guarded session.
    fn new(explicit: bool, retries: usize) -> Run {
        let place = Place::new();
        let file = format!("agent_persistence:\n  recovery:\n    max_retries: {retries}\n");
        place.write("aiwg.yml", file);
        place.write(TEST_FILE, tests());
        place.commit("Five tests");
        if explicit {
            place.start_loop("one");
        }
        place.start(SESSION);
        // A session's own loop begins with its first call that may write.
        let input = json!({"command": "python3 first.py"});
        place.fire(
            "pre-tool-use",
            SESSION,
            json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": "t0"}),
        );
        let id = place.only_loop();
        let schema: Value = serde_json::from_str(&place.done(&["schema", "state"])).unwrap();
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let seen = Seen::default();
        let mut run =
            Run { place, id, retries, validator, seen, decisions: 0, attempts: 0, reached: Reached::new() };
        run.seen.state = run.place.state(&run.id);
        run
    }

    /// Both events of a call, with what it does in between when it is not denied; whether it was.
    fn call(&self, tool: &str, input: Value, does: impl FnOnce(&Place)) -> bool {
        let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t1",
            "tool_response": {"stdout": "", "stderr": ""}});
        let answer = self.place.fire("pre-tool-use", SESSION, fields.clone()).unwrap_or_default();
        if answer["hookSpecificOutput"]["permissionDecision"] == "deny" {
            return true;
        }
        does(&self.place);
        self.place.fire("post-tool-use", SESSION, fields);
        false
    }

    fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let asked = self.gate_is_open();
        let by_person = matches!(step, Step::PersonDecides(_) | Step::FalseAlarm | Step::Command(_));
        let denied = self.happen(step);
        if asked
            && matches!(step, Step::Lose(_) | Step::Skip(_) | Step::Weaken(_) | Step::PutBack | Step::Work(_))
        {
            prop_assert_eq!(denied, Some(true), "a call wrote while a person is asked: {:?}", step);
        }
        self.check(step, by_person)
    }

    /// Lets it happen; whether a call was denied.
    fn happen(&mut self, step: &Step) -> Option<bool> {
        let place = &self.place;
        match step {
            Step::Lose(n) => {
                return Some(
                    self.call("Bash", json!({"command": "python3 tidy.py"}), |place| lose(place, *n)),
                );
            }
            Step::LoseAndDie(n) => {
                let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"},
                    "tool_use_id": "t2"});
                let answer = place.fire("pre-tool-use", SESSION, fields).unwrap_or_default();
                if answer["hookSpecificOutput"]["permissionDecision"] != "deny" {
                    lose(place, *n);
                }
            }
            Step::LoseLate(n) => {
                return Some(self.call("Bash", json!({"command": "python3 tidy.py"}), |place| {
                    for _ in 0..3 {
                        fail(place, "late");
                    }
                    lose(place, *n);
                }));
            }
            Step::Skip(n) => {
                return Some(self.call("Bash", json!({"command": "python3 tidy.py"}), |place| {
                    let mark = format!("@pytest.mark.skip\ndef test_{n}(");
                    let text = written(place).replace(&format!("def test_{n}("), &mark);
                    place.write(TEST_FILE, text);
                }));
            }
            Step::Weaken(n) => {
                return Some(self.call("Bash", json!({"command": "python3 tidy.py"}), |place| {
                    let exact = format!("assert add({n}, 1) == {}", n + 1);
                    place.write(TEST_FILE, written(place).replace(&exact, "assert True"));
                }));
            }
            Step::PutBack => {
                let input = json!({"file_path": place.path(TEST_FILE), "content": tests()});
                return Some(self.call("Write", input, |place| place.write(TEST_FILE, tests())));
            }
            Step::Work(n) => {
                let source = format!("def add(a, b):\n    return a - b - {n}\n");
                let input = json!({"file_path": place.path("calc.py"), "content": source});
                return Some(self.call("Write", input, |place| place.write("calc.py", &source)));
            }
            Step::Run(failures) => {
                let printed =
                    format!("=== {failures} failed, {} passed in 0.01s ===", TESTS as u8 - failures);
                let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 -m pytest"},
                    "tool_use_id": "t3", "tool_response": {"stdout": printed, "stderr": ""}});
                place.fire("post-tool-use", SESSION, fields);
            }
            Step::Fail(n) => fail(place, ["a", "b"][usize::from(*n)]),
            Step::Criterion(true) => place.write("done", ""),
            Step::Criterion(false) => _ = std::fs::remove_file(place.path("done")),
            Step::Stop => _ = place.stop(SESSION),
            Step::Prompt => {
                place.fire("user-prompt-submit", SESSION, json!({"prompt": "go on"}));
            }
            Step::Session(true) => {
                place.fire("session-start", SESSION, json!({"source": "resume"}));
            }
            Step::Session(false) => {
                place.start("other");
                place.stop("other");
            }
            Step::AgentDecides(way) => self.agent_decides(*way),
            Step::PersonDecides(number) if self.gate_is_open() => {
                let output = at_terminal(place, "gate", &format!("{number}\ns\ns\n"));
                self.decisions += usize::from(output.status.success());
                self.attempts += 1;
            }
            Step::FalseAlarm => {
                let state = self.place.state(&self.id);
                let open = events(&state).find(|event| is_open(event)).map(|event| event["event_id"].clone());
                if let Some(id) = open {
                    let id = id.as_str().unwrap_or_default().to_owned();
                    at_terminal(place, &format!("gate false-positive {id} --reason wrong"), "");
                }
            }
            Step::PersonDecides(_) => {}
            Step::Command(n) => {
                // Rarely to the end: what follows would be over.
                let word = if *n == 0 { "abort" } else { ["pause", "resume"][usize::from(n % 2)] };
                place.steadfast(&["loop", word, &self.id]);
            }
            Step::Killed(event, after) => self.killed(*event, *after),
        }
        None
    }

    fn agent_decides(&self, way: u8) {
        let place = &self.place;
        match way {
            0 => {
                let input = json!({"command": "steadfast gate approve"});
                assert!(self.call("Bash", input, |_| ()), "the agent's own decision is denied");
            }
            1 => assert!(!place.steadfast(&["gate", "approve"]).status.success(), "no terminal, no decision"),
            2 => {
                let prompt = json!({"prompt": "/steadfast:gate approve AAAAAAAA"});
                place.fire("user-prompt-submit", SESSION, prompt);
            }
            _ => {
                let variables = [("CLAUDECODE", "1")];
                let command = format!("{} gate approve", env!("CARGO_BIN_EXE_steadfast"));
                let output = crate::terminal::run(place, &command, "", &variables);
                assert!(!output.status.success(), "inside of the agent's session nobody decides");
            }
        }
    }

    /// Begins an event and kills its hook.
    fn killed(&self, event: u8, after: u8) {
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "t5",
            "tool_response": {"stdout": "", "stderr": ""}, "prompt": "go on", "last_assistant_message": "Done.",
            "session_id": SESSION, "cwd": self.place.root(), "permission_mode": "acceptEdits"});
        let name = ["pre-tool-use", "post-tool-use", "stop", "user-prompt-submit"][usize::from(event)];
        let mut child = self.place.command(HOOK).arg(name).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(fields.to_string().as_bytes()).ok();
        std::thread::sleep(Duration::from_millis(u64::from(after)));
        child.kill().ok();
        child.wait().unwrap();
    }

    fn gate_is_open(&self) -> bool {
        let gates = self.seen.state["human_gates"].as_array().cloned().unwrap_or_default();
        let running = self.seen.state["status"] == "running";
        running && gates.iter().any(|gate| gate["decided_at"].is_null()) && self.is_bound()
    }

    /// Whether the loop is this session's, so that its gate holds this session's calls.
    fn is_bound(&self) -> bool {
        let registry = self.place.json(".aiwg/ralph/registry.json");
        registry["sessions"][SESSION] == "one" || registry["sessions"][SESSION]["loop_id"] == "one"
    }

    fn check(&mut self, step: &Step, by_person: bool) -> Result<(), TestCaseError> {
        let state = self.place.state(&self.id);
        let errors: Vec<String> = self
            .validator
            .iter_errors(&state)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        prop_assert!(errors.is_empty(), "after {:?}: {:?}", step, errors);
        let log = std::fs::read_to_string(self.place.directory(&self.id).join("hook-log.jsonl")).unwrap();
        prop_assert!(log.starts_with(&self.seen.log), "after {:?} the log was rewritten", step);
        let before = &self.seen.state;
        only_added(before, &state, step)?;
        self.protocols(before, &state, step)?;
        self.decided(before, &state, step, by_person)?;
        if state["status"] == "completed" {
            prop_assert!(!events(&state).any(is_open), "completed with an open regression after {:?}", step);
            prop_assert!(gates(&state).all(|gate| !gate["decided_at"].is_null()), "completed at a gate");
        }
        self.note(&state);
        self.seen = Seen { state, log };
        Ok(())
    }

    /// Counts what is new in a state.
    fn note(&mut self, after: &Value) {
        let before = &self.seen.state;
        let mut seen = Vec::new();
        if before["status"] != after["status"] {
            seen.push(format!("loop {} to {}", word(&before["status"]), word(&after["status"])));
        }
        let old = records(before);
        for (n, record) in records(after).iter().enumerate() {
            let (was, is) = (old.get(n).map_or(Phase::New, phase), phase(record));
            let way = format!("recovery {was:?} to {is:?}");
            seen.extend((was != is).then_some(way));
            let tried = |record: Option<&RecoveryRecord>| record.map_or(0, |record| tried(record).len());
            let (was, is) = (tried(old.get(n)), tried(Some(record)));
            seen.extend((was != is).then(|| format!("attempt {is}")));
        }
        let old: Vec<&Value> = gates(before).collect();
        for (n, gate) in gates(after).enumerate() {
            let decision = |gate: &Value| word(&gate["decision"]);
            let (was, is) = (old.get(n).map(|gate| decision(gate)), decision(gate));
            let way = format!("gate {} {is}", word(&gate["subject"]));
            seen.extend((was.as_ref() != Some(&is)).then_some(way));
        }
        for way in seen {
            *self.reached.entry(way).or_default() += 1;
        }
    }

    /// No recovery goes a way that the protocol does not know, or tries more often than allowed.
    fn protocols(&self, before: &Value, after: &Value, step: &Step) -> Result<(), TestCaseError> {
        let old: Vec<RecoveryRecord> = records(before);
        for (n, record) in records(after).iter().enumerate() {
            let was = old.get(n).map_or(Phase::New, phase);
            let is = phase(record);
            let to_and_fro = matches!((was, is), (Phase::RetryFailed, Phase::Retrying));
            prop_assert!(
                rank(is) >= rank(was) || to_and_fro,
                "after {:?} a recovery went from {:?} to {:?}",
                step,
                was,
                is
            );
            let steps = json!(record.protocol_steps);
            let tried = steps["retry"]["attempts"].as_array().map_or(0, Vec::len);
            prop_assert!(tried <= self.retries, "{} tries of {} after {:?}", tried, self.retries, step);
            let times: Vec<&str> = ["pause", "diagnose", "adapt", "escalate"]
                .iter()
                .filter_map(|name| steps[*name]["executed_at"].as_str())
                .collect();
            prop_assert!(times.is_sorted(), "{:#}", steps);
        }
        Ok(())
    }

    /// Nothing is decided but by a person, and what is decided stays.
    fn decided(
        &self,
        before: &Value,
        after: &Value,
        step: &Step,
        by_person: bool,
    ) -> Result<(), TestCaseError> {
        let decided = |state: &Value| {
            let of_gates = gates(state).filter(|gate| !gate["decision"].is_null()).count();
            of_gates + events(state).filter(|event| !event["human_decision"].is_null()).count()
        };
        let (old, new) = (decided(before), decided(after));
        prop_assert!(by_person || new == old, "{:?} decided something: {:#}", step, after);
        prop_assert!(new >= old, "{:?} took a decision back", step);
        for gate in gates(after).filter(|gate| !gate["decision"].is_null()) {
            // A loop that a person gives up takes its open question along.
            let ended = after["status"] == "aborted" && gate["decided_via"] == "end of the loop";
            prop_assert!(ended || gate["decided_via"] == "terminal", "{:#}", gate);
        }
        // Each answer is to its own question: one about a standstill accepts no loss, and only a person ends it.
        for gate in gates(after).filter(|gate| gate["subject"] == "stuck_loop") {
            prop_assert!(gate["event_ids"] == json!([]), "{:#}", gate);
            prop_assert!(gate["decided_at"].is_null() || !gate["decision"].is_null(), "{:#}", gate);
        }
        for event in events(after).filter(|event| event["human_decision"] == "approve") {
            let asked = |gate: &Value| {
                gate["event_ids"].as_array().is_some_and(|ids| ids.contains(&event["event_id"]))
            };
            let answers: Vec<&Value> =
                gates(after).filter(|gate| asked(gate)).map(|gate| &gate["decision"]).collect();
            let is_false_alarm = event["false_positive"] == true;
            // The oldest answers move out of the state.
            let is_retired = answers.is_empty() && after["retired"]["human_gates"].as_u64() > Some(0);
            let is_answered = is_retired || answers.contains(&&json!("approve"));
            prop_assert!(is_false_alarm || is_answered, "{:#} {:?}", event, answers);
        }
        for (was, is) in events(before).zip(events(after)) {
            prop_assert!(was["human_decision"].is_null() || was["human_decision"] == is["human_decision"]);
        }
        prop_assert!(self.decisions <= self.attempts);
        Ok(())
    }
}

fn tests() -> String {
    let tests = (0..TESTS).map(|n| format!("\ndef test_{n}():\n    assert add({n}, 1) == {}\n", n + 1));
    format!("import pytest\nfrom calc import add\n{}", tests.collect::<String>())
}

fn written(place: &Place) -> String {
    std::fs::read_to_string(place.path(TEST_FILE)).unwrap()
}

fn fail(place: &Place, number: &str) {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 calc.py"}, "tool_use_id": "t4",
        "is_interrupt": false, "error": format!("Exit code 1\nValueError: number {number}")});
    place.fire("post-tool-use-failure", SESSION, fields);
}

fn lose(place: &Place, n: usize) {
    let one = format!("\ndef test_{n}():\n    assert add({n}, 1) == {}\n", n + 1);
    place.write(TEST_FILE, written(place).replace(&one, ""));
}

fn events(state: &Value) -> impl Iterator<Item = &Value> {
    state["regression_events"].as_array().into_iter().flatten()
}

fn gates(state: &Value) -> impl Iterator<Item = &Value> {
    state["human_gates"].as_array().into_iter().flatten()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or("open").to_owned()
}

fn is_open(event: &Value) -> bool {
    event["human_decision"].is_null()
        && !matches!(event["recovery_outcome"].as_str(), Some("success" | "skipped"))
}

fn records(state: &Value) -> Vec<RecoveryRecord> {
    let records = state["recovery_history"].as_array().into_iter().flatten();
    records.map(|record| RecoveryRecord::deserialize(record).unwrap()).collect()
}

fn rank(phase: Phase) -> u8 {
    match phase {
        Phase::New => 0,
        Phase::Paused => 1,
        Phase::Diagnosed => 2,
        Phase::Adapted => 3,
        Phase::Retrying => 4,
        Phase::RetryFailed => 5,
        Phase::Escalated => 6,
        Phase::Ended => 7,
    }
}

/// Whether each history has only grown, or given its oldest to its file: what names an entry is the same at the same place.
fn only_added(before: &Value, after: &Value, step: &Step) -> Result<(), TestCaseError> {
    for (history, names) in [
        ("iteration_history", &["iteration", "timestamp", "quality_score"][..]),
        ("regression_events", &["event_id", "regression_type", "iteration"]),
        ("recovery_history", &["recovery_id", "trigger", "timestamp"]),
        ("reinforcement_history", &["timestamp", "from_level", "to_level", "reason"]),
        ("human_gates", &["gate_id", "opened_at", "gate_type"]),
    ] {
        let named = |state: &Value| -> Vec<Vec<Value>> {
            let entries = state[history].as_array().cloned().unwrap_or_default();
            entries.iter().map(|entry| names.iter().map(|name| entry[*name].clone()).collect()).collect()
        };
        // The oldest ones leave the state for the loop's history, and are counted there.
        let retired = |state: &Value| state["retired"][history].as_u64().unwrap_or(0);
        let gone = usize::try_from(retired(after) - retired(before)).unwrap();
        let (old, new) = (named(before), named(after));
        let old = old.get(gone..).unwrap_or_default();
        prop_assert!(new.starts_with(old), "{} after {:?}: {:#?} became {:#?}", history, step, old, new);
    }
    Ok(())
}

/// Sequences that together reach every state: whether the loop was started by a person, the retries, the steps.
fn reaching() -> Vec<(bool, usize, Vec<Step>)> {
    use Step::{
        Command, Criterion, Fail, FalseAlarm, Lose, LoseLate, PersonDecides, Prompt, PutBack, Skip, Stop,
    };
    let thrice = |n| vec![Fail(n), Fail(n), Fail(n)];
    vec![
        (true, 3, vec![Lose(0), PersonDecides(1), Prompt, Criterion(true), Stop]),
        (true, 3, vec![Lose(0), PersonDecides(2), Lose(1), PersonDecides(3)]),
        (false, 3, vec![Skip(0), Stop, Stop, Stop, PersonDecides(2)]),
        (false, 3, vec![Skip(0), Stop, PutBack, Stop]),
        (true, 3, vec![Lose(2), FalseAlarm]),
        (
            true,
            3,
            [thrice(0), vec![PersonDecides(1)], thrice(1), vec![PersonDecides(3), Command(1)]].concat(),
        ),
        (true, 3, [thrice(0), vec![PersonDecides(2)]].concat()),
        (true, 3, vec![LoseLate(0), PersonDecides(1), PersonDecides(1)]),
        (true, 3, vec![Command(2), Command(0)]),
        (true, 0, vec![Lose(0), Command(0)]),
    ]
}

/// What those sequences have to reach.
const WAYS: &[&str] = &[
    "attempt 1",
    "attempt 2",
    "attempt 3",
    "gate false_positive approve",
    "gate regression abort",
    "gate regression approve",
    "gate regression open",
    "gate regression reject",
    "gate stuck_loop abort",
    "gate stuck_loop continue",
    "gate stuck_loop manual_fix",
    "gate stuck_loop open",
    "loop paused to aborted",
    "loop paused to running",
    "loop running to aborted",
    "loop running to completed",
    "loop running to paused",
    "recovery Escalated to Ended",
    "recovery New to Escalated",
    "recovery New to Retrying",
    "recovery Retrying to Ended",
    "recovery Retrying to Escalated",
];

#[test]
fn every_state_is_reached_and_the_protocol_holds_on_the_way() {
    let mut reached = Reached::new();
    for (explicit, retries, steps) in reaching() {
        let mut run = Run::new(explicit, retries);
        for step in &steps {
            run.take(step).unwrap();
        }
        for (way, times) in run.reached {
            *reached.entry(way).or_default() += times;
        }
    }
    let missing: Vec<&&str> = WAYS.iter().filter(|way| !reached.contains_key(**way)).collect();
    assert!(missing.is_empty(), "{missing:?} in {reached:#?}");
}

#[test]
fn no_sequence_of_events_breaks_the_protocol() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(8);
    let config = Config { cases, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let plan = (any::<bool>(), 0..4_usize, proptest::collection::vec(steps(), 10..40));
    let reached = std::cell::RefCell::new(Reached::new());
    proptest!(config, |((explicit, retries, steps) in plan)| {
        let mut run = Run::new(explicit, retries);
        let mut after_the_end = 0;
        for step in &steps {
            run.take(step)?;
            // What follows the end of a loop is soon told.
            after_the_end += usize::from(matches!(run.seen.state["status"].as_str(), Some("completed" | "aborted")));
            if after_the_end > 3 {
                break;
            }
        }
        for (way, times) in &run.reached {
            *reached.borrow_mut().entry(way.clone()).or_default() += times;
        }
    });
    let reached = reached.into_inner();
    // A long run reaches everything by chance as well.
    let missing: Vec<&&str> =
        WAYS.iter().filter(|way| cases >= 500 && !reached.contains_key(**way)).collect();
    assert!(missing.is_empty(), "{missing:?} in {reached:#?}");
}

#[test]
fn the_oldest_answer_may_move_out_of_the_state() {
    use Step::{Fail, FalseAlarm, Lose, LoseAndDie, PersonDecides, Stop};
    let mut run = Run::new(true, 0);
    let gates =
        [LoseAndDie(2), Fail(0), PersonDecides(2), Lose(0), PersonDecides(1), Fail(0), PersonDecides(1)];
    for step in gates.iter().chain(&[Stop, Fail(1), FalseAlarm]) {
        run.take(step).unwrap();
    }
    assert_eq!(run.seen.state["retired"]["human_gates"], 1, "{:#}", run.seen.state["retired"]);
}
