//! The form of `current-loop.json`, the single loop of older versions, in their camelCase.
//!
//! The mirror carries our loop's id, by which it is told from a file that is still to be brought in.

use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::atomic::{self, Durability};
use super::layout::Layout;
use super::loop_state::LoopState;
use super::mending::{self, MendedState};
use super::own_file;
use super::records::IterationRecord;
use super::status::Status;

/// The file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CurrentLoop {
    /// Whether the loop is going on.
    pub active: bool,
    /// What to do.
    pub task: String,
    /// When it is done.
    pub completion: String,
    /// The last iteration that may start.
    pub max_iterations: Option<u32>,
    /// 0 before the first, then 1..N.
    pub current_iteration: u32,
    /// When it began.
    pub start_time: Option<Timestamp>,
    /// Minutes from the start after which no iteration starts.
    pub timeout_minutes: Option<u64>,
    /// The finished iterations.
    pub iterations: Vec<CurrentIteration>,
    /// How the last one ended.
    pub last_result: String,
    /// What was learned last.
    pub learnings: String,
    /// Our loop that this is a mirror of; `None` in a file that is not ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_id: Option<String>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One finished iteration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CurrentIteration {
    /// From 1.
    pub number: u32,
    /// What was tried.
    pub action: String,
    /// How it ended.
    pub result: String,
    /// What was learned.
    pub learnings: String,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Reads the file as far as it can be read; `None` without one. An error is a file that is no JSON object.
pub fn read(layout: &Layout) -> io::Result<Option<CurrentLoop>> {
    match own_file::read(&layout.current_loop()) {
        Ok(bytes) => parse(&bytes).map(Some).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Parses the file's bytes. A field of the wrong type has its default.
pub fn parse(bytes: &[u8]) -> Result<CurrentLoop, serde_json::Error> {
    let MendedState { value, .. } = mending::read(bytes)?;
    Ok(value)
}

/// Writes the mirror of a loop.
pub fn write(layout: &Layout, state: &LoopState) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(&mirror(state))?;
    atomic::write(&layout.current_loop(), &bytes, Durability::Process)
}

/// A loop with the file's content. One that is not active is over; nothing is claimed about its criteria, so it counts
/// as aborted. What is not said has the defaults of a new loop, and `now` where a time is needed.
pub fn import(file: &CurrentLoop, loop_id: &str, now: Timestamp) -> LoopState {
    let started = file.start_time.unwrap_or(now);
    let mut state = LoopState::new(loop_id, &file.task, started);
    state.completion_criteria.clone_from(&file.completion);
    state.last_updated = now;
    state.status = if file.active { Status::Running } else { Status::Aborted };
    state.completed_at = (!file.active).then_some(now);
    state.detection_enabled = file.active;
    state.iteration = file.current_iteration;
    state.iteration_count = file.current_iteration;
    state.configuration.max_iterations = file.max_iterations.unwrap_or(state.configuration.max_iterations);
    state.configuration.timeout_minutes = file.timeout_minutes.or(state.configuration.timeout_minutes);
    state.iteration_history = file.iterations.iter().map(|iteration| record(iteration, started)).collect();
    state.metrics.total_iterations = u32::try_from(file.iterations.len()).unwrap_or(u32::MAX);
    state.legacy = Some(leftover(file));
    state
}

fn record(iteration: &CurrentIteration, started: Timestamp) -> IterationRecord {
    IterationRecord {
        iteration: iteration.number,
        timestamp: started,
        action: iteration.action.clone(),
        result: iteration.result.clone(),
        learnings: iteration.learnings.clone(),
        extra: iteration.extra.clone(),
        ..IterationRecord::default()
    }
}

/// What a state has no field for: the last words, as long as no iteration of ours has newer ones, and foreign fields.
fn leftover(file: &CurrentLoop) -> Map<String, Value> {
    let mut leftover = file.extra.clone();
    leftover.insert("iterations".to_owned(), file.iterations.len().into());
    leftover.insert("lastResult".to_owned(), file.last_result.clone().into());
    leftover.insert("learnings".to_owned(), file.learnings.clone().into());
    leftover
}

/// The file's content for a loop.
pub fn mirror(state: &LoopState) -> CurrentLoop {
    let mut extra = state.legacy.clone().unwrap_or_default();
    let mut text = |name: &str| extra.remove(name).and_then(|value| value.as_str().map(str::to_owned));
    let (said_result, said_learnings) = (text("lastResult"), text("learnings"));
    let brought_in = extra.remove("iterations").and_then(|count| count.as_u64());
    let unchanged = brought_in == Some(state.ended_iterations());
    let last = state.iteration_history.last();
    let newest = |said: Option<String>, own: Option<&String>| {
        said.filter(|_| unchanged).or_else(|| own.cloned()).unwrap_or_default()
    };
    CurrentLoop {
        active: !state.status.is_over(),
        task: state.task.clone(),
        completion: state.completion_criteria.clone(),
        max_iterations: Some(state.configuration.max_iterations),
        current_iteration: state.iteration,
        start_time: Some(state.started_at),
        timeout_minutes: state.configuration.timeout_minutes,
        iterations: state.iteration_history.iter().map(iteration).collect(),
        last_result: newest(said_result, last.map(|last| &last.result)),
        learnings: newest(said_learnings, last.map(|last| &last.learnings)),
        loop_id: Some(state.loop_id.clone()),
        extra,
    }
}

fn iteration(record: &IterationRecord) -> CurrentIteration {
    CurrentIteration {
        number: record.iteration,
        action: record.action.clone(),
        result: record.result.clone(),
        learnings: record.learnings.clone(),
        extra: Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FILE: &str = r#"{"active":true,"task":"Make the build green","completion":"make passes","maxIterations":12,
        "currentIteration":3,"startTime":"2025-03-01T08:00:00Z","timeoutMinutes":45,
        "iterations":[{"number":1,"action":"a1","result":"r1","learnings":"l1"},
                      {"number":2,"action":"a2","result":"r2","learnings":"l2","tokens":5}],
        "lastResult":"two left","learnings":"look at the linker","branch":"main"}"#;

    #[test]
    fn a_file_is_brought_in_and_its_mirror_says_the_same() {
        let file = parse(FILE.as_bytes()).unwrap();
        let now: Timestamp = "2025-03-01T08:30:00Z".parse().unwrap();
        let state = import(&file, "l1", now);
        assert_eq!((state.iteration, state.configuration.max_iterations), (3, 12));
        assert_eq!((state.status, state.configuration.timeout_minutes), (Status::Running, Some(45)));
        assert_eq!((state.started_at.to_string(), state.last_updated), ("2025-03-01T08:00:00Z".into(), now));
        assert_eq!(state.iteration_history[1].learnings, "l2");
        let state: LoopState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        let mut mirror = mirror(&state);
        assert_eq!(mirror.loop_id.take().as_deref(), Some("l1"));
        let mut expected = file;
        expected.iterations[1].extra.clear();
        assert_eq!(mirror, expected);
    }

    #[test]
    fn the_mirror_follows_the_loop() {
        let mut state = import(&parse(FILE.as_bytes()).unwrap(), "l1", Timestamp::UNIX_EPOCH);
        state.iteration_history.push(IterationRecord {
            iteration: 3,
            result: "all green".into(),
            ..Default::default()
        });
        state.status = Status::Completed;
        let value = serde_json::to_value(mirror(&state)).unwrap();
        assert_eq!(value["active"], false);
        assert_eq!(
            (&value["lastResult"], &value["learnings"]),
            (&Value::from("all green"), &Value::from(""))
        );
        assert_eq!(
            (&value["iterations"][2]["number"], &value["branch"]),
            (&Value::from(3), &Value::from("main"))
        );
        assert_eq!(value["loopId"], "l1");
    }

    #[test]
    fn what_is_missing_or_of_the_wrong_type_has_its_default() {
        let file = parse(
            br#"{"active":"yes","task":"t","maxIterations":"many","iterations":[{"number":1,"result":7}]}"#,
        );
        let state = import(&file.unwrap(), "l", Timestamp::UNIX_EPOCH);
        assert_eq!((state.status, state.configuration.max_iterations), (Status::Aborted, 10));
        assert_eq!((state.iteration_history.len(), state.task.as_str()), (1, "t"));
        assert!(parse(b"[]").is_err() && parse(b"").is_err() && parse(b"\xff").is_err());
    }

    #[test]
    fn it_is_written_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        assert!(read(&layout).unwrap().is_none());
        let state = LoopState::new("l1", "t", Timestamp::UNIX_EPOCH);
        write(&layout, &state).unwrap();
        assert_eq!(read(&layout).unwrap(), Some(mirror(&state)));
        fs::write(layout.current_loop(), b"{ half").unwrap();
        assert!(read(&layout).is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            parse(&bytes).ok();
        }
    }
}
