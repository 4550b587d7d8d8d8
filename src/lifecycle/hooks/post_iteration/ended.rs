//! An iteration that ends: its record, and what is stored of it.

use std::path::Path;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::definitions::names::HookName;
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::hooks::post_iteration::HOOK;
use crate::lifecycle::hooks::post_iteration::fallen::measured;
use crate::lifecycle::hooks::post_iteration::regression_report;
use crate::lifecycle::hooks::{on_error, stuck_loop_detected};
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::iteration::record::FinishedIteration;
use crate::lifecycle::iteration::run::IterationRun;
use crate::lifecycle::iteration::{commit, metrics, record, reflect, snapshot};
use crate::lifecycle::measuring::performance::COMMANDS;
use crate::loops::verification::VerificationResult;
use crate::state::atomic::Durability;
use crate::state::audit;
use crate::state::audit::Line;
use crate::state::loop_state::LoopState;
use crate::state::records::IterationRecord;

/// What the log calls the record of an iteration.
const HISTORY: &str = "iteration_history";

/// So much of the end of the log is looked at for what was done already, in bytes.
const CAUGHT_UP: u64 = 256 << 10;

/// An iteration that ends now: what its commands said, and the record that is made of it.
pub(super) struct EndedIteration {
    /// The loop, before the iteration is recorded in it.
    state: Rc<LoopState>,
    pub(super) verification: VerificationResult,
    pub(super) iteration: FinishedIteration,
    /// Why it was aborted, if it was.
    aborted: Option<String>,
    /// How long its commands took, milliseconds.
    millis: u64,
}

impl EndedIteration {
    /// Measures the iteration, records what fell in it, and makes its record.
    pub(super) fn of(
        context: &mut HookContext,
        state: Rc<LoopState>,
        ran: IterationRun,
        last_message: &str,
        aborted: Option<String>,
    ) -> Self {
        let IterationRun { verification, record, figures, proof, began, millis } = ran;
        let state = context.state().unwrap_or(state);
        let gathered = metrics::gather(context, &state, &verification, figures, began);
        let gathered = GatheredMetrics { proof, ..gathered };
        let gathered = measured(context, &state, gathered, record);
        let state = context.state().unwrap_or(state);
        let mut iteration = record::make(context, &state, &verification, &gathered, last_message);
        if let Some(reason) = &aborted {
            iteration.record.aborted = Some(reason.clone());
        }
        EndedIteration { state, verification, iteration, aborted, millis }
    }

    /// The iteration that is recorded, of a turn whose process died before it had answered.
    pub(super) fn recorded(
        context: &HookContext,
        state: &Rc<LoopState>,
        record: &IterationRecord,
    ) -> Option<Self> {
        let iteration = record::read_snapshot(&context.layout, &state.loop_id, record)?;
        let verification = iteration.verification.clone()?;
        let aborted = record.aborted.clone();
        Some(EndedIteration { state: Rc::clone(state), verification, iteration, aborted, millis: 0 })
    }

    /// Does what the process that recorded the iteration has not come to.
    pub(super) fn catch_up(&self, context: &mut HookContext) {
        let since = self.iteration.record.timestamp;
        let lines = audit::newest(&context.layout.hook_log(&self.state.loop_id), CAUGHT_UP);
        let lines: Vec<Line> = lines.into_iter().flatten().filter(|line| line.timestamp > since).collect();
        let is_noted = |line: &Line| line.hook_name == HOOK && line.state_changes.contains_key(HISTORY);
        if !lines.iter().any(is_noted) {
            self.note(context, &AgentReplies::default());
        }
        if !lines.iter().any(|line| line.hook_name == "on_error") {
            self.follow_up(context);
        }
    }

    /// Whether the loop's criterion holds and no hook aborted the iteration.
    pub(super) fn succeeds(&self) -> bool {
        self.verification.passed && self.aborted.is_none()
    }

    /// Asks the agents about the iteration, and stores it: its own file, the state, the reflection, the tree.
    pub(super) fn record(&mut self, context: &mut HookContext) {
        let facts = facts(context, &self.state, &self.iteration);
        let heard = context.ask(HookName::PostIteration, &facts, &own_facts(&self.state, &self.iteration));
        self.iteration.record.regression_report =
            regression_report::of(&self.state, &self.iteration.record, &heard);
        store(context, &self.iteration, &self.verification);
        self.note(context, &heard);
    }

    /// What is kept of a stored iteration: the reflection, the tree, the line in the log.
    fn note(&self, context: &mut HookContext, heard: &AgentReplies) {
        let record = self.line(heard);
        reflect::after(context, &self.state, &self.iteration, &self.verification);
        // After the state, which says what is the best and must be kept.
        let record = match snapshot::after(context, self.iteration.record.iteration) {
            Some(manifest) => record.change("final_snapshot", manifest),
            None => record,
        };
        context.log(HOOK, record);
    }

    /// What the log says of the iteration.
    fn line(&self, heard: &AgentReplies) -> HookRecord {
        let made = &self.iteration.record;
        let passed = self.verification.passed;
        HookRecord::of(&[])
            .heard(heard)
            .outcome(json!({
                "iteration": made.iteration,
                "passed": passed,
                "quality_score": made.quality_score,
                "quality_delta": made.quality_delta,
                "regression_detected": made.regression_detected,
                "regression_report": made.regression_report,
                COMMANDS: self.millis,
            }))
            .change(HISTORY, made.iteration)
            .change("progress", json!({"completion_checks": passed}))
    }

    /// Commits the iteration where that was asked for, and counts its failure, or its progress.
    pub(super) fn follow_up(&self, context: &mut HookContext) {
        if commit::iteration(context, &self.iteration.record) {
            // The project's own git hooks may have changed files.
            context.stirred.set(true);
        }
        if self.iteration.record.quality_delta > 0.0 {
            // Progress: what fails now has not been tried before.
            context.change_state(Durability::Process, |state| state.consecutive_same_error = 0);
        }
        // What another loop has lost is no error of this one, however often it is met.
        if !self.verification.passed
            && let Some(failure) = self.verification.first_failure()
            && failure.lost_elsewhere.is_none()
        {
            if failure.is_of_the_count() && self.runs_more(context) {
                context.change_state(Durability::Process, |state| state.consecutive_same_error = 0);
            }
            // Where tests did not run, the output of those that did says nothing.
            let told = if failure.is_of_the_count() { &failure.reason } else { &failure.output_tail };
            on_error::run(context, told, on_error::ErrorSource::Verification);
            stuck_loop_detected::at_iteration_end(context);
        }
    }
}

impl EndedIteration {
    /// Whether more of the loop's tests ran than in the iteration before.
    fn runs_more(&self, context: &HookContext) -> bool {
        let Some(state) = context.state() else { return false };
        let mut kept =
            state.kept_iterations().rev().skip_while(|it| it.iteration >= self.iteration.record.iteration);
        kept.next().is_some_and(|before| self.iteration.record.gains_over(before))
    }
}

/// What conditions and agents can know of the iteration that has ended.
pub(super) fn facts(context: &HookContext, state: &LoopState, iteration: &FinishedIteration) -> Facts {
    let record = &iteration.record;
    let changed: Vec<&String> = iteration.files.keys().collect();
    Facts::of(state)
        .with("iteration", record.iteration)
        .with("quality", record.quality_score)
        .with("quality_delta", record.quality_delta / 100.0)
        .with("regression_detected", record.regression_detected)
        .with("current_metrics", json!(record.metrics_snapshot))
        .with("modified_files", json!(changed))
        .with("iteration_artifacts", json!(record.artifacts))
        .with("test_output", record.result.as_str())
        .with("cwd", context.project.root().to_string_lossy().into_owned())
}

fn own_facts(state: &LoopState, iteration: &FinishedIteration) -> Map<String, Value> {
    Map::from_iter([
        ("current_metrics".to_owned(), json!(iteration.record.metrics_snapshot)),
        ("quality_delta".to_owned(), json!(iteration.record.quality_delta)),
        ("best_iteration".to_owned(), json!(state.best_iteration)),
    ])
}

/// Remembers where the host keeps its record of the session: the report tells from it what the loop cost.
fn note_transcript(state: &mut LoopState, path: Option<&Path>) {
    let Some(path) = path.and_then(Path::to_str) else { return };
    let known = state.transcripts.get_or_insert_default();
    if !known.iter().any(|known| known == path) {
        known.push(path.to_owned());
    }
}

/// Writes the finished iteration: its snapshot file first, so that the state never points at nothing.
fn store(context: &mut HookContext, iteration: &FinishedIteration, verification: &VerificationResult) {
    let Some(bound) = context.bound.clone() else { return };
    if let Err(error) = record::write_snapshot(&context.layout, &bound.id, iteration) {
        context.problems.push(error.to_string());
    }
    let now = jiff::Timestamp::now();
    let transcript = context.event.transcript.clone();
    context.change_state(Durability::Power, |state| {
        record::apply(state, iteration, verification, now);
        note_transcript(state, transcript.as_deref());
    });
}
