//! The events of figures that fell, in the state.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::regression_detector::COVERAGE_NOISE;
use crate::lifecycle::criterion::proving::PROOF;
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::measuring::measure::BRANCHES;
use crate::lifecycle::regression::fallen::{FallenFigure, LISTED};
use crate::metrics::TestOutcome;
use crate::model::finding::RegressionType;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{RecoveryOutcome, RegressionEvent, TESTS_RUN, lost_key};
use crate::state::test_record::TestRecord;

pub(super) fn is_open(state: &LoopState, one: &FallenFigure) -> bool {
    state
        .regression_events
        .iter()
        .any(|event| event.is_open() && event.regression_type == one.kind && is_measured(event))
}

/// Whether an event comes from measuring, and so is closed by it.
pub fn is_measured(event: &RegressionEvent) -> bool {
    event.details.contains_key("reference")
}

/// Puts what fell into the state: into the event of this type that is open or of this iteration, or into a new one.
pub(super) fn note(state: &mut LoopState, one: &FallenFigure, stops: bool, now: Timestamp) {
    let iteration = state.iteration.max(1);
    let existing = state.regression_events.iter_mut().rev().find(|event| {
        let same = event.regression_type == one.kind && event.human_decision.is_none();
        // What is settled says nothing of a fall that holds the loop up.
        let is_current = event.iteration == iteration && (!stops || event.is_open());
        same && (is_current || event.is_open() && is_measured(event))
    });
    let details = details_of(one);
    match existing {
        // What the detectors tell by name says more.
        Some(event) if !is_measured(event) && one.kind != RegressionType::CoverageRegression => {
            event.details.entry("measured").or_insert(Value::Object(details));
        }
        Some(event) => {
            event.severity = event.severity.max(one.severity);
            event.details.extend(details);
        }
        None => state.regression_events.push(RegressionEvent {
            event_id: loop_id::uuid(&format!("{:?}{:?}", one.kind, one.lost), now),
            timestamp: now,
            iteration,
            regression_type: one.kind,
            severity: one.severity,
            details,
            recovery_protocol_invoked: false,
            recovery_outcome: (!stops).then_some(RecoveryOutcome::Skipped),
            human_gate_invoked: false,
            human_decision: None,
            ..RegressionEvent::new(one.kind, one.severity)
        }),
    }
    state.note_regressions();
}

fn details_of(one: &FallenFigure) -> Map<String, Value> {
    Map::from_iter([
        ("baseline_value".to_owned(), one.before.clone()),
        ("current_value".to_owned(), one.after.clone()),
        ("diff".to_owned(), json!({lost_key(one.kind): one.lost})),
        ("reference".to_owned(), json!(one.reference)),
        ("cause".to_owned(), json!(one.cause)),
        ("figure".to_owned(), json!(one.figure)),
    ])
}

/// Closes the measured events whose figure is back.
pub(super) fn close(state: &mut LoopState, gathered: &GatheredMetrics, record: &TestRecord) {
    for event in state.regression_events.iter_mut().filter(|event| event.is_open() && is_measured(event)) {
        if is_back(event, gathered, record) {
            event.recovery_outcome = Some(RecoveryOutcome::Success);
        }
    }
    state.note_regressions();
}

/// Whether the figure of an event is what it was.
fn is_back(event: &RegressionEvent, gathered: &GatheredMetrics, record: &TestRecord) -> bool {
    let has_passed = |name: &String| {
        gathered.run.as_ref().is_some_and(|run| run.by_name.get(name) == Some(&TestOutcome::Passed))
    };
    let passes = |name: &String| record.flaky.contains(name) || has_passed(name);
    let listed = |name: &String| gathered.listed.as_ref().is_some_and(|listed| listed.contains(name));
    let before = event.details.get("baseline_value").and_then(Value::as_f64);
    let lost = event.lost();
    let figure = event.details.get("figure").and_then(Value::as_str).unwrap_or_default();
    match event.regression_type {
        RegressionType::CoverageRegression => {
            let now = if figure == BRANCHES { gathered.branches } else { gathered.coverage };
            before.zip(now).is_some_and(|(before, now)| now >= before - COVERAGE_NOISE)
        }
        RegressionType::FeatureRemoval => !lost.is_empty() && lost.iter().all(passes),
        // Only another proof says so.
        _ if figure == PROOF => false,
        _ if figure == TESTS_RUN => gathered.passes,
        _ if figure == LISTED => {
            let now = gathered.tests.filter(|_| gathered.are_listed);
            before.zip(now).is_some_and(|(before, (now, _))| now as f64 >= before)
        }
        _ => !lost.is_empty() && lost.iter().all(listed),
    }
}
