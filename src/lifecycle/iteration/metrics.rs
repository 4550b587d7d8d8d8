//! What is measured when an iteration ends: from its verification, from report files that changed, from the agent's own
//! runs, and from commands that were quick at the start.
//!
//! Invariant: two figures are compared only when they come from the same source. What costs a process is run only
//! where the baseline was measured so.

use std::time::SystemTime;

use serde_json::{Map, Value, json};

use crate::agents::progress_tracker::{CheckFact, ProgressFacts};
use crate::agents::prompt_reinforcement;
use crate::checkpoint::watch::Watch;
use crate::languages::Language;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::proving::CompletionProof;
use crate::lifecycle::iteration::figures::verified_coverage;
use crate::lifecycle::iteration::test_run::{results, test_run};
use crate::lifecycle::measuring::measure::Figures;
use crate::lifecycle::measuring::reports;
use crate::loops::verification::VerificationResult;
use crate::metrics::{ReportReading, TestOutcome, Tests};
use crate::state::loop_state::LoopState;
use crate::state::records::{Artifact, Baseline, DetectedPattern};

/// A line longer than this counts as hard to read, in characters.
const LONG_LINE: usize = 120;
/// How many changed sources are read for their lines.
const READ: usize = 200;

/// What was measured.
#[derive(Debug, Clone, Default)]
pub struct GatheredMetrics {
    /// `metrics_snapshot`; without what is not known.
    pub snapshot: Map<String, Value>,
    /// `test_results`; null when no runner told.
    pub test_results: Value,
    /// What the score is made from.
    pub facts: ProgressFacts,
    /// The test run of the verification, by name where its runner names tests.
    pub run: Option<Tests>,
    /// The tests that the runner lists, where it was asked.
    pub listed: Option<Vec<String>>,
    /// Tests now and at the start from one source.
    pub tests: Option<(u64, u64)>,
    /// Whether a runner listed both.
    pub are_listed: bool,
    /// How many tests had to run in a verification that would hold otherwise, and how many did.
    pub fewer_run: Option<(u64, u64)>,
    /// Coverage in percent.
    pub coverage: Option<f64>,
    /// The coverage of branches in percent.
    pub branches: Option<f64>,
    /// Whether the verification passes.
    pub passes: bool,
    /// What a proof of a pass said, where one was run.
    pub proof: Option<CompletionProof>,
}

/// Puts together what `verification` and the commands of [`figures`] told, and what lies in the project since `began`,
/// when the first of them was started.
pub fn gather(
    context: &HookContext,
    state: &LoopState,
    verification: &VerificationResult,
    mut figures: Figures,
    began: SystemTime,
) -> GatheredMetrics {
    let baseline = state.baseline_metrics.clone().unwrap_or_default();
    let (run, source) = test_run(context, state, verification, began);
    let of_iteration = state.iteration_history.last().map_or(state.started_at, |record| record.timestamp);
    if let Ok(Some(report)) = reports::coverage(context.project.root(), reports::on_disk(of_iteration)) {
        figures.add_report(&report.path, &report.reading);
    }
    add_verified(&mut figures, verification, run.as_ref());
    let counted = Watch::read(&context.layout, &state.loop_id).map(|watch| watch.tests());
    let tests = compared(&baseline, &figures, counted);
    let are_listed = was_listed(&baseline) && figures.test_count.is_some();
    let mut snapshot = figures.fields();
    if let Some((_, now)) = tests {
        snapshot.insert("test_count".to_owned(), json!(now));
    }
    let status = if verification.passed { "passed" } else { "failed" };
    snapshot.insert("verification_status".to_owned(), json!(status));
    let run = run.and_then(|run| run.tests);
    GatheredMetrics {
        test_results: results(run.as_ref(), figures.coverage, status, source),
        facts: ProgressFacts {
            tests,
            run: run.as_ref().and_then(|run| outcomes(run, tests)),
            checks: verification.checks.iter().map(|check| check_fact(check, tests)).collect(),
            ..facts(state, &baseline, &figures)
        },
        run,
        listed: (!figures.test_names.is_empty()).then_some(figures.test_names),
        tests: tests.map(|(start, now)| (now, start)),
        coverage: figures.coverage,
        branches: figures.branches,
        are_listed,
        fewer_run: verification.checks.iter().find_map(|check| check.fewer_tests),
        passes: verification.passed,
        proof: None,
        snapshot,
    }
}

/// Adds what the verification and the test run told to the figures. What the verification says goes first.
fn add_verified(figures: &mut Figures, verification: &VerificationResult, run: Option<&ReportReading>) {
    let of_checks = verification.checks.iter().rev().find_map(|check| check.reading.branches);
    figures.branches = of_checks.or(figures.branches).or(run.and_then(|run| run.branches));
    let printed = run.and_then(|run| run.coverage);
    figures.coverage = verified_coverage(verification).next_back().or(figures.coverage).or(printed);
    for check in &verification.checks {
        figures.types = figures.types.or(check.reading.types);
        figures.lint = figures.lint.or(check.reading.lint);
        let is_tsc = check.reading.formats.iter().any(|format| format == "tsc");
        let clean_tsc = check.passed && check.command.contains("tsc");
        if figures.typescript.is_none() && (is_tsc || clean_tsc) {
            figures.typescript = Some(check.reading.types.unwrap_or_default().errors);
            figures.types = figures.types.or(Some(check.reading.types.unwrap_or_default()));
        }
    }
}

/// What the score is made from, without the tests and the commands.
fn facts(state: &LoopState, baseline: &Baseline, figures: &Figures) -> ProgressFacts {
    ProgressFacts {
        coverage: baseline.coverage_percentage.zip(figures.coverage),
        type_errors: baseline.type_errors.zip(figures.types.map(|types| types.errors)),
        lint: lint_at_start(baseline).zip(figures.lint.map(|lint| weighed(lint.errors, lint.warnings))),
        open_regressions: state.open_regressions().count() as u32,
        repeated_errors: prompt_reinforcement::repeated(&json!(state.error_history)).saturating_sub(1),
        stopped_calls: stopped_calls(state),
        ..ProgressFacts::default()
    }
}

/// Lines of the changed sources, and those of them that are long.
pub fn changed_lines(context: &HookContext, artifacts: &[Artifact]) -> (u64, u64) {
    let is_source =
        |artifact: &&Artifact| !artifact.without_call && Language::of_path(&artifact.path).is_some();
    let sources = artifacts.iter().filter(is_source).take(READ);
    let texts = sources.filter_map(|artifact| read_text(&context.project.root().join(&artifact.path)));
    texts.fold((0, 0), |(lines, long), text| {
        let is_long = |line: &&str| line.len() > LONG_LINE && line.chars().count() > LONG_LINE;
        (lines + text.lines().count() as u64, long + text.lines().filter(is_long).count() as u64)
    })
}

/// Tests at the start and now: as the runner lists them both times, or as the sources hold them both times.
fn compared(baseline: &Baseline, figures: &Figures, counted: Option<u64>) -> Option<(u64, u64)> {
    let at_start = baseline.inventory_test_count;
    let was_listed = was_listed(baseline);
    match (was_listed, figures.test_count) {
        (true, Some(now)) => Some((baseline.test_count?, now)),
        _ => Some((at_start.or(baseline.test_count.filter(|_| !was_listed))?, counted?)),
    }
}

/// Whether a runner listed the tests at the start.
fn was_listed(baseline: &Baseline) -> bool {
    let of_tests =
        baseline.sources.as_ref().and_then(|sources| sources.get("test_count")?.get(0)?.get("command"));
    of_tests.is_some()
}

fn check_fact(check: &crate::loops::verification::CheckResult, counted: Option<(u64, u64)>) -> CheckFact {
    let tests = check.reading.tests.as_ref().and_then(|tests| outcomes(tests, counted));
    CheckFact { passed: check.passed, tests }
}

/// How many tests of a run passed and failed. Where the runner names only what failed, the others of those that are
/// `counted` passed, unless something failed that has no name: nobody knows then what ran.
fn outcomes(run: &Tests, counted: Option<(u64, u64)>) -> Option<(u64, u64)> {
    if !run.partial {
        return Some((run.passed, run.failed));
    }
    let is_named = run.named(TestOutcome::Failed).count() as u64 >= run.failed;
    let (_, all) = counted.filter(|_| is_named)?;
    Some((run.passed.max(all.saturating_sub(run.failed + run.skipped)), run.failed))
}

fn lint_at_start(baseline: &Baseline) -> Option<f64> {
    Some(weighed(baseline.lint_errors?, baseline.lint_warnings.unwrap_or(0)))
}

/// A warning is a quarter of an error.
fn weighed(errors: u64, warnings: u64) -> f64 {
    errors as f64 + warnings as f64 / 4.0
}

/// Calls of this iteration that were asked about, denied or had to be taken back.
fn stopped_calls(state: &LoopState) -> u32 {
    let iteration = state.iteration.max(1);
    // What a person took back is none of the attempt that follows.
    let since = state.taken_back_at();
    let is_of_it = |hit: &&DetectedPattern| {
        hit.iteration == iteration && !hit.false_positive && since.is_none_or(|since| hit.timestamp > since)
    };
    let of_iteration = state.detected_patterns.iter().filter(is_of_it);
    let stopped =
        of_iteration.filter(|hit| matches!(hit.verdict.as_deref(), Some("deny" | "ask" | "feedback")));
    u32::try_from(stopped.map(DetectedPattern::times).sum::<u64>()).unwrap_or(u32::MAX)
}
