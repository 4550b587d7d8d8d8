//! Regressions as the state records them: opening, accepting, and the files that a lost test may be in.

use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::model::finding::{Finding, RegressionType};
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{DetectedPattern, FILES, FOUND, HumanDecision, RegressionEvent, lost_key};

/// Adds a hit to `detected_patterns`.
pub fn push_pattern(state: &mut LoopState, finding: &Finding, verdict: &str, now: Timestamp) {
    let event_id = hit_id(state, finding, now);
    state.push_hit(DetectedPattern {
        pattern_id: finding.pattern_id.to_owned(),
        pattern_name: finding.pattern_name.to_owned(),
        iteration: state.iteration.max(1),
        timestamp: now,
        severity: finding.severity,
        false_positive: false,
        event_id: Some(event_id),
        path: Some(finding.path.clone()),
        what: Some(finding.what.clone()),
        lost: Some(finding.lost.clone()),
        verdict: Some(verdict.to_owned()),
        times: None,
        last_seen: None,
        extra: Map::new(),
    });
}

/// Whether the same was found in this iteration by a call that was let through, as a call's two events find it twice.
pub fn is_known(state: &LoopState, finding: &Finding) -> bool {
    let since = state.taken_back_at();
    let is_same = |hit: &DetectedPattern| {
        since.is_none_or(|since| hit.timestamp > since)
            && hit.pattern_id == finding.pattern_id
            && hit.iteration == state.iteration.max(1)
            && hit.verdict.as_deref() != Some("deny")
            && hit.path.as_deref().unwrap_or_default() == finding.path
            && hit.what.as_deref().unwrap_or_default() == finding.what
            && hit.lost.iter().flatten().eq(&finding.lost)
    };
    state.detected_patterns.iter().any(is_same)
}

/// Names a hit for a person who calls it a false alarm.
fn hit_id(state: &LoopState, finding: &Finding, now: Timestamp) -> String {
    let number = state.detected_patterns_total;
    loop_id::uuid(&format!("{} {number} {} {}", state.loop_id, finding.pattern_id, finding.path), now)
}

/// Opens a regression for each finding that is one: one event per type and iteration, so that a second loss of the
/// same kind joins the first. Returns the ids of the events that were opened or grew.
pub fn open(
    state: &mut LoopState,
    findings: &[Finding],
    tests: Option<(u64, u64)>,
    decision: Option<HumanDecision>,
    now: Timestamp,
) -> Vec<String> {
    let iteration = state.iteration.max(1);
    let mut touched = Vec::new();
    for finding in findings {
        let Some(kind) = finding.regression_type else { continue };
        let lost: Vec<String> = finding.lost_names().collect();
        let existing = state.regression_events.iter_mut().find(|event| {
            event.regression_type == kind
                && event.iteration == iteration
                && event.is_open()
                && decision.is_none()
        });
        let id = match existing {
            Some(event) => {
                join(event, &lost, &finding.path, tests);
                note_found(event, finding);
                event.severity = event.severity.max(finding.severity);
                event.event_id.clone()
            }
            None => {
                let Some(event) = new_event(finding, iteration, tests, decision, now) else { continue };
                let id = event.event_id.clone();
                state.regression_events.push(event);
                id
            }
        };
        if !touched.contains(&id) {
            touched.push(id);
        }
    }
    state.note_regressions();
    touched
}

/// The event of a finding; `None` for one that is no regression.
fn new_event(
    finding: &Finding,
    iteration: u32,
    tests: Option<(u64, u64)>,
    decision: Option<HumanDecision>,
    now: Timestamp,
) -> Option<RegressionEvent> {
    let kind = finding.regression_type?;
    let lost: Vec<String> = finding.lost_names().collect();
    let (before, after) = tests.unzip();
    let (was, is) = values(kind, &lost, tests);
    let mut event = RegressionEvent {
        event_id: loop_id::uuid(&format!("{}{:?}", finding.path, lost), now),
        timestamp: now,
        iteration,
        regression_type: kind,
        severity: finding.severity,
        details: Map::from_iter([
            ("baseline_value".to_owned(), json!(was)),
            ("current_value".to_owned(), json!(is)),
            (
                "diff".to_owned(),
                json!({
                    lost_key(kind): lost,
                    "before_test_count": before,
                    "after_test_count": after,
                }),
            ),
            ("pattern_id".to_owned(), json!(finding.pattern_id)),
            (FILES.to_owned(), json!([finding.path])),
        ]),
        recovery_protocol_invoked: false,
        recovery_outcome: None,
        human_gate_invoked: decision.is_some(),
        human_decision: decision,
        ..RegressionEvent::new(kind, finding.severity)
    };
    note_found(&mut event, finding);
    Some(event)
}

/// Notes what was found where nothing that is lost has a name, so that whoever is asked reads what it is about.
fn note_found(event: &mut RegressionEvent, finding: &Finding) {
    if !finding.lost.is_empty() {
        return;
    }
    let what = match finding.what.contains(&finding.path) {
        true => finding.what.clone(),
        false => format!("{}: {}", finding.path, finding.what),
    };
    let found = event.details.entry(FOUND).or_insert_with(|| json!([]));
    if let Some(found) = found.as_array_mut().filter(|found| !found.contains(&json!(what))) {
        found.push(json!(what));
    }
}

/// What there was and what there is: tests where those are lost and counted, else the things that are named, of which
/// none is left.
fn values(kind: RegressionType, lost: &[String], tests: Option<(u64, u64)>) -> (u64, u64) {
    tests.filter(|_| kind.is_of_tests()).unwrap_or((lost.len().max(1) as u64, 0))
}

fn join(event: &mut RegressionEvent, lost: &[String], path: &str, tests: Option<(u64, u64)>) {
    if let Some(files) = event.details.get_mut(FILES).and_then(Value::as_array_mut)
        && !files.iter().any(|known| known == path)
    {
        files.push(json!(path));
    }
    let mut names = event.lost();
    names.extend(lost.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
    let key = event.lost_key();
    let tests = tests.filter(|_| event.regression_type.is_of_tests());
    if tests.is_none() && event.details.get("current_value") == Some(&json!(0)) {
        event.details.insert("baseline_value".to_owned(), json!(names.len().max(1)));
    }
    let current = tests.map(|(before, after)| before.saturating_sub(after));
    let number = |details: &Map<String, Value>| details.get("current_value").and_then(Value::as_u64);
    let after = number(&event.details).zip(current).map(|(value, lost)| value.saturating_sub(lost));
    if let Some(diff) = event.details.get_mut("diff").and_then(Value::as_object_mut) {
        diff.insert(key.to_owned(), json!(names));
        if after.is_some() {
            diff.insert("after_test_count".to_owned(), json!(after));
        }
    }
    if after.is_some() {
        event.details.insert("current_value".to_owned(), json!(after));
    }
}

/// The files in which these regressions lost something.
pub(crate) fn lost_paths(state: &LoopState, event_ids: &[String]) -> Vec<PathBuf> {
    let events = state.regression_events.iter().filter(|event| event_ids.contains(&event.event_id));
    let names = events.flat_map(RegressionEvent::lost);
    let mut paths: Vec<PathBuf> =
        names.filter_map(|name| name.split_once(": ").map(|(path, _)| PathBuf::from(path))).collect();
    paths.sort();
    paths.dedup();
    paths
}
