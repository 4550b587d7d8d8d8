//! What stands in for fields of a state that can't be read: an unreadable regression counts as open and critical.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;

/// Puts a field that fits into the state, by way of its JSON: this is not the fast path.
pub(super) fn take_over(state: &mut LoopState, field: &str, value: &Value) {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&*state) else { return };
    fields.insert(field.to_owned(), value.clone());
    if let Ok(changed) = LoopState::deserialize(Value::Object(fields)) {
        *state = changed;
    }
}

/// The regressions of which some can't be read: these count as open and critical, so that a person looks at them.
pub(super) fn regressions(raw: &Value) -> Vec<RegressionEvent> {
    let items = raw.as_array().map_or(std::slice::from_ref(raw), Vec::as_slice);
    let read = |(n, item)| RegressionEvent::deserialize(item).ok().or_else(|| unreadable(n, item));
    items.iter().enumerate().filter_map(read).collect()
}

/// An open and critical regression with everything that can be read of `raw`, its words also in the wrong case.
fn unreadable(n: usize, raw: &Value) -> Option<RegressionEvent> {
    let mut event = json!({
        "event_id": format!("unreadable-{n}"),
        "timestamp": Timestamp::UNIX_EPOCH,
        "iteration": 0,
        "regression_type": "test_deletion",
        "severity": "critical",
        "details": {"diff": {"deleted_tests": ["an entry of regression_events that can't be read"]}},
    });
    for (field, value) in raw.as_object().into_iter().flatten() {
        let lower = value.as_str().map(|word| Value::from(word.to_ascii_lowercase()));
        for value in [Some(value.clone()), lower].into_iter().flatten() {
            let mut with = event.clone();
            with[field.as_str()] = value;
            if RegressionEvent::deserialize(&with).is_ok() {
                event = with;
                break;
            }
        }
    }
    RegressionEvent::deserialize(event).ok()
}
