//! Regressions that only measuring shows: coverage that fell, tests that passed and fail now, tests that the runner no
//! longer lists.
//!
//! Each figure is compared with the baseline, the previous iteration and the high-water mark, so that slow erosion
//! adds up. One type gives one event in an iteration; what is within the tolerance of the severity table is recorded
//! and holds nothing up.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::laziness_detector::as_configured;
use crate::agents::regression_detector::{COVERAGE_NOISE, coverage_severity};
use crate::checkpoint::watch::Watch;
use crate::config::Config;
use crate::detectors::trends;
use crate::detectors::trends::{LoopFigures, TREND_PATTERNS, TrendPattern};
use crate::languages;
use crate::lifecycle::call::decision;
use crate::lifecycle::call::decision::Act;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::hooks::regression_detected;
use crate::lifecycle::iteration::metrics::Gathered;
use crate::lifecycle::measuring::measure::BRANCHES;
use crate::lifecycle::regression::{cumulative_loss, records};
use crate::model::finding::{Finding, RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{RecoveryOutcome, RegressionEvent, lost_key};
use crate::state::test_record::TestRecord;

/// The coverage of lines in a baseline and a snapshot.
const LINES: &str = "coverage_percentage";
/// How many lost tests are looked for in the sources.
const LOOKED_FOR: usize = 200;

/// A figure that fell.
#[derive(Debug, Clone, PartialEq)]
struct Fallen {
    kind: RegressionType,
    severity: Severity,
    before: Value,
    after: Value,
    /// What it is compared with: `baseline`, `previous iteration` or `high-water mark`.
    reference: &'static str,
    /// Names, as the runner gives them.
    lost: Vec<String>,
    cause: &'static str,
    /// The figure, under its name in a snapshot.
    figure: &'static str,
}

/// Records what fell in the iteration that ends now, and closes what is back.
pub fn look(context: &mut HookContext, gathered: &Gathered, record: &TestRecord) {
    let Some(state) = context.state() else { return };
    let mut fallen = Vec::new();
    let lines = pair(&state, LINES, gathered.coverage, record);
    // What asserts less is looked for only where the rest of the compound is there.
    let may_be_gamed = gathered.passes && lines.is_some_and(|(before, now)| now < before - COVERAGE_NOISE);
    let weaker = if may_be_gamed { weaker(context, &state) } else { Vec::new() };
    let course = LoopFigures {
        lines,
        branches: pair(&state, BRANCHES, gathered.branches, record),
        passes: gathered.passes,
        weaker_tests: weaker.len(),
        iterations: state.iteration,
        gained: None,
        gives_up: false,
    };
    // One type gives one event: the branches tell a small fall of the lines, too.
    let of_branches = branches(&state, gathered.branches, record, &course);
    fallen.extend(of_branches.or_else(|| coverage(&state, gathered.coverage, record)));
    fallen.extend(broken(gathered, record));
    fallen.extend(unlisted(context, &state, gathered, record));
    fallen.extend(fewer(&state, gathered, record, &fallen));
    fallen.retain_mut(|one| context.config.looks_for(one.kind) && weighed(one, &course, &context.config));
    let mode = context.config.detection.mode;
    let now = context.env.now;
    for one in &fallen {
        let stops = decision::act_on(one.severity, mode) == Act::Stop;
        // A fall of coverage is a pattern of the catalogue: the recovery protocol runs over it.
        if stops
            && let Some(finding) = finding(one, &course)
            && !is_open(&state, one)
        {
            regression_detected::run(context, &[finding], None);
        }
        context.change_state(Durability::Process, |state| note(state, one, stops, now));
    }
    gamed(context, &course, &weaker);
    context.change_state(Durability::Process, |state| close(state, gathered, record));
}

/// A figure at its best so far, and now.
fn pair(state: &LoopState, figure: &str, now: Option<f64>, record: &TestRecord) -> Option<(f64, f64)> {
    Some((best(state, figure, record)?.1, now?))
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

/// A pass that is bought with weaker tests and less coverage is told once in an iteration.
fn gamed(context: &mut HookContext, course: &LoopFigures, weaker: &[String]) {
    let Some(state) = context.state().filter(|_| (trends::GAMED.holds)(course)) else { return };
    let iteration = state.iteration.max(1);
    let is_told = state.detected_patterns.iter().any(|hit| {
        hit.pattern_id == trends::GAMED.pattern.id && (hit.iteration == iteration || hit.false_positive)
    });
    if is_told || !context.config.looks_for(RegressionType::AssertionWeakening) {
        return;
    }
    let Some((path, _)) = weaker.first().and_then(|name| name.split_once(": ")) else { return };
    let of_file = weaker.iter().filter_map(|name| name.strip_prefix(path)?.strip_prefix(": "));
    let finding = Finding {
        lost: of_file.map(str::to_owned).collect(),
        ..trends::GAMED.pattern.finding(path, course.in_words())
    };
    let Some(finding) = as_configured(finding, &context.config) else { return };
    let now = context.env.now;
    context.change_state(Durability::Process, |state| records::push_pattern(state, &finding, "stop", now));
    regression_detected::run(context, &[finding], None);
}

/// The highest of the baseline, the previous iteration and the high-water mark, with its name. The first of equals: a
/// fall from the baseline is told as one.
fn best(state: &LoopState, field: &str, record: &TestRecord) -> Option<(&'static str, f64)> {
    let snapshot = || state.iteration_history.last()?.metrics_snapshot.get(field)?.as_f64();
    let baseline = state.baseline_metrics.as_ref().and_then(|baseline| match field {
        LINES => baseline.coverage_percentage,
        _ => baseline.branch_coverage_percentage,
    });
    let references = [
        ("baseline", baseline),
        ("previous iteration", snapshot()),
        ("high-water mark", record.high_water.get(field).copied()),
    ];
    // The first of equals: a fall from the baseline is told as one.
    let mut worst: Option<(&'static str, f64)> = None;
    for (name, before) in references {
        if let Some(before) = before.filter(|before| worst.is_none_or(|(_, so_far)| *before > so_far)) {
            worst = Some((name, before));
        }
    }
    worst
}

fn coverage(state: &LoopState, now: Option<f64>, record: &TestRecord) -> Option<Fallen> {
    let now = now?;
    let (reference, before) = best(state, LINES, record)?;
    let severity = coverage_severity(before - now)?;
    Some(Fallen {
        kind: RegressionType::CoverageRegression,
        severity,
        before: json!(before),
        after: json!(now),
        reference,
        lost: Vec::new(),
        cause: "coverage fell",
        figure: LINES,
    })
}

/// Branches that are no longer taken, where the lines do not tell it already.
fn branches(
    state: &LoopState,
    now: Option<f64>,
    record: &TestRecord,
    course: &LoopFigures,
) -> Option<Fallen> {
    let (reference, before) = best(state, BRANCHES, record)?;
    (trends::BRANCHES_DROPPED.holds)(course).then_some(Fallen {
        kind: RegressionType::CoverageRegression,
        severity: trends::BRANCHES_DROPPED.pattern.severity,
        before: json!(before),
        after: json!(now?),
        reference,
        lost: Vec::new(),
        cause: "the coverage of branches fell",
        figure: BRANCHES,
    })
}

/// Tests that passed when they were last verified, and fail now. A flaky one is none.
fn broken(gathered: &Gathered, record: &TestRecord) -> Option<Fallen> {
    let run = gathered.run.as_ref()?;
    let failed = run.named(crate::metrics::Outcome::Failed);
    let lost: Vec<String> = failed
        .filter(|name| record.passed.contains_key(*name) && !record.flaky.contains(*name))
        .map(str::to_owned)
        .collect();
    (!lost.is_empty()).then(|| Fallen {
        kind: RegressionType::FeatureRemoval,
        severity: Severity::High,
        before: json!(record.passed.len()),
        after: json!(record.passed.len() - lost.len().min(record.passed.len())),
        reference: "previous iteration",
        lost,
        cause: "tests that passed fail now",
        figure: "",
    })
}

/// Tests that the runner listed at the start and does not list now, though their sources still hold them.
fn unlisted(
    context: &HookContext,
    state: &LoopState,
    gathered: &Gathered,
    record: &TestRecord,
) -> Option<Fallen> {
    let listed: BTreeSet<&str> = gathered.listed.as_ref()?.iter().map(String::as_str).collect();
    let accounted = accounted_for(state);
    let gone: Vec<&String> = record
        .listed
        .iter()
        .filter(|name| {
            !listed.contains(name.as_str())
                && !accounted.iter().any(|lost| last_part(lost) == last_part(name))
        })
        .take(LOOKED_FOR)
        .collect();
    if gone.is_empty() {
        return None;
    }
    let watch = Watch::read(&context.layout, &state.loop_id)?;
    let mut held = BTreeSet::new();
    for path in watch.files.keys() {
        let text =
            crate::lifecycle::call::view::read_text(&context.project.root().join(path)).unwrap_or_default();
        let names = languages::test_names(path, &text).unwrap_or_default();
        held.extend(names.iter().map(|name| last_part(name).to_owned()));
    }
    let now: BTreeSet<&str> = listed.iter().map(|name| last_part(name)).collect();
    // A test that moved has another path and the same name.
    let lost: Vec<String> = gone
        .into_iter()
        .filter(|name| held.contains(last_part(name)) && !now.contains(last_part(name)))
        .cloned()
        .collect();
    (!lost.is_empty()).then(|| Fallen {
        kind: RegressionType::TestSkipping,
        severity: Severity::High,
        before: json!(record.listed.len()),
        after: json!(listed.len()),
        reference: "baseline",
        lost,
        cause: "tests that are still in the sources are no longer run",
        figure: "",
    })
}

/// Fewer tests than there were, where nothing else tells why: the detectors saw the change and found no loss, as when
/// tests become rows of a table.
fn fewer(state: &LoopState, gathered: &Gathered, record: &TestRecord, others: &[Fallen]) -> Option<Fallen> {
    let (now, start) = gathered.tests?;
    let high = record.high_water.get("test_count").map(|high| *high as u64);
    let (reference, before) = match high {
        Some(high) if high > start => ("high-water mark", high),
        _ => ("baseline", start),
    };
    let of_tests =
        |kind: RegressionType| matches!(kind, RegressionType::TestDeletion | RegressionType::TestSkipping);
    let told = state.regression_events.iter().any(|event| of_tests(event.regression_type));
    (now < before && !told && !others.iter().any(|one| of_tests(one.kind))).then(|| Fallen {
        kind: RegressionType::TestDeletion,
        severity: Severity::Low,
        before: json!(before),
        after: json!(now),
        reference,
        lost: Vec::new(),
        cause: "there are fewer tests, and no lost one was found",
        figure: "",
    })
}

/// What events already tell as lost.
fn accounted_for(state: &LoopState) -> Vec<String> {
    state.regression_events.iter().flat_map(RegressionEvent::lost).collect()
}

/// `adds` of `src/lib.rs > tests::adds`, of `test_shop.py::test_adds[1]` its name without the parameter.
fn last_part(name: &str) -> &str {
    let after = name.rsplit(" > ").next().unwrap_or(name);
    let after = after.rsplit("::").next().unwrap_or(after);
    let after = after.rsplit(": ").next().unwrap_or(after);
    let plain = after.split('[').next().filter(|plain| !plain.is_empty()).unwrap_or(after);
    // Go's are `example.com/shop.TestAdds`.
    plain.rsplit('.').next().filter(|word| word.starts_with("Test") && plain.contains('/')).unwrap_or(plain)
}

fn finding(one: &Fallen, course: &LoopFigures) -> Option<Finding> {
    if one.kind != RegressionType::CoverageRegression {
        return None;
    }
    // A mode that stops at less has the mildest of them.
    let found = held(one, course).unwrap_or(&trends::DROPPED);
    let of = if one.figure == BRANCHES { "coverage of branches" } else { "coverage" };
    let what = format!("{of} is {}%, {} was {}%", one.after, one.reference, one.before);
    Some(Finding { severity: one.severity, ..found.pattern.finding("", what) })
}

/// The pattern of the catalogue that a fall is.
fn held(one: &Fallen, course: &LoopFigures) -> Option<&'static TrendPattern> {
    let mut patterns = TREND_PATTERNS.iter().filter(|it| it.pattern.regression_type == Some(one.kind));
    patterns.find(|it| (it.holds)(course)).copied()
}

/// Gives a fall the severity that the configuration has for its pattern; whether the pattern is on.
fn weighed(one: &mut Fallen, course: &LoopFigures, config: &Config) -> bool {
    if one.kind != RegressionType::CoverageRegression || held(one, course).is_none() {
        return true;
    }
    let Some(found) = finding(one, course).and_then(|found| as_configured(found, config)) else {
        return false;
    };
    one.severity = found.severity;
    true
}

fn is_open(state: &LoopState, one: &Fallen) -> bool {
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
fn note(state: &mut LoopState, one: &Fallen, stops: bool, now: Timestamp) {
    let iteration = state.iteration.max(1);
    let existing = state.regression_events.iter_mut().rev().find(|event| {
        let same = event.regression_type == one.kind && event.human_decision.is_none();
        same && (event.iteration == iteration || event.is_open() && is_measured(event))
    });
    let diff = json!({lost_key(one.kind): one.lost});
    let details = Map::from_iter([
        ("baseline_value".to_owned(), one.before.clone()),
        ("current_value".to_owned(), one.after.clone()),
        ("diff".to_owned(), diff),
        ("reference".to_owned(), json!(one.reference)),
        ("cause".to_owned(), json!(one.cause)),
        ("figure".to_owned(), json!(one.figure)),
    ]);
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

/// Closes the measured events whose figure is back.
fn close(state: &mut LoopState, gathered: &Gathered, record: &TestRecord) {
    let passes = |name: &String| {
        record.flaky.contains(name)
            || gathered
                .run
                .as_ref()
                .is_some_and(|run| run.by_name.get(name) == Some(&crate::metrics::Outcome::Passed))
    };
    let listed = |name: &String| gathered.listed.as_ref().is_some_and(|listed| listed.contains(name));
    for event in state.regression_events.iter_mut().filter(|event| event.is_open() && is_measured(event)) {
        let before = event.details.get("baseline_value").and_then(Value::as_f64);
        let lost = event.lost();
        let back = match event.regression_type {
            RegressionType::CoverageRegression => {
                let of_branches = event.details.get("figure").and_then(Value::as_str) == Some(BRANCHES);
                let now = if of_branches { gathered.branches } else { gathered.coverage };
                before.zip(now).is_some_and(|(before, now)| now >= before - COVERAGE_NOISE)
            }
            RegressionType::FeatureRemoval => !lost.is_empty() && lost.iter().all(passes),
            _ => !lost.is_empty() && lost.iter().all(listed),
        };
        if back {
            event.recovery_outcome = Some(RecoveryOutcome::Success);
        }
    }
    state.note_regressions();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Outcome, Tests};
    use crate::state::records::{Baseline, IterationRecord};

    fn state(baseline: f64, previous: Option<f64>) -> LoopState {
        let record = |coverage: f64| IterationRecord {
            iteration: 1,
            metrics_snapshot: Map::from_iter([("coverage_percentage".to_owned(), json!(coverage))]),
            ..IterationRecord::default()
        };
        LoopState {
            baseline_metrics: Some(Baseline { coverage_percentage: Some(baseline), ..Baseline::default() }),
            iteration_history: previous.map(record).into_iter().collect(),
            iteration: 2,
            ..LoopState::default()
        }
    }

    #[test]
    fn coverage_is_compared_with_three_references() {
        let high = |percent: f64| TestRecord {
            high_water: [("coverage_percentage".to_owned(), percent)].into(),
            ..TestRecord::default()
        };
        // baseline, previous, high-water mark, now -> severity and reference
        let rows = [
            (85.0, None, 85.0, 84.6, None),
            (85.0, None, 85.0, 84.0, Some((Severity::Low, "baseline"))),
            (85.0, Some(85.0), 85.0, 82.0, Some((Severity::Medium, "baseline"))),
            (80.0, Some(90.0), 90.0, 82.0, Some((Severity::High, "previous iteration"))),
            // each step is small, together they are not
            (80.0, Some(83.0), 88.0, 82.0, Some((Severity::High, "high-water mark"))),
            (92.0, None, 92.0, 70.0, Some((Severity::Critical, "baseline"))),
            (80.0, Some(80.0), 80.0, 95.0, None),
        ];
        for (baseline, previous, mark, now, expected) in rows {
            let fallen = coverage(&state(baseline, previous), Some(now), &high(mark));
            assert_eq!(
                fallen.map(|one| (one.severity, one.reference)),
                expected,
                "{baseline} {previous:?} {mark} {now}"
            );
        }
        assert_eq!(coverage(&state(85.0, None), None, &high(85.0)), None);
    }

    #[test]
    fn a_passing_test_that_fails_counts_and_a_flaky_one_does_not() {
        let run = |outcome| {
            let mut run = Tests::default();
            run.by_name.insert("a".to_owned(), outcome);
            Gathered { run: Some(run), ..Gathered::default() }
        };
        let mut record = TestRecord { passed: [("a".to_owned(), 1)].into(), ..TestRecord::default() };
        assert_eq!(broken(&run(Outcome::Failed), &record).map(|one| one.lost), Some(vec!["a".to_owned()]));
        assert_eq!(broken(&run(Outcome::Passed), &record), None);
        assert_eq!(broken(&run(Outcome::Failed), &TestRecord::default()), None);
        record.flaky.insert("a".to_owned());
        assert_eq!(broken(&run(Outcome::Failed), &record), None);
    }

    #[test]
    fn one_event_for_a_type_in_an_iteration_which_closes_when_the_figure_is_back() {
        let mut state = state(85.0, None);
        let record = TestRecord::default();
        for now in [75.0, 70.0] {
            let one = coverage(&state, Some(now), &record).unwrap();
            note(&mut state, &one, true, Timestamp::UNIX_EPOCH);
        }
        assert_eq!(state.regression_events.len(), 1);
        assert_eq!(state.regression_events[0].details["current_value"], 70.0);
        close(&mut state, &Gathered { coverage: Some(80.0), ..Gathered::default() }, &record);
        assert!(state.regression_events[0].is_open());
        close(&mut state, &Gathered { coverage: Some(84.5), ..Gathered::default() }, &record);
        assert!(!state.regression_events[0].is_open());
        // What is within the tolerance is recorded and holds nothing up.
        let low = coverage(&state, Some(84.0), &record).unwrap();
        state.iteration = 3;
        note(&mut state, &low, false, Timestamp::UNIX_EPOCH);
        assert_eq!((state.regression_events.len(), state.open_regressions().count()), (2, 0));
    }

    #[test]
    fn names_without_their_place() {
        let rows = [
            ("src/lib.rs > tests::adds", "adds"),
            ("test_shop.py::TestCart::test_one[1]", "test_one"),
            ("src/sum.test.ts > sum > adds", "adds"),
            ("example.com/shop.TestAdds", "TestAdds"),
            ("sum.test.js: sum adds", "sum adds"),
        ];
        for (name, expected) in rows {
            assert_eq!(last_part(name), expected);
        }
    }
}
