//! What the end of an iteration runs: the criterion, once more what failed though it passed before, and the commands that
//! were quick at the start.
//!
//! Invariant: all of it comes before the tree is looked at, so that what a command leaves belongs to the iteration, and
//! all of it together ends within the loop's time, but for a minute that the last verification always gets.

use std::time::{Duration, Instant, SystemTime};

use crate::last_word;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::proving::CompletionProof;
use crate::lifecycle::criterion::{completion, proving};
use crate::lifecycle::iteration::{figures, limits, test_run};
use crate::lifecycle::measuring::measure::Figures;
use crate::loops::verification::VerificationResult;
use crate::metrics::TestOutcome;
use crate::state::loop_state::LoopState;
use crate::state::test_record::TestRecord;

/// What the hook needs beside its commands.
const OWN_WORK: Duration = Duration::from_secs(30);

/// What a verification gets however little of the loop's time is left.
const LEAST: Duration = Duration::from_secs(60);

/// How many tests a reason names.
const NAMED: usize = 5;

/// What the commands said.
#[derive(Debug)]
pub(crate) struct IterationRun {
    /// Whether the loop's criterion holds.
    pub(crate) verification: VerificationResult,
    /// The tests by name as known before, and which of them are flaky.
    pub(crate) record: TestRecord,
    /// What was measured.
    pub(crate) figures: Figures,
    /// Whether the criterion passes with what decided it at the start, where that was run.
    pub(crate) proof: Option<CompletionProof>,
    /// When the first command was started.
    pub(crate) began: SystemTime,
    /// How long all of it took, milliseconds.
    pub(crate) millis: u64,
}

/// Runs them. `None` when an iteration is due or none is to end: there is no state. A turn that ends after the loop's
/// time was over is verified like any other: what was done in it must not go unseen.
pub(crate) fn run(context: &mut HookContext) -> Option<IterationRun> {
    let (started, began) = (Instant::now(), SystemTime::now());
    let state = context.state().filter(|state| limits::due(state).is_none())?;
    let longest = Duration::from_secs(context.config.verification.timeout_seconds);
    let limit =
        limits::time_left(&state, context.env.now).map_or(longest, |left| left.max(LEAST).min(longest));
    let measuring = Duration::from_secs(context.config.measuring.stop_seconds);
    last_word::set_deadline(Some(limit + measuring + OWN_WORK));
    let mut verification = verify(context, &state, limit).unwrap_or_else(|problem| {
        context.problems.push(problem);
        VerificationResult::default()
    });
    let mut left = limit.saturating_sub(Duration::from_millis(verification.duration_ms));
    let mut record = TestRecord::read(&context.layout, &state.loop_id);
    let failing = test_run::newly_failing(&verification, &record.passed);
    if !failing.is_empty()
        && let Ok(again) = verify(context, &state, left / 2)
    {
        left = left.saturating_sub(Duration::from_millis(again.duration_ms));
        let passed = |name: &String| {
            let runs = again.checks.iter().filter_map(|check| check.reading.tests.as_ref());
            runs.flat_map(|tests| tests.by_name.get(name)).max() == Some(&TestOutcome::Passed)
        };
        let still = test_run::newly_failing(&again, &record.passed);
        let names_passes = |name: &String| passed(name) || (again.passed && !still.contains(name));
        record.flaky.extend(failing.into_iter().filter(names_passes));
    }
    let proof = proved(context, &state, &mut verification, left);
    left = left.saturating_sub(started.elapsed().saturating_sub(limit.saturating_sub(left)));
    let figures = figures::figures(context, &state, &verification, left);
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    context.clock.ran_commands();
    Some(IterationRun { verification, record, figures, proof, began, millis })
}

/// Proves a pass. One that needs changed tests is none, until a person says otherwise.
fn proved(
    context: &HookContext,
    state: &LoopState,
    verification: &mut VerificationResult,
    left: Duration,
) -> Option<CompletionProof> {
    let setting = context.config.verification.prove;
    let (project, layout) = (&context.project, &context.layout);
    let proof = last_word::with_inherited_limits(|| {
        proving::at_completion(project, layout, state, setting, (&*verification, left))
    })?;
    if let Some(check) = verification.checks.first_mut().filter(|_| !proof.unproven.is_empty()) {
        check.passed = false;
        check.reason = format!(
            "exit code 0, but {} only as changed since the loop's start ({}): make the tests pass as they were",
            match proof.unproven.len() {
                1 => "1 test passes".to_owned(),
                count => format!("{count} tests pass"),
            },
            proof.unproven.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "),
        );
        verification.passed = false;
    }
    Some(proof)
}

/// Whether the loop's criterion holds. An error is a criterion that can't be read.
fn verify(context: &HookContext, state: &LoopState, limit: Duration) -> Result<VerificationResult, String> {
    last_word::with_inherited_limits(|| completion::verify(&context.project, &context.layout, state, limit))
}
