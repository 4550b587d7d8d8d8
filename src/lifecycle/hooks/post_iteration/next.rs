//! What follows an iteration that did not end its loop: the next one, or a wait for a person.

use crate::agents::prompt_reinforcement;
use crate::definitions::names::HookName;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::context::triggers;
use crate::lifecycle::hooks::post_iteration::HOOK;
use crate::lifecycle::hooks::post_iteration::ended::{EndedIteration, facts};
use crate::lifecycle::hooks::{pre_iteration, reinforcement_escalation};
use crate::lifecycle::iteration::{level, record, reflect};
use crate::lifecycle::session::driven;
use crate::loops::learning::LOST_ELSEWHERE;
use crate::loops::task_type;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;
use crate::state::records::{Artifact, IterationRecord};
use crate::text::{banner, session as text, verdicts};

/// What the agent reads when a turn goes on takes no more than so many letters: it is read at each iteration.
const LONGEST: usize = 1_400;
/// The same for a driver, which begins a fresh session with it: nothing else tells that one of the iterations before.
const LONGEST_FRESH: usize = 9_000;
/// What the iteration itself may always say, beside open regressions and reminders.
const LEAST: usize = 700;
/// The class of a failure whose program is not there.
const NOT_FOUND: &str = "not found";

/// So many turns with the same words, without a change and with the same failure are a standstill.
const SAME_TURNS: usize = 3;

/// Continues the turn with the next iteration, unless the host would end it anyway.
pub(super) fn go_on(
    context: &mut HookContext,
    state: &LoopState,
    ended: &EndedIteration,
    attempts: Vec<String>,
) -> Answer {
    if let Some(why) = stalled(state) {
        context.log(HOOK, HookRecord::default().outcome(format!("waits: {why}")));
        return Answer::telling(text::waits_for_a_person(state, why));
    }
    // One below the client's own cap, so that it is this guard that speaks and not the client's.
    if context.event.continuation_cap.is_some_and(|cap| state.continuations.saturating_add(1) >= cap.max(1)) {
        context
            .log(HOOK, HookRecord::default().outcome("waits: the client's cap of continuations is reached"));
        return Answer::telling(text::waits_at_cap(state));
    }
    escalate_where_stale(context, state, ended);
    let mut parts = Vec::new();
    let open: Vec<_> = state.open_regressions().collect();
    if !open.is_empty() {
        parts.push(verdicts::open_regressions(&open, state.continuations > 0));
    }
    parts.extend(attempts);
    context.change_state(Durability::Process, |state| state.continuations += 1);
    let reminder = pre_iteration::begin(context, ended.iteration.record.iteration + 1);
    let taken = |parts: &[String]| parts.iter().map(|part| part.len() + 2).sum::<usize>();
    let longest = if driven::is_driver(context) { LONGEST_FRESH } else { LONGEST };
    let left = |parts: &[String]| longest.saturating_sub(taken(parts));
    let around = taken(reminder.as_slice());
    let for_trials = left(&parts).saturating_sub(around + LEAST);
    parts.extend(reflect::before_going_on(context, state, for_trials));
    parts.extend(reminder);
    parts.insert(0, banner(state, ended, left(&parts).max(LEAST)));
    Verdict::Continue(parts.join("\n\n")).into()
}

/// Raises the level of the next iteration where quality stands still or a condition asks for it.
fn escalate_where_stale(context: &mut HookContext, state: &LoopState, ended: &EndedIteration) {
    if level::plateau(state, &context.config.reinforcement) {
        let points = context.config.reinforcement.quality_plateau_threshold * 100.0;
        reinforcement_escalation::escalate(context, &prompt_reinforcement::plateau_reason(points));
        return;
    }
    let facts = facts(context, state, &ended.iteration);
    let then = HookName::ReinforcementEscalation;
    if let Some(condition) = triggers::cause(context, HookName::PostIteration, then, &facts) {
        let made = &ended.iteration.record;
        let moved = format!("Quality moved by {} points in iteration {}", made.quality_delta, made.iteration);
        reinforcement_escalation::escalate(context, &format!("{moved} ({condition})"));
    }
}

/// What the agent reads about the iteration that has ended.
fn banner(state: &LoopState, ended: &EndedIteration, room: usize) -> String {
    let made = &ended.iteration.record;
    let previous = record::earlier_learnings(state);
    // The newest of them is this iteration's own, which the banner shows apart.
    let previous = previous.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let task_type = task_type::recognise(&state.task);
    let window = previous.len().saturating_sub(task_type::window(task_type));
    let changed: Vec<String> = made.artifacts.iter().map(Artifact::in_words).collect();
    banner::iteration(&banner::BannerIteration {
        loop_id: &state.loop_id,
        task: &state.task,
        number: made.iteration,
        max: state.configuration.max_iterations,
        previous: previous.get(window..).unwrap_or_default(),
        approach: &made.action,
        changed: &changed,
        verification: &ended.verification,
        learning: ended.iteration.record.lesson(),
        room,
    })
}

/// Why another iteration would only repeat the last ones; it is then a person's turn.
fn stalled(state: &LoopState) -> Option<&'static str> {
    let learnings = record::earlier_learnings(state);
    let newest = |count: usize| {
        state
            .iteration_history
            .len()
            .checked_sub(count)
            .map(|from| state.iteration_history.get(from..).unwrap_or_default())
    };
    let in_a_row = |class: &str| {
        learnings.iter().rev().take_while(|learning| learning.error_type.as_deref() == Some(class)).count()
    };
    if in_a_row(NOT_FOUND) >= 2 {
        return Some("the completion command can't be started");
    }
    if in_a_row(LOST_ELSEWHERE) >= 2 {
        return Some(
            "all that it lacks are tests that another loop has lost; `steadfast gate` decides about those",
        );
    }
    let [first, rest @ ..] = newest(SAME_TURNS)? else { return None };
    let idle =
        |record: &IterationRecord| record.own_artifacts().next().is_none() && !record.action.is_empty();
    let same = |record: &IterationRecord| {
        idle(record) && record.action == first.action && record.result == first.result
    };
    (idle(first) && rest.iter().all(same))
        .then_some("the agent has said the same three times and changed nothing")
}
