//! The hits of patterns in the project's loops, each with where it happened.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::state::false_alarms::{FalseAlarm, FalseAlarms, SilenceRequest};
use crate::state::layout::Layout;
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
        silence: SilenceRequest,
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

pub(crate) fn meant(layout: &Layout, event_id: &str) -> Result<Hit, String> {
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

pub(crate) fn hit(loop_id: &str, pattern: &DetectedPattern) -> Option<Hit> {
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
pub(crate) fn is_of(hit: &Hit, event: &RegressionEvent) -> bool {
    let names: Vec<String> = hit.lost.iter().map(|name| format!("{}: {name}", hit.path)).collect();
    let lost = event.lost();
    let is_pattern = event.details.get("pattern_id").and_then(Value::as_str) == Some(&hit.pattern_id);
    is_pattern && !lost.is_empty() && lost.iter().all(|name| names.contains(name))
}
