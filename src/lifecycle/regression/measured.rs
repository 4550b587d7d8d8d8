//! Regressions that only measuring shows, in the state: opened for a figure that fell, closed when the figure is back.
//!
//! Each figure is compared with the baseline, the previous iteration and the high-water mark, so that slow erosion
//! adds up. One type gives one event in an iteration; what is within the tolerance of the severity table is recorded
//! and holds nothing up.

mod events;

use std::rc::Rc;

use serde_json::Value;

use crate::agents::laziness_detector::as_configured;
use crate::agents::regression_detector::COVERAGE_NOISE;
use crate::config::Config;
use crate::detectors::trends;
use crate::detectors::trends::{LoopFigures, TREND_PATTERNS, TrendPattern};
use crate::lifecycle::call::decision;
use crate::lifecycle::call::decision::CallDecision;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::others_losses::OthersLosses;
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::measuring::measure::BRANCHES;
use crate::lifecycle::regression::fallen::{
    FallenFigure, LINES, LISTED, branches, broken, coverage, fewer, last_part, not_run, pair, unlisted,
};
use crate::lifecycle::regression::measured::events::{close, is_open, note};
use crate::lifecycle::regression::{cumulative_loss, own_tests, records};
use crate::model::finding::{Finding, RegressionType, Severity};
use crate::model::words::first_of;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;
use crate::state::records::{RegressionEvent, TESTS_RUN};
use crate::state::test_record::TestRecord;

pub use crate::lifecycle::regression::measured::events::is_measured;

/// So many tests that did not run are named in a question.
const NAMED: usize = 10;

/// What measuring shows at the end of an iteration, compared with the loop so far.
pub struct MeasuredChanges {
    /// What fell.
    pub fallen: Vec<FallenFigure>,
    /// The loop before anything of it was recorded.
    state: Rc<LoopState>,
    figures: LoopFigures,
    /// The tests that were found to assert less and still do.
    weaker: Vec<String>,
}

/// Compares what was measured with the loop so far. `None` without a state.
pub fn compare(
    context: &HookContext,
    gathered: &GatheredMetrics,
    record: &TestRecord,
) -> Option<MeasuredChanges> {
    let state = context.state()?;
    let lines = pair(&state, LINES, gathered.coverage, record);
    // What asserts less is looked for only where the rest of the compound is there.
    let may_be_gamed = gathered.passes && lines.is_some_and(|(before, now)| now < before - COVERAGE_NOISE);
    let weaker = if may_be_gamed { weaker(context, &state) } else { Vec::new() };
    let figures = LoopFigures {
        lines,
        branches: pair(&state, BRANCHES, gathered.branches, record),
        passes: gathered.passes,
        weaker_tests: weaker.len(),
        iterations: state.iteration,
        gained: None,
        gives_up: false,
    };
    let mut fallen = Vec::new();
    // One type gives one event: the branches tell a small fall of the lines, too.
    let of_branches = branches(&state, gathered.branches, record, &figures);
    fallen.extend(of_branches.or_else(|| coverage(&state, gathered.coverage, record)));
    fallen.extend(broken(gathered, record));
    fallen.extend(not_run(&state, gathered, record));
    fallen.extend(unlisted(context, &state, gathered, record));
    let own = own_tests::taken_away(context, gathered, record);
    fallen.extend(fewer(&state, gathered, record, own, &fallen));
    leave_others(context, &state, &mut fallen);
    fallen.retain_mut(|one| context.config.looks_for(one.kind) && weighed(one, &figures, &context.config));
    Some(MeasuredChanges { fallen, state, figures, weaker })
}

/// Takes out what other loops have lost: they are asked about it.
fn leave_others(context: &HookContext, state: &LoopState, fallen: &mut Vec<FallenFigure>) {
    let may_be_theirs = |one: &FallenFigure| one.kind.is_of_tests() && one.figure != TESTS_RUN;
    if !fallen.iter().any(may_be_theirs) {
        return;
    }
    let others = OthersLosses::read(&context.layout, &state.loop_id, state.started_at);
    fallen.retain(|one| {
        let count = |value: &Value| value.as_u64().unwrap_or_default();
        let missing = count(&one.before).saturating_sub(count(&one.after)).saturating_sub(others.given_up());
        let is_theirs = match one.lost.as_slice() {
            [] => missing == 0 && others.given_up() > 0 || others.explain(missing),
            lost => others.name(lost, last_part),
        };
        !(may_be_theirs(one) && is_theirs)
    });
}

impl MeasuredChanges {
    /// What the recovery protocol runs over: a fall of coverage is a pattern of the catalogue. `None` for another fall,
    /// for one that stops nothing, and for one that is open already.
    pub fn to_recover(&self, context: &HookContext, one: &FallenFigure) -> Option<Finding> {
        let finding = finding(one, &self.figures).filter(|_| stops(context, one))?;
        (!is_open(&self.state, one)).then_some(finding)
    }

    /// A pass that is bought with weaker tests and less coverage is recorded once in an iteration, for the recovery
    /// protocol to run over.
    pub fn gamed(&self, context: &mut HookContext) -> Option<Finding> {
        let state = context.state().filter(|_| (trends::GAMED.holds)(&self.figures))?;
        let iteration = state.iteration.max(1);
        let since = state.taken_back_at();
        let is_told = state.detected_patterns.iter().any(|hit| {
            let is_current = hit.iteration == iteration && since.is_none_or(|since| hit.timestamp > since);
            hit.pattern_id == trends::GAMED.pattern.id && (is_current || hit.false_positive)
        });
        if is_told || !context.config.looks_for(RegressionType::AssertionWeakening) {
            return None;
        }
        let (path, _) = self.weaker.first().and_then(|name| name.split_once(": "))?;
        let of_file = self.weaker.iter().filter_map(|name| name.strip_prefix(path)?.strip_prefix(": "));
        let finding = Finding {
            lost: of_file.map(str::to_owned).collect(),
            ..trends::GAMED.pattern.finding(path, self.figures.in_words())
        };
        let finding = as_configured(finding, &context.config)?;
        let now = context.env.now;
        context
            .change_state(Durability::Process, |state| records::push_pattern(state, &finding, "stop", now));
        Some(finding)
    }
}

/// Records what fell.
pub fn record_fallen(context: &mut HookContext, one: &FallenFigure) {
    let (stops, now) = (stops(context, one), context.env.now);
    context.change_state(Durability::Process, |state| note(state, one, stops, now));
}

/// Closes what is back.
pub fn close_what_is_back(context: &mut HookContext, gathered: &GatheredMetrics, record: &TestRecord) {
    context.change_state(Durability::Process, |state| close(state, gathered, record));
}

/// A count of tests that fell in an earlier iteration, or by most of them in this one, is not back, and about which nobody
/// was asked: the event's id, what to ask, and how bad it is.
pub fn unmended_count(state: &LoopState) -> Option<(String, String, Severity)> {
    let of_count = |event: &&RegressionEvent| {
        let is_due = event.iteration < state.iteration.max(1) || event.severity == Severity::Critical;
        (event.is_of_figure(TESTS_RUN) || event.is_of_figure(LISTED)) && is_due
    };
    let event = state.open_regressions().filter(of_count).find(|event| !event.human_gate_invoked)?;
    let value = |key: &str| event.details.get(key).map(Value::to_string).unwrap_or_default();
    let (before, now) = (value("baseline_value"), value("current_value"));
    let cause = event.details.get("cause").and_then(Value::as_str).unwrap_or_default();
    let lost = event.lost();
    let named = match lost.as_slice() {
        [] => "none was found missing by its name".to_owned(),
        lost => format!("these did not run: {}", first_of(lost, NAMED)),
    };
    let message = format!("{cause}: {before} before, {now} now, and {named}");
    Some((event.event_id.clone(), message, event.severity))
}

fn stops(context: &HookContext, one: &FallenFigure) -> bool {
    decision::act_on(one.severity, context.config.detection.mode) == CallDecision::Stop
}

/// The tests that were found to assert less and still do, as `file: name`.
fn weaker(context: &HookContext, state: &LoopState) -> Vec<String> {
    let of_kind = |kind| kind == RegressionType::AssertionWeakening;
    let open = state.open_regressions().filter(|event| of_kind(event.regression_type) && !is_measured(event));
    let small = cumulative_loss::all(context, state).into_iter().filter(|loss| of_kind(loss.kind));
    let small = small
        .flat_map(|loss| loss.lost.iter().map(|name| format!("{}: {name}", loss.path)).collect::<Vec<_>>());
    let mut all: Vec<String> = open.flat_map(RegressionEvent::lost).chain(small).collect();
    all.sort();
    all.dedup();
    all
}

fn finding(one: &FallenFigure, figures: &LoopFigures) -> Option<Finding> {
    if one.kind != RegressionType::CoverageRegression {
        return None;
    }
    // A mode that stops at less has the mildest of them.
    let found = held(one, figures).unwrap_or(&trends::DROPPED);
    let of = if one.figure == BRANCHES { "coverage of branches" } else { "coverage" };
    let what = format!("{of} is {}%, {} was {}%", one.after, one.reference, one.before);
    Some(Finding { severity: one.severity, ..found.pattern.finding("", what) })
}

/// The pattern of the catalogue that a fall is.
fn held(one: &FallenFigure, figures: &LoopFigures) -> Option<&'static TrendPattern> {
    let mut patterns = TREND_PATTERNS.iter().filter(|it| it.pattern.regression_type == Some(one.kind));
    patterns.find(|it| (it.holds)(figures)).copied()
}

/// Gives a fall the severity that the configuration has for its pattern; whether the pattern is on.
fn weighed(one: &mut FallenFigure, figures: &LoopFigures, config: &Config) -> bool {
    if one.kind != RegressionType::CoverageRegression || held(one, figures).is_none() {
        return true;
    }
    let Some(found) = finding(one, figures).and_then(|found| as_configured(found, config)) else {
        return false;
    };
    one.severity = found.severity;
    true
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::state::records::Baseline;

    fn state(baseline: f64) -> LoopState {
        LoopState {
            baseline_metrics: Some(Baseline { coverage_percentage: Some(baseline), ..Baseline::default() }),
            iteration: 2,
            ..LoopState::default()
        }
    }

    #[test]
    fn one_event_for_a_type_in_an_iteration_which_closes_when_the_figure_is_back() {
        let mut state = state(85.0);
        let record = TestRecord::default();
        for now in [75.0, 70.0] {
            let one = coverage(&state, Some(now), &record).unwrap();
            note(&mut state, &one, true, Timestamp::UNIX_EPOCH);
        }
        assert_eq!(state.regression_events.len(), 1);
        assert_eq!(state.regression_events[0].details["current_value"], 70.0);
        close(&mut state, &GatheredMetrics { coverage: Some(80.0), ..GatheredMetrics::default() }, &record);
        assert!(state.regression_events[0].is_open());
        close(&mut state, &GatheredMetrics { coverage: Some(84.5), ..GatheredMetrics::default() }, &record);
        assert!(!state.regression_events[0].is_open());
        // What is within the tolerance is recorded and holds nothing up.
        let low = coverage(&state, Some(84.0), &record).unwrap();
        state.iteration = 3;
        note(&mut state, &low, false, Timestamp::UNIX_EPOCH);
        assert_eq!((state.regression_events.len(), state.open_regressions().count()), (2, 0));
    }
}
