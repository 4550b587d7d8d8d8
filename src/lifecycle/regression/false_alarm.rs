//! A person calls a finding a false alarm: its hits are marked, the rate follows, a regression of it is closed, and
//! the same finding is silent from then on.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::regression::hits::{hit, is_of, meant};
use crate::lifecycle::regression::settlement;
use crate::lifecycle::regression::settlement::DecidedBy;
use crate::state::atomic::Durability;
use crate::state::audit;
use crate::state::audit::Line;
use crate::state::false_alarms::SilenceRequest;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::LoopState;

pub use crate::lifecycle::regression::hits::{Hit, hits};

/// What a person's word has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FalseAlarmMark {
    /// The finding that was meant.
    pub hit: Hit,
    /// How many hits of it were marked in its loop.
    pub hits: usize,
    /// How many regressions were closed with it.
    pub regressions_closed: usize,
    /// False alarms among all hits of the loop, 0 to 1.
    pub false_positive_rate: f64,
}

/// Marks the hit or the regression whose id begins with `event_id`. An error when that is none, or several.
pub fn mark(
    layout: &Layout,
    event_id: &str,
    by: &DecidedBy,
    now: Timestamp,
) -> Result<FalseAlarmMark, String> {
    let reason = by.reason.as_deref().ok_or("a false alarm needs a reason")?;
    let hit = meant(layout, event_id)?;
    hit.silence(layout, reason, SilenceRequest::default(), now)?;
    let changed = change_state(layout, &hit.loop_id, CLI_WAIT, Durability::Power, now, |state| {
        let hits = mark_hits(state, &hit);
        let closed = close(layout, state, &hit, by, now)?;
        Ok::<_, String>((hits, closed, note_rate(state)))
    })?;
    let (hits, regressions_closed, false_positive_rate) = changed.value?;
    let line = Line {
        outcomes: vec![
            json!({"false_positive": hit.event_id, "pattern_id": hit.pattern_id, "reason": reason}),
        ],
        state_changes: Map::from_iter([("detected_patterns".to_owned(), json!({"false_positive": hits}))]),
        ..Line::new("human_gate", &hit.loop_id, changed.entry.iteration, now)
    };
    // What was decided stands in the state too.
    audit::append(&layout.log(&hit.loop_id), line).ok();
    Ok(FalseAlarmMark { hit, hits, regressions_closed, false_positive_rate })
}

fn mark_hits(state: &mut LoopState, meant: &Hit) -> usize {
    let loop_id = state.loop_id.clone();
    let mut hits = 0;
    for pattern in &mut state.detected_patterns {
        let is_same = hit(&loop_id, pattern).is_some_and(|hit| {
            hit.event_id == meant.event_id
                || (hit.pattern_id == meant.pattern_id
                    && hit.path == meant.path
                    && hit.lost == meant.lost
                    && hit.what == meant.what)
        });
        if is_same {
            pattern.false_positive = true;
            hits += 1;
        }
    }
    hits
}

/// Closes the regressions that are about nothing else: the person has accepted what is there.
fn close(
    layout: &Layout,
    state: &mut LoopState,
    hit: &Hit,
    by: &DecidedBy,
    now: Timestamp,
) -> Result<usize, String> {
    let about = state.open_regressions().filter(|event| is_of(hit, event));
    let ids: Vec<String> = about.map(|event| event.event_id.clone()).collect();
    for id in &ids {
        settlement::settle(layout, state, id, by, by.reason.as_deref(), now)?;
    }
    Ok(ids.len())
}

/// Marks the hits that made a regression, and answers those that have an id.
pub(crate) fn mark_regression(state: &mut LoopState, event_id: &str) -> Vec<Hit> {
    let LoopState { loop_id, regression_events, detected_patterns, .. } = state;
    let Some(event) = regression_events.iter().find(|event| event.event_id == event_id) else {
        return Vec::new();
    };
    let pattern_id = event.details.get("pattern_id").and_then(Value::as_str).unwrap_or_default();
    let lost = event.lost();
    let mut hits = Vec::new();
    for pattern in detected_patterns {
        let path = pattern.path.as_deref().unwrap_or_default();
        let made_it = pattern.pattern_id == pattern_id
            && pattern.iteration == event.iteration
            && lost.iter().any(|lost| lost.starts_with(path));
        if made_it {
            pattern.false_positive = true;
            hits.extend(hit(loop_id, pattern));
        }
    }
    note_rate(state);
    hits
}

/// Writes how often the hits of a loop were wrong; answers the rate.
fn note_rate(state: &mut LoopState) -> f64 {
    let (all, wrong) = state.hits();
    let rate = if all == 0 { 0.0 } else { wrong as f64 / all as f64 };
    let metrics = state.persistence_metrics.get_or_insert_default();
    metrics.insert("false_positive_rate".to_owned(), json!(rate));
    metrics.insert("true_positive_count".to_owned(), json!(all - wrong));
    metrics.insert("false_positive_count".to_owned(), json!(wrong));
    rate
}
