//! What holds after every step, whatever came before.
//!
//! - Every own file reads back as it was written.
//! - No byte changes but by the step itself; what a person's command replaces of others is named (`World::after_steadfast`).
//! - No loop completes with fewer running tests than at its start, without a person's word for each of them.
//! - Nothing is found about what Steadfast did itself, and no loop is told of a loss that is the other one's.
//! - Every loop is in exactly one state, which `status` shows; logs and histories are only added to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::own_files;
use crate::steps::Step;
use crate::world::World;

/// The states that a loop can be in.
const STATES: &[&str] = &["running", "paused", "crashed", "completing", "completed", "aborted", "failed"];

/// What was seen of the loops so far.
#[derive(Default)]
pub(crate) struct Seen {
    states: BTreeMap<String, Value>,
    logs: BTreeMap<String, String>,
    /// The tests that ran when each loop began.
    at_start: BTreeMap<String, BTreeSet<String>>,
}

impl Seen {
    pub(crate) fn note_start(&mut self, id: &str, tests: BTreeSet<String>) {
        self.at_start.insert(id.to_owned(), tests);
    }
}

impl World {
    /// Everything, after a step.
    pub(crate) fn check(&mut self, step: &Step) -> Result<(), String> {
        if let Some((path, writer)) = self.differences().first() {
            return Err(format!("{path}, last written by {writer:?}, was changed by nobody"));
        }
        own_files::look(&self.place);
        self.shown()?;
        for id in self.known_loops() {
            let state = self.place.state(&id);
            self.log_grows(&id)?;
            self.events(&id, &state)?;
            self.completion(&id, &state, step)?;
            self.seen.states.insert(id, state);
        }
        Ok(())
    }

    /// The loops that have begun: a hook that was killed may have made no more of one than its folder.
    pub(crate) fn known_loops(&self) -> Vec<String> {
        let registry = self.place.json(".aiwg/ralph/registry.json");
        let mut ids = self.place.loops();
        ids.retain(|id| {
            registry["loops"].get(id).is_some() || self.place.directory(id).join("state.json").exists()
        });
        ids
    }

    /// Each loop stands once in `status`, in the state that it is in; one that is not over stands there without `--all`.
    fn shown(&self) -> Result<(), String> {
        let rows = |words: &[&str]| -> Vec<(String, String)> {
            let text = self.place.done(words);
            let all: Value = serde_json::from_str(&text).expect("JSON");
            let rows = all["loops"].as_array().cloned().unwrap_or_default();
            let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
            rows.iter().map(|row| (word(row, "loop_id"), word(row, "status"))).collect()
        };
        let all = rows(&["status", "--all", "--json"]);
        for id in self.known_loops() {
            let state = self.place.state(&id);
            let status = state["status"].as_str().unwrap_or_default();
            if !STATES.contains(&status) {
                return Err(format!("loop {id} is in no state: {status:?}"));
            }
            let shown: Vec<&str> =
                all.iter().filter(|(of, _)| *of == id).map(|(_, status)| status.as_str()).collect();
            if shown != [status] {
                return Err(format!("loop {id} is {status}, and status shows {shown:?}"));
            }
            let is_over = matches!(status, "completed" | "aborted" | "failed");
            let is_explicit = state["kind"] == "explicit";
            if !is_over && is_explicit && !rows(&["status", "--json"]).iter().any(|(of, _)| *of == id) {
                return Err(format!("loop {id} is {status}, and status does not show it"));
            }
        }
        Ok(())
    }

    fn log_grows(&mut self, id: &str) -> Result<(), String> {
        let log =
            std::fs::read_to_string(self.place.directory(id).join("hook-log.jsonl")).unwrap_or_default();
        let before = self.seen.logs.insert(id.to_owned(), log.clone()).unwrap_or_default();
        log.starts_with(&before).then_some(()).ok_or_else(|| format!("the log of {id} was rewritten"))
    }

    /// What is newly told of a loop.
    fn events(&self, id: &str, state: &Value) -> Result<(), String> {
        let known = |event: &Value| {
            let before = self.seen.states.get(id).map(|state| events(state).collect::<Vec<_>>());
            before.is_some_and(|before| before.iter().any(|old| old["event_id"] == event["event_id"]))
        };
        let is_gone = |event: &&Value| {
            matches!(event["regression_type"].as_str(), Some("test_deletion" | "test_skipping"))
        };
        for event in events(state).filter(is_gone).filter(|event| !known(event)) {
            let lost = lost(event);
            let by_steadfast: Vec<&String> =
                lost.iter().filter(|name| self.taken_by_steadfast.contains(last(name))).collect();
            if !by_steadfast.is_empty() {
                return Err(format!("{id} is told of what Steadfast took away: {by_steadfast:?}"));
            }
            let own: Vec<usize> = (0..2).filter(|who| self.sessions[*who].loop_id == id).collect();
            let makers: Vec<Option<&usize>> = lost.iter().map(|name| self.lost_by.get(last(name))).collect();
            let is_others = !lost.is_empty()
                && makers.iter().all(|maker| maker.is_some_and(|maker| !own.contains(maker)));
            if !own.is_empty() && is_others {
                return Err(format!("{id} is told of the other session's loss: {lost:?}"));
            }
        }
        Ok(())
    }

    /// A loop that has just completed runs as many tests as at its start, but for those that a person gave up.
    fn completion(&self, id: &str, state: &Value, step: &Step) -> Result<(), String> {
        let was = self.seen.states.get(id).map(|state| state["status"].clone()).unwrap_or_default();
        let Some(at_start) = self.seen.at_start.get(id) else { return Ok(()) };
        if state["status"] != "completed" || was == "completed" {
            return Ok(());
        }
        let accepted: usize = events(state).filter(|event| is_accepted(event)).map(given_up).sum();
        let (running, least) = (self.running_tests(), at_start.len());
        let elsewhere = self.given_up_elsewhere(id);
        let elsewhere = at_start.difference(&running).filter(|name| elsewhere.contains(*name)).count();
        let (runs, accepted) = (running.len(), accepted + elsewhere);
        if runs + accepted < least {
            return Err(format!(
                "{id} completed by {step:?} with {runs} tests of {least}, {accepted} of them given up by a person"
            ));
        }
        let is_open = |event: &&Value| {
            event["human_decision"].is_null()
                && !matches!(event["recovery_outcome"].as_str(), Some("success" | "skipped"))
        };
        match events(state).find(is_open) {
            Some(event) => Err(format!("{id} completed with an open regression: {event}")),
            None => Ok(()),
        }
    }

    /// The tests that a person gave up when the other loops asked: whose loss it was is no matter then.
    fn given_up_elsewhere(&self, id: &str) -> BTreeSet<String> {
        let others = self.known_loops().into_iter().filter(|other| other != id);
        let states: Vec<Value> = others.map(|other| self.place.state(&other)).collect();
        let accepted = states.iter().flat_map(events).filter(|event| is_accepted(event));
        accepted.flat_map(lost).map(|name| last(&name).to_owned()).collect()
    }
}

fn events(state: &Value) -> impl Iterator<Item = &Value> {
    state["regression_events"].as_array().into_iter().flatten()
}

/// Whether a person has said that what was lost may be gone.
fn is_accepted(event: &Value) -> bool {
    event["human_decision"] == "approve" || event["false_positive"] == true
}

/// How many tests an event is about: those that it names, or by how many the count fell.
fn given_up(event: &Value) -> usize {
    let count = |name: &str| event["details"][name].as_u64().unwrap_or_default();
    let fell = count("baseline_value").saturating_sub(count("current_value"));
    lost(event).len().max(usize::try_from(fell).unwrap_or_default())
}

/// The names of lost or skipped tests.
fn lost(event: &Value) -> Vec<String> {
    let diff = &event["details"]["diff"];
    let lists = ["deleted_tests", "skipped_tests"].iter().flat_map(|key| diff[*key].as_array());
    lists.flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// `test_a` of `tests/test_x.py: test_a`.
fn last(name: &str) -> &str {
    name.rsplit([':', ' ', '>']).next().unwrap_or(name)
}
