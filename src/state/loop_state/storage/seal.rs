//! What of a loop's state nobody but Steadfast changes: it is sealed with the state, and put back.
//!
//! The seal is kept twice, so that it is known outside of the project that there is one, and what it says.

use std::io;

use serde::Serialize;
use serde_json::{Map, Value};

use super::error::backup;
use super::unreadable::take_over;
use crate::state::atomic::{self, Durability};
use crate::state::gate::Gate;
use crate::state::layout::Layout;
use crate::state::loop_state::{Configuration, LoopState, witnessed};
use crate::state::own_file;
use crate::state::records::{Baseline, IterationRecord, RegressionEvent};
use crate::state::seal::Seal;
use crate::state::status::{Kind, Status};
use crate::state::twice::DoubledFiles;

/// What a loop is held to, under the state's own names.
#[derive(Serialize)]
struct SealedTerms<'s> {
    status: Status,
    kind: Kind,
    baseline_metrics: &'s Option<Baseline>,
    completion_criteria: &'s str,
    detection_enabled: bool,
    regression_events: &'s [RegressionEvent],
    human_gates: &'s [Gate],
    configuration: &'s Configuration,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_snapshot: &'s Option<String>,
}

fn held(state: &LoopState) -> SealedTerms<'_> {
    SealedTerms {
        status: state.status,
        kind: state.kind,
        baseline_metrics: &state.baseline_metrics,
        completion_criteria: &state.completion_criteria,
        detection_enabled: state.detection_enabled,
        regression_events: &state.regression_events,
        human_gates: &state.human_gates,
        configuration: &state.configuration,
        baseline_snapshot: &state.baseline_snapshot,
    }
}

fn held_fields(state: &LoopState) -> Map<String, Value> {
    match serde_json::to_value(held(state)) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The seal's name in the loop's directory.
const SEAL: &str = "state.seal";

/// Seals the bytes of a state that is about to be written. Of a loop that is settled nothing is kept outside.
pub(super) fn write(layout: &Layout, bytes: &[u8], state: &LoopState) -> io::Result<()> {
    let twice = DoubledFiles::of_loop(layout, &state.loop_id);
    let sealed = Seal::next(read(&twice).and_then(|it| Seal::of(&it)), bytes, &held(state))?;
    if witnessed::is_settled(state) {
        let path = layout.loop_dir(&state.loop_id).join(SEAL);
        return atomic::write(&path, &sealed, Durability::Process);
    }
    twice.write(SEAL, &sealed, Durability::Process)
}

/// Whether these bytes are a state that Steadfast wrote, or one that was never sealed.
pub(super) fn knows(layout: &Layout, loop_id: &str, bytes: &[u8]) -> bool {
    let sealed = read(&DoubledFiles::of_loop(layout, loop_id));
    // Who does not hold the lock may have been overtaken by several writers: then the file is another one by now.
    let is_other = || own_file::read(&layout.state(loop_id)).is_ok_and(|now| now != bytes);
    sealed.and_then(|it| Seal::of(&it)).is_none_or(|seal| seal.names(bytes) || is_other())
}

fn read(twice: &DoubledFiles) -> Option<Vec<u8>> {
    twice.read(SEAL).ok()
}

/// Puts back what a loop is held to, from the seal, and iterations that are gone, from the last copy. Answers the fields
/// that something else had changed.
pub(super) fn put_back(layout: &Layout, loop_id: &str, state: &mut LoopState) -> Vec<String> {
    let Some(bytes) = read(&DoubledFiles::of_loop(layout, loop_id)) else { return Vec::new() };
    let now = held_fields(state);
    // What only says that nobody works for the loop weakens nothing.
    let weakens = state.status.is_over() || matches!(state.status, Status::Paused | Status::Completing);
    let sealed = Seal::fields_of(&bytes).unwrap_or_default();
    let changed = sealed.iter().filter(|(field, was)| {
        now.get(field.as_str()) != Some(*was) && (field.as_str() != "status" || weakens)
    });
    let changed: Vec<(&String, &Value)> = changed.collect();
    for (field, was) in &changed {
        take_over(state, field, was);
    }
    let mut changed: Vec<String> = changed.into_iter().map(|(field, _)| field.clone()).collect();
    if let Some(copy) = last_copy(layout, loop_id, &Seal::of(&bytes).unwrap_or_default()) {
        let of = |record: &IterationRecord| (record.iteration, record.timestamp);
        let there: Vec<_> = state.iteration_history.iter().map(of).collect();
        if !copy.iteration_history.iter().all(|record| there.contains(&of(record))) {
            state.iteration_history = copy.iteration_history;
            changed.push("iteration_history".to_owned());
        }
    }
    changed
}

/// The state before the last writing, where it is one that Steadfast wrote.
fn last_copy(layout: &Layout, loop_id: &str, seal: &Seal) -> Option<LoopState> {
    let bytes = own_file::read(&backup(&layout.state(loop_id))).ok().filter(|bytes| seal.names(bytes))?;
    serde_json::from_slice(&bytes).ok().filter(|copy: &LoopState| copy.loop_id == loop_id)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn what_is_held_stands_so_in_the_state() {
        let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        for baseline in [None, Some(Baseline::default())] {
            state.baseline_metrics = baseline;
            let whole = serde_json::to_value(&state).unwrap();
            let held = held_fields(&state);
            assert_eq!(held.len(), 8);
            for (field, value) in held {
                assert_eq!(whole.get(&field), Some(&value), "{field}");
            }
        }
    }
}
