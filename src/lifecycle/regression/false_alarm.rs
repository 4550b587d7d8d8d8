//! A person calls a finding a false alarm: its hits are marked, the rate follows, a regression of it is closed, and
//! the same finding is silent from then on.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::gate::decision;
use crate::lifecycle::gate::decision::Decider;
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::false_alarms::{FalseAlarm, FalseAlarms, Silence};
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::LoopState;
use crate::state::records::{DetectedPattern, RegressionEvent};
use crate::state::registry::Registry;

/// A hit of a pattern, with where it happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// Its id.
    pub event_id: String,
    /// The loop or session.
    pub loop_id: String,
    /// The catalogue's id.
    pub pattern_id: String,
    /// The catalogue's name.
    pub pattern_name: String,
    /// When.
    pub timestamp: Timestamp,
    /// The file.
    pub path: String,
    /// What was said to be lost, by name.
    pub lost: Vec<String>,
    /// What was said to happen.
    pub what: Option<String>,
    /// What Steadfast answered.
    pub verdict: String,
    /// Whether a person called it a false alarm.
    pub false_positive: bool,
}

impl Hit {
    /// Silences it from now on. An error names the file that could not be written.
    pub(crate) fn silence(
        &self,
        layout: &Layout,
        reason: &str,
        silence: Silence,
        now: Timestamp,
    ) -> Result<(), String> {
        let alarm = FalseAlarm {
            event_id: self.event_id.clone(),
            pattern_id: self.pattern_id.clone(),
            path: self.path.clone(),
            lost: self.lost.clone(),
            what: self.what.clone(),
            reason: reason.to_owned(),
            marked_at: now,
            scope: silence.scope,
            expires_at: silence.ends(now),
        };
        FalseAlarms::add(layout, alarm)
            .map_err(|error| format!("{}/false-positives.json: {error}", layout.root().display()))
    }
}

/// What a person's word has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Marked {
    /// The finding that was meant.
    pub hit: Hit,
    /// How many hits of it were marked in its loop.
    pub hits: usize,
    /// How many regressions were closed with it.
    pub regressions_closed: usize,
    /// False alarms among all hits of the loop, 0 to 1.
    pub false_positive_rate: f64,
}

/// All hits in the project's loops, oldest first. Those of older versions have no id and are left out.
pub fn hits(layout: &Layout) -> Result<Vec<Hit>, String> {
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    let states = registry.loops.keys().filter_map(|id| LoopState::read(layout, id).ok());
    let mut hits: Vec<Hit> = states
        .flat_map(|state| {
            let hits = state.detected_patterns.iter().filter_map(|pattern| hit(&state.loop_id, pattern));
            hits.collect::<Vec<_>>()
        })
        .collect();
    hits.sort_by_key(|hit| hit.timestamp);
    Ok(hits)
}

/// Marks the hit or the regression whose id begins with `event_id`. An error when that is none, or several.
pub fn mark(layout: &Layout, event_id: &str, by: &Decider, now: Timestamp) -> Result<Marked, String> {
    let reason = by.reason.as_deref().ok_or("a false alarm needs a reason")?;
    let hit = meant(layout, event_id)?;
    hit.silence(layout, reason, Silence::default(), now)?;
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
    Ok(Marked { hit, hits, regressions_closed, false_positive_rate })
}

fn meant(layout: &Layout, event_id: &str) -> Result<Hit, String> {
    if event_id.is_empty() {
        return Err("an id is needed; `steadfast patterns hits` lists them".to_owned());
    }
    let all = hits(layout)?;
    let mut found: Vec<Hit> = all.iter().filter(|hit| hit.event_id.starts_with(event_id)).cloned().collect();
    if found.is_empty() {
        found = of_regression(layout, event_id, &all)?;
    }
    match found.as_slice() {
        [hit] => Ok(hit.clone()),
        [] => {
            Err(format!("no hit or regression has the id {event_id:?}; `steadfast patterns hits` lists them"))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|hit| hit.event_id.as_str()).collect();
            Err(format!("{event_id:?} means several hits: {}; name one", ids.join(", ")))
        }
    }
}

/// The hits that made a regression, each finding once.
fn of_regression(layout: &Layout, event_id: &str, all: &[Hit]) -> Result<Vec<Hit>, String> {
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    let mut found: Vec<Hit> = Vec::new();
    for state in registry.loops.keys().filter_map(|id| LoopState::read(layout, id).ok()) {
        for event in state.regression_events.iter().filter(|event| event.event_id.starts_with(event_id)) {
            for hit in all.iter().filter(|hit| hit.loop_id == state.loop_id && is_of(hit, event)) {
                let is_new = |known: &Hit| (&known.path, &known.lost) != (&hit.path, &hit.lost);
                if found.iter().all(is_new) {
                    found.push(hit.clone());
                }
            }
        }
    }
    Ok(found)
}

fn hit(loop_id: &str, pattern: &DetectedPattern) -> Option<Hit> {
    Some(Hit {
        event_id: pattern.event_id.clone()?,
        loop_id: loop_id.to_owned(),
        pattern_id: pattern.pattern_id.clone(),
        pattern_name: pattern.pattern_name.clone(),
        timestamp: pattern.timestamp,
        path: pattern.path.clone().unwrap_or_default(),
        lost: pattern.lost.clone().unwrap_or_default(),
        what: pattern.what.clone(),
        verdict: pattern.verdict.clone().unwrap_or_default(),
        false_positive: pattern.false_positive,
    })
}

/// Whether an event is about nothing but what the hit says was lost.
fn is_of(hit: &Hit, event: &RegressionEvent) -> bool {
    let names: Vec<String> = hit.lost.iter().map(|name| format!("{}: {name}", hit.path)).collect();
    let lost = event.lost();
    let is_pattern = event.details.get("pattern_id").and_then(Value::as_str) == Some(&hit.pattern_id);
    is_pattern && !lost.is_empty() && lost.iter().all(|name| names.contains(name))
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
    by: &Decider,
    now: Timestamp,
) -> Result<usize, String> {
    let about = state.open_regressions().filter(|event| is_of(hit, event));
    let ids: Vec<String> = about.map(|event| event.event_id.clone()).collect();
    for id in &ids {
        decision::settle(layout, state, id, by, by.reason.as_deref(), now)?;
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
