//! What could be done instead of what was lost.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::detectors;
use crate::state::gate::Gate;
use crate::state::loop_state::LoopState;

/// What could be done instead of what a gate is about, each pattern's once.
pub fn alternatives(state: &LoopState, gate: &Gate) -> Vec<&'static str> {
    let about = state.regression_events.iter().filter(|event| gate.event_ids.contains(&event.event_id));
    let ids: BTreeSet<&str> =
        about.filter_map(|event| event.details.get("pattern_id").and_then(Value::as_str)).collect();
    let known = detectors::catalogue();
    ids.iter().filter_map(|id| known.iter().find(|pattern| pattern.id == *id)).map(|it| it.instead).collect()
}
