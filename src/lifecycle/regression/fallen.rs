//! Figures that fell: coverage, tests that passed and fail now, tests that the runner no longer lists.
//!
//! Each figure is compared with the baseline, the previous iteration and the high-water mark, so that slow erosion
//! adds up.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::agents::regression_detector::coverage_severity;
use crate::checkpoint::watch::Watch;
use crate::detectors::trends;
use crate::detectors::trends::LoopFigures;
use crate::languages;
use crate::languages::Language;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::measuring::measure::BRANCHES;
use crate::metrics::TestOutcome;
use crate::model::finding::{RegressionType, Severity};
use crate::state::loop_state::LoopState;
use crate::state::records::{RegressionEvent, TESTS_RUN};
use crate::state::test_record::TestRecord;

/// The coverage of lines in a baseline and a snapshot.
pub(crate) const LINES: &str = "coverage_percentage";

/// The number of tests that there are.
pub(crate) const LISTED: &str = "test_count";

/// How many lost tests are looked for in the sources.
const LOOKED_FOR: usize = 200;

/// A figure that fell.
#[derive(Debug, Clone, PartialEq)]
pub struct FallenFigure {
    pub(crate) kind: RegressionType,
    pub(crate) severity: Severity,
    pub(crate) before: Value,
    pub(crate) after: Value,
    /// What it is compared with: `baseline`, `previous iteration` or `high-water mark`.
    pub(crate) reference: &'static str,
    /// Names, as the runner gives them.
    pub(crate) lost: Vec<String>,
    pub(crate) cause: &'static str,
    /// The figure, under its name in a snapshot.
    pub(crate) figure: &'static str,
}

/// A figure at its best so far, and now.
pub(crate) fn pair(
    state: &LoopState,
    figure: &str,
    now: Option<f64>,
    record: &TestRecord,
) -> Option<(f64, f64)> {
    Some((best(state, figure, record)?.1, now?))
}

/// The highest of the baseline, the previous iteration and the high-water mark, with its name. The first of equals: a
/// fall from the baseline is told as one.
fn best(state: &LoopState, field: &str, record: &TestRecord) -> Option<(&'static str, f64)> {
    let last = || state.kept_iterations().next_back().filter(|_| !record.put_back);
    let snapshot = || last()?.metrics_snapshot.get(field)?.as_f64();
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

pub(crate) fn coverage(state: &LoopState, now: Option<f64>, record: &TestRecord) -> Option<FallenFigure> {
    let now = now?;
    let (reference, before) = best(state, LINES, record)?;
    let severity = coverage_severity(before - now)?;
    Some(FallenFigure {
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
pub(crate) fn branches(
    state: &LoopState,
    now: Option<f64>,
    record: &TestRecord,
    figures: &LoopFigures,
) -> Option<FallenFigure> {
    let (reference, before) = best(state, BRANCHES, record)?;
    (trends::BRANCHES_DROPPED.holds)(figures).then_some(FallenFigure {
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
pub(crate) fn broken(gathered: &GatheredMetrics, record: &TestRecord) -> Option<FallenFigure> {
    let run = gathered.run.as_ref()?;
    let failed = run.named(TestOutcome::Failed);
    let lost: Vec<String> = failed
        .filter(|name| record.passed.contains_key(*name) && !record.flaky.contains(*name))
        .map(str::to_owned)
        .collect();
    (!lost.is_empty()).then(|| FallenFigure {
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
pub(crate) fn unlisted(
    context: &HookContext,
    state: &LoopState,
    gathered: &GatheredMetrics,
    record: &TestRecord,
) -> Option<FallenFigure> {
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
    let held = names_in_sources(context, &state.loop_id)?;
    let now: BTreeSet<&str> = listed.iter().map(|name| last_part(name)).collect();
    // A test that moved has another path and the same name.
    let lost: Vec<String> = gone
        .into_iter()
        .filter(|name| held.contains(last_part(name)) && !now.contains(last_part(name)))
        .cloned()
        .collect();
    (!lost.is_empty()).then(|| FallenFigure {
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

/// The names of the tests that the watched files hold.
fn names_in_sources(context: &HookContext, loop_id: &str) -> Option<BTreeSet<String>> {
    let watch = Watch::read(&context.layout, loop_id)?;
    let mut held = BTreeSet::new();
    for path in watch.files.keys() {
        let text = crate::lifecycle::changes::file_text::read_text(&context.project.root().join(path))
            .unwrap_or_default();
        let names = languages::test_names(path, &text).unwrap_or_default();
        held.extend(names.iter().map(|name| last_part(name).to_owned()));
    }
    Some(held)
}

/// A verification that would hold, had it run as many tests as at the start. Where most of them are gone it says nothing.
pub(crate) fn not_run(
    state: &LoopState,
    gathered: &GatheredMetrics,
    record: &TestRecord,
) -> Option<FallenFigure> {
    let (least, ran) = gathered.fewer_run?;
    // An open loss by name holds the loop up already, and says more.
    let is_told = state.open_regressions().any(|event| {
        event.regression_type.is_of_tests() && !event.lost().is_empty() && !event.is_of_figure(TESTS_RUN)
    });
    let are_most_gone = ran.saturating_mul(2) < least;
    (!is_told).then(|| FallenFigure {
        kind: RegressionType::TestDeletion,
        severity: if are_most_gone { Severity::Critical } else { Severity::High },
        before: json!(least),
        after: json!(ran),
        reference: "baseline",
        lost: names_not_run(gathered, record, least.saturating_sub(ran)),
        cause: "the criterion's command passes with fewer tests than ran at the loop's start",
        figure: TESTS_RUN,
    })
}

/// The tests of the start of which the run of now tells nothing, by name. None where its names are other ones: nobody knows
/// then which of them ran.
fn names_not_run(gathered: &GatheredMetrics, record: &TestRecord, missing: u64) -> Vec<String> {
    let Some(run) = gathered.run.as_ref().filter(|run| !run.partial) else { return Vec::new() };
    let has_run = |outcome: &TestOutcome| *outcome != TestOutcome::Skipped;
    let ran = run.by_name.iter().filter(|(_, outcome)| has_run(outcome)).map(|(name, _)| name.as_str());
    // A file that ends before its first test counts as one under its own name.
    let ran: BTreeSet<&str> = ran.filter(|name| !is_test_file(name)).map(last_part).collect();
    let known: Vec<&String> = match (record.ran.as_slice(), record.listed.as_slice()) {
        ([], []) => record.passed.keys().collect(),
        ([], listed) => listed.iter().collect(),
        (ran, _) => ran.iter().collect(),
    };
    let known: Vec<&String> = known.into_iter().filter(|name| !is_test_file(name)).collect();
    let lost: Vec<String> =
        known.iter().filter(|name| !ran.contains(last_part(name))).map(|name| (*name).clone()).collect();
    let names: BTreeSet<&str> = known.iter().map(|name| last_part(name)).collect();
    let is_sure = ran.is_subset(&names) || lost.len() as u64 == missing;
    if is_sure { lost } else { Vec::new() }
}

/// Whether a runner's name is that of a test file, and of no test in it.
fn is_test_file(name: &str) -> bool {
    Language::of_path(name).is_some() && languages::is_test_path(name)
}

/// Fewer tests than there were, where nothing else tells why. Where the sources were counted, the detectors saw the change
/// and found no loss, as when tests become rows of a table; what a runner lists has each row, and fewer of it are a loss.
/// What the session added itself and took away again, `own`, is none.
pub(crate) fn fewer(
    state: &LoopState,
    gathered: &GatheredMetrics,
    record: &TestRecord,
    own: u64,
    others: &[FallenFigure],
) -> Option<FallenFigure> {
    let (now, start) = gathered.tests?;
    let high = record.high_water.get(LISTED).map(|high| (*high as u64).saturating_sub(own));
    let (reference, before) = match high {
        Some(high) if high > start => ("high-water mark", high),
        _ => ("baseline", start),
    };
    let of_tests = |event: &&RegressionEvent| event.regression_type.is_of_tests();
    let mut events = state.regression_events.iter().filter(of_tests);
    let told = match gathered.are_listed {
        true => {
            let given_up: u64 = state.regression_events.iter().map(RegressionEvent::tests_given_up).sum();
            now + given_up >= before || events.any(|event| event.is_open() && !event.lost().is_empty())
        }
        false => events.any(|event| !event.is_taken_back()),
    };
    (now < before && !told && !others.iter().any(|one| one.kind.is_of_tests())).then(|| FallenFigure {
        kind: RegressionType::TestDeletion,
        severity: if gathered.are_listed { Severity::High } else { Severity::Low },
        before: json!(before),
        after: json!(now),
        reference,
        lost: Vec::new(),
        cause: "there are fewer tests, and no lost one was found",
        figure: LISTED,
    })
}

/// What events already tell as lost.
fn accounted_for(state: &LoopState) -> Vec<String> {
    let counts = state.regression_events.iter().filter(|event| !event.is_taken_back());
    counts.flat_map(RegressionEvent::lost).collect()
}

/// `adds` of `src/lib.rs > tests::adds`, of `test_shop.py::test_adds[1]` its name without the parameter.
pub(crate) fn last_part(name: &str) -> &str {
    let after = name.rsplit(" > ").next().unwrap_or(name);
    let after = after.rsplit("::").next().unwrap_or(after);
    let after = after.rsplit(": ").next().unwrap_or(after);
    let plain = after.split('[').next().filter(|plain| !plain.is_empty()).unwrap_or(after);
    // Go's are `example.com/shop.TestAdds`, and `shop.TestAdds` in a module of one word.
    let is_go = |(package, name): &(&str, &str)| {
        let kinds = ["Test", "Example", "Fuzz"];
        kinds.iter().any(|kind| name.starts_with(kind)) && !package.contains(char::is_whitespace)
    };
    plain.rsplit_once('.').filter(is_go).map_or(plain, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Tests;
    use crate::state::records::{Baseline, IterationRecord};
    use serde_json::Map;

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
            GatheredMetrics { run: Some(run), ..GatheredMetrics::default() }
        };
        let mut record = TestRecord { passed: [("a".to_owned(), 1)].into(), ..TestRecord::default() };
        assert_eq!(
            broken(&run(TestOutcome::Failed), &record).map(|one| one.lost),
            Some(vec!["a".to_owned()])
        );
        assert_eq!(broken(&run(TestOutcome::Passed), &record), None);
        assert_eq!(broken(&run(TestOutcome::Failed), &TestRecord::default()), None);
        record.flaky.insert("a".to_owned());
        assert_eq!(broken(&run(TestOutcome::Failed), &record), None);
    }

    #[test]
    fn tests_that_did_not_run_are_named_where_the_run_names_its_own() {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let record =
            TestRecord { listed: named(&["a.test.js: one", "a.test.js: two"]), ..TestRecord::default() };
        // What ran, how many are missing, and which of them are named.
        let rows: [(&[&str], u64, &[&str]); 5] = [
            (&["one"], 1, &["a.test.js: two"]),
            (&["a.test.js"], 1, &["a.test.js: one", "a.test.js: two"]),
            (&["renamed"], 1, &[]),
            (&["renamed", "two"], 1, &["a.test.js: one"]),
            (&["test/a.test.js::one"], 1, &["a.test.js: two"]),
        ];
        for (ran, missing, expected) in rows {
            let by_name = ran.iter().map(|name| ((*name).to_owned(), TestOutcome::Passed)).collect();
            let run = Some(Tests { by_name, ..Tests::default() });
            let gathered = GatheredMetrics { run, ..GatheredMetrics::default() };
            assert_eq!(names_not_run(&gathered, &record, missing), named(expected), "{ran:?}");
        }
    }

    #[test]
    fn names_without_their_place() {
        let rows = [
            ("src/lib.rs > tests::adds", "adds"),
            ("test_shop.py::TestCart::test_one[1]", "test_one"),
            ("src/sum.test.ts > sum > adds", "adds"),
            ("example.com/shop.TestAdds", "TestAdds"),
            ("shop.TestAdds", "TestAdds"),
            ("shop.ExampleAdds", "ExampleAdds"),
            ("sum.test.js: sum adds", "sum adds"),
        ];
        for (name, expected) in rows {
            assert_eq!(last_part(name), expected);
        }
    }
}
