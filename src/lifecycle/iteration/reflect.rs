//! `post-iteration-reflect`: a reflection is written after every iteration, and what is relevant is read before.

use std::path::Path;

use jiff::Timestamp;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::record::{FinishedIteration, earlier_learnings};
use crate::loops::reflexion::patterns::FailurePattern;
use crate::loops::reflexion::record::{IterationFacts, TrialOutcome};
use crate::loops::reflexion::store::Reflections;
use crate::loops::reflexion::{choice, prompt, record};
use crate::loops::verification::VerificationResult;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;

/// A project's own template, in its folder of templates.
const TEMPLATE: &str = "self-reflection-prompt.md";

/// Writes the reflection of the iteration that has ended. What can't be written is told in the log.
pub fn after(
    context: &mut HookContext,
    state: &LoopState,
    iteration: &FinishedIteration,
    verification: &VerificationResult,
) {
    let reflections = Reflections::of(&context.layout);
    let known = reflections.of_loop(&state.loop_id);
    let earlier = earlier_learnings(state);
    let changed = iteration.record.own_artifacts().map(|artifact| artifact.path.clone()).collect::<Vec<_>>();
    let reflection = record::of(&IterationFacts {
        loop_id: &state.loop_id,
        task: &state.task,
        number: iteration.record.iteration,
        timestamp: iteration.record.timestamp,
        said: &iteration.record.action,
        changed: &changed,
        verification,
        learning: iteration.record.lesson(),
        previous: earlier.last(),
        quality_delta: iteration.record.quality_delta,
        open_regressions: state.open_regressions().count(),
        known: known.len(),
    });
    let previous = known.iter().rfind(|one| one.trial_number < reflection.trial_number);
    if let Err(error) = reflections.add(&reflection, previous) {
        context.problems.push(format!("the reflection could not be written: {error}"));
    }
}

/// In fewer letters than this no trial can be told.
const LEAST: usize = 200;

/// What the next trial reads of earlier ones, of this loop and of others. `None` when there is nothing.
pub fn before(context: &HookContext, state: &LoopState) -> Option<String> {
    of_trials(context, state, prompt::LONGEST)
}

/// The same in so many letters, for a turn that goes on: the trial that has just ended is told beside it. `None` where
/// there is no room for anything.
pub fn before_going_on(context: &HookContext, state: &LoopState, letters: usize) -> Option<String> {
    if letters < LEAST { None } else { of_trials(context, state, letters.min(prompt::LONGEST)) }
}

fn of_trials(context: &HookContext, state: &LoopState, letters: usize) -> Option<String> {
    let reflections = Reflections::of(&context.layout);
    let own = reflections.of_loop(&state.loop_id);
    let patterns: Vec<FailurePattern> = reflections.index().seen.into_values().collect();
    let signature = own.last().map(|newest| newest.signature.as_str());
    let others = choice::of_others(&patterns, &state.loop_id, &state.task, signature);
    let template = template(context);
    let mut in_view = choice::in_view(&own, &state.task);
    if letters < prompt::LONGEST {
        in_view.retain(|one| Some(one.trial_number) != own.last().map(|newest| newest.trial_number));
    }
    let template = template.as_deref().unwrap_or(prompt::TEMPLATE);
    prompt::fill(template, &in_view, own.len(), &others, letters)
}

/// Notes how the loop ended.
pub fn close(layout: &Layout, loop_id: &str, success: bool, now: Timestamp) {
    let outcome = if success { TrialOutcome::Success } else { TrialOutcome::Failure };
    // The index is a convenience: a loop that has ended has ended.
    Reflections::of(layout).close(loop_id, outcome, now).ok();
}

fn template(context: &HookContext) -> Option<String> {
    let folder = context.config.reinforcement.templates_dir.as_deref()?;
    let path = context.project.root().join(Path::new(folder)).join(TEMPLATE);
    crate::lifecycle::changes::file_text::read_text(&path).filter(|text| text.contains("{reflections}"))
}
