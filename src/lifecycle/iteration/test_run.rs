//! The test run of an iteration: of its verification, of report files, or the agent's own.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use serde_json::{Map, Value, json};

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::measuring::reports;
use crate::loops::verification::VerificationResult;
use crate::metrics::{ReportReading, TestOutcome, Tests};
use crate::state::loop_state::LoopState;
use crate::state::test_runs::TestRun;

/// The run that tells most of the tests: of the verification, of report files that it wrote, or the agent's own.
pub(crate) fn test_run(
    context: &HookContext,
    state: &LoopState,
    verification: &VerificationResult,
    since: SystemTime,
) -> (Option<ReportReading>, &'static str) {
    // Two commands may run the same tests: their numbers don't add up.
    let of_checks = verification.checks.iter().filter(|check| check.reading.tests.is_some());
    let most = of_checks.max_by_key(|check| check.reading.tests.as_ref().map_or(0, Tests::total));
    if let Some(check) = most {
        return (Some(check.reading.clone()), "verification");
    }
    if !verification.checks.is_empty()
        && let Some(reading) = reports::results(context.project.root(), since)
    {
        return (Some(reading), "verification");
    }
    let own =
        TestRun::read(&context.layout, &state.loop_id).filter(|run| run.iteration == state.iteration.max(1));
    let fresh = own.filter(|run| {
        let changed = crate::lifecycle::changes::touched::changed_files(context);
        !changed.iter().any(|path| {
            let changed =
                std::fs::metadata(context.project.root().join(path)).and_then(|file| file.modified());
            changed.is_ok_and(|changed| changed > reports::on_disk(run.at))
        })
    });
    match fresh {
        Some(run) => (Some(run.reading), "the agent's own run"),
        None => (None, ""),
    }
}

pub(crate) fn results(run: Option<&Tests>, coverage: Option<f64>, status: &str, source: &str) -> Value {
    let Some(run) = run else { return Value::Null };
    let mut results = Map::from_iter([
        ("failed".to_owned(), json!(run.failed)),
        ("verification_status".to_owned(), json!(status)),
        ("source".to_owned(), json!(source)),
    ]);
    // Where a runner does not count what passed, neither the sum is known.
    if !run.partial {
        results.insert("total".to_owned(), json!(run.total()));
        results.insert("passed".to_owned(), json!(run.passed));
        results.insert("skipped".to_owned(), json!(run.skipped));
    }
    if let Some(coverage) = coverage {
        results.insert("coverage".to_owned(), json!(coverage));
    }
    Value::Object(results)
}

/// The tests that a verification ran and that failed though they passed before, by the iteration in which they did.
pub fn newly_failing(verification: &VerificationResult, passed: &BTreeMap<String, u32>) -> BTreeSet<String> {
    let runs = verification.checks.iter().filter_map(|check| check.reading.tests.as_ref());
    let failed = runs.flat_map(|tests| tests.named(TestOutcome::Failed));
    failed.filter(|name| passed.contains_key(*name)).map(str::to_owned).collect()
}
