//! What of a loop's state nobody but Steadfast changes: it is sealed with the state, and put back.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::unreadable::take_over;
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;
use crate::state::own_file;
use crate::state::records::{Baseline, RegressionEvent};
use crate::state::seal::Seal;
use crate::state::status::{Kind, Status};

/// What a loop is held to, under the state's own names.
#[derive(Serialize)]
struct Held<'s> {
    status: Status,
    kind: Kind,
    baseline_metrics: &'s Option<Baseline>,
    completion_criteria: &'s str,
    detection_enabled: bool,
    regression_events: &'s [RegressionEvent],
    human_gates: &'s [Gate],
}

fn held(state: &LoopState) -> Held<'_> {
    Held {
        status: state.status,
        kind: state.kind,
        baseline_metrics: &state.baseline_metrics,
        completion_criteria: &state.completion_criteria,
        detection_enabled: state.detection_enabled,
        regression_events: &state.regression_events,
        human_gates: &state.human_gates,
    }
}

fn held_fields(state: &LoopState) -> Map<String, Value> {
    match serde_json::to_value(held(state)) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Seals the bytes of a state that is about to be written to `path`.
pub(super) fn write(path: &Path, bytes: &[u8], state: &LoopState) -> io::Result<()> {
    Seal::write(path, bytes, &held(state))
}

/// Whether these bytes are a state that Steadfast wrote, or one that was never sealed.
pub(super) fn knows(path: &Path, bytes: &[u8]) -> bool {
    // Who does not hold the lock may have been overtaken by several writers: then the file is another one by now.
    let is_written = |seal: Seal| seal.names(bytes) || own_file::read(path).is_ok_and(|now| now != bytes);
    Seal::read(path).is_none_or(is_written)
}

/// Puts back what a loop is held to. Answers the fields that something else had changed.
pub(super) fn put_back(path: &Path, state: &mut LoopState) -> Vec<String> {
    let Some(sealed) = Seal::fields(path) else { return Vec::new() };
    let now = held_fields(state);
    // What only says that nobody works for the loop weakens nothing.
    let weakens = state.status.is_over() || matches!(state.status, Status::Paused | Status::Completing);
    let changed = sealed.iter().filter(|(field, was)| {
        now.get(field.as_str()) != Some(*was) && (field.as_str() != "status" || weakens)
    });
    let changed: Vec<(&String, &Value)> = changed.collect();
    for (field, was) in &changed {
        take_over(state, field, was);
    }
    changed.into_iter().map(|(field, _)| field.clone()).collect()
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
            assert_eq!(held.len(), 7);
            for (field, value) in held {
                assert_eq!(whole.get(&field), Some(&value), "{field}");
            }
        }
    }
}
