//! Whether a loop's criterion holds: its commands pass, run as many tests as at the start, and, where that was asked
//! for, pass with the tests of the start too.

use std::time::{Duration, Instant};

use crate::lifecycle::changes::touched;
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::lifecycle::criterion::others_losses::OthersLosses;
use crate::lifecycle::criterion::{original_tests, stale_build};
use crate::loops::verification::executed::executed;
use crate::loops::verification::{CheckResult, VerificationResult};
use crate::loops::{criteria, project_facts, verification};
use crate::metrics::TestOutcome;
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;

/// Runs what the loop's contract says within `limit`. An error is a criterion that can't be read any more.
pub fn verify(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    limit: Duration,
) -> Result<VerificationResult, String> {
    let started = Instant::now();
    let contract = LoopContract::read(layout, &state.loop_id);
    let text = contract.as_ref().map_or(&state.completion_criteria, |contract| &contract.criteria);
    let folder = project.root().join(contract.as_ref().map_or("", |contract| &contract.folder));
    let facts = project_facts::read(&folder);
    let criteria = criteria::parse(text, &facts).map_err(|refused| refused.to_string())?;
    let mut result = verification::run(&criteria, &folder, limit, &[]);
    let Some(contract) = contract else { return Ok(result) };
    let copy = original_tests::Copy { project, layout, state, contract: &contract, criteria: &criteria };
    if result.passed {
        as_many_tests(&mut result, &contract, layout, state);
    }
    if result.passed {
        of_todays_build(&mut result, &copy);
    }
    if result.passed && contract.verify_original && state.open_regressions().next().is_none() {
        let left = limit.saturating_sub(started.elapsed());
        with_original_tests(&mut result, &copy, left);
    }
    Ok(result)
}

/// How many tests the commands ran, where every one that runs tests says so.
pub fn tests_run(verification: &VerificationResult) -> Option<u64> {
    let counts: Vec<u64> = verification.checks.iter().filter_map(|check| executed(check.output())).collect();
    (!counts.is_empty()).then(|| counts.iter().sum())
}

/// The tests that ran, by the names that their runners give them.
pub fn names_run(verification: &VerificationResult) -> Vec<String> {
    let of_checks = verification.checks.iter().filter_map(|check| check.reading.tests.as_ref());
    let ran = of_checks.flat_map(|tests| &tests.by_name);
    ran.filter(|(_, outcome)| **outcome != TestOutcome::Skipped).map(|(name, _)| name.clone()).collect()
}

/// A pass with fewer tests than at the start is none, except for those whose loss a person accepted, in this loop or in
/// another one.
fn as_many_tests(
    result: &mut VerificationResult,
    contract: &LoopContract,
    layout: &Layout,
    state: &LoopState,
) {
    let Some((least, ran)) = contract.tests_run.zip(tests_run(result)) else { return };
    let given_up: u64 = state.regression_events.iter().map(RegressionEvent::tests_given_up).sum();
    let still = least.saturating_sub(given_up);
    if ran >= still {
        return;
    }
    let others = OthersLosses::read(layout, &state.loop_id, state.started_at);
    let still = still.saturating_sub(others.given_up());
    if ran >= still {
        return;
    }
    let told = result.checks.iter_mut().find(|check| executed(check.output()).is_some());
    if let Some(check) = told {
        check.passed = false;
        let ran_now = counted(ran, "test");
        check.reason = format!("exit code 0, but {ran_now} ran where {least} ran at the loop's start");
        if others.explain(still.saturating_sub(ran)) {
            let lost = others.in_words();
            check.reason += &format!(": {lost}");
            check.lost_elsewhere = Some(lost);
        } else {
            check.fewer_tests = Some((still, ran));
        }
    }
    result.passed = false;
}

/// A pass of what was built before the sources were last edited is none.
fn of_todays_build(result: &mut VerificationResult, copy: &original_tests::Copy) {
    let original_tests::Copy { project, layout, state, contract, criteria } = *copy;
    let touched = touched::touched(layout, &state.loop_id);
    let Some(stale) = stale_build::find(project, criteria, contract, &touched) else { return };
    let Some(check) = result.checks.first_mut() else { return };
    check.passed = false;
    check.reason = format!(
        "exit code 0, but {} was built before {} was last edited: build it, then this says something",
        stale.built, stale.source
    );
    result.passed = false;
}

/// A pass counts only with the tests of the loop's start, where that was asked for.
fn with_original_tests(result: &mut VerificationResult, copy: &original_tests::Copy, limit: Duration) {
    match copy.verify(limit) {
        Ok(original) => {
            result.duration_ms += original.duration_ms;
            let failed = original.checks.into_iter().filter(|check| !check.passed);
            result.checks.extend(failed.map(|check| CheckResult {
                reason: format!("with the tests of the loop's start: {}", check.reason),
                ..check
            }));
        }
        Err(problem) => result.checks.push(CheckResult {
            command: copy.criteria.text.clone(),
            reason: format!("the tests of the loop's start could not be run: {problem}"),
            ..CheckResult::default()
        }),
    }
    result.passed = result.checks.iter().all(|check| check.passed);
}
