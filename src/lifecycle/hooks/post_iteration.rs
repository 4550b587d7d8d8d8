//! `post_iteration`: the agent wants to end its turn.
//!
//! A session's own loop goes on for an open regression alone, and only a few times. A loop of a person's goes on until
//! its command passes with nothing lost, or a limit is reached: never success on the agent's word.

mod ended;
mod fallen;
mod look;
mod next;
mod outside;
mod regression_report;
mod session_turn;
mod turn;

use serde_json::json;

use crate::lifecycle::context::failure;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::gate::{escalation, holding};
use crate::lifecycle::hooks::post_iteration::ended::EndedIteration;
use crate::lifecycle::hooks::post_iteration::look::look_at_everything;
use crate::lifecycle::hooks::post_iteration::next::go_on;
use crate::lifecycle::hooks::post_iteration::session_turn::end_of_session_turn;
use crate::lifecycle::hooks::post_iteration::turn::Turn;
use crate::lifecycle::hooks::{loop_complete, pre_iteration};
use crate::lifecycle::iteration::run::IterationRun;
use crate::lifecycle::iteration::{limits, run, snapshot};
use crate::lifecycle::regression::questions;
use crate::lifecycle::session::driven;
use crate::loops::verification;
use crate::model::event::EventKind;
use crate::model::verdict::{Answer, Verdict};
use crate::state::loop_state::{MOST_ITERATIONS, Status};
use crate::state::registry::Kind;
use crate::text::{session as text, verdicts};

const HOOK: &str = "post_iteration";

/// The main agent's turn ends.
pub fn run(context: &mut HookContext, last_message: &str) -> Answer {
    if context.bound.is_none() {
        return Answer::default();
    }
    if context.paused() {
        context.log(HOOK, HookRecord::default().outcome("pass: the loop is paused"));
        return Answer::default();
    }
    // Before this event's own hooks leave their marks.
    failure::notice(context);
    let Some(turn) = Turn::begin(context, last_message) else { return Answer::default() };
    let answer = end_of_turn(context, &turn, last_message);
    turn.end();
    answer
}

/// What something outside of the session has changed and lost between two turns: told at the next prompt, and not only
/// when that turn ends.
pub fn lost_meanwhile(context: &mut HookContext) -> Option<String> {
    let found = look_at_everything(context);
    (!found.is_empty()).then(|| verdicts::lost_meanwhile(&found))
}

/// What the end of a turn leads to, once.
fn end_of_turn(context: &mut HookContext, turn: &Turn, last_message: &str) -> Answer {
    let recorded = recorded(context, turn, last_message);
    // What commands leave is part of the iteration: they come before the one look at the tree.
    let runs = recorded.is_none() && ends_an_iteration(context);
    let ran = if runs { run::run(context) } else { None };
    snapshot::look(context);
    look_at_everything(context);
    let aborted = failure::end_of_iteration(context);
    questions::settle(context);
    let is_driven = is_only_guarded(context);
    if holding::is_open(context) && (is_driven || !holding::wants_record(context)) {
        return holding::waits(context);
    }
    if context.in_explicit_loop() && matches!(context.event.kind, EventKind::Stop { waiting: true, .. }) {
        context.log(
            HOOK,
            HookRecord::default().outcome("waits: work runs in the background; looked at again at its end"),
        );
        return Answer::default();
    }
    match context.bound.as_ref().map(|bound| bound.entry.kind) {
        Some(Kind::Explicit) if context.in_explicit_loop() => {
            if is_driven {
                return end_of_session_turn(context);
            }
            if let Some(ended) = recorded {
                ended.catch_up(context);
                return conclude(context, &ended);
            }
            end_of_iteration(context, last_message, aborted, ran)
        }
        Some(Kind::Implicit) => end_of_session_turn(context),
        _ => {
            context.log(HOOK, HookRecord::default().outcome("pass"));
            Answer::default()
        }
    }
}

/// The iteration that this turn has ended already, where the process that recorded it died before it had answered.
fn recorded(context: &HookContext, turn: &Turn, last_message: &str) -> Option<EndedIteration> {
    let state = context.state().filter(|state| limits::due(state).is_none() && ends_an_iteration(context))?;
    let record = turn.recorded(context, &state, last_message)?;
    EndedIteration::recorded(context, &state, record)
}

/// Whether this turn's end is an iteration's, as far as that can be said before the tree is looked at.
fn ends_an_iteration(context: &HookContext) -> bool {
    context.in_explicit_loop()
        && !matches!(context.event.kind, EventKind::Stop { waiting: true, .. })
        && !is_only_guarded(context)
        && !holding::is_open(context)
}

/// Whether a driver ends the iterations of the session's loop: the sessions that it starts are only guarded.
fn is_only_guarded(context: &HookContext) -> bool {
    !driven::is_driver(context) && context.state().is_some_and(|state| driven::drives(&state))
}

/// A subagent ends: what it changed is looked at, no iteration is counted. A compaction is no subagent.
pub fn subagent(context: &mut HookContext, agent_type: &str) -> Answer {
    if agent_type.is_empty() || context.bound.is_none() || context.paused() {
        context.log("SubagentStop", HookRecord::default().outcome("pass"));
        return Answer::default();
    }
    questions::settle(context);
    snapshot::look(context);
    let new = look_at_everything(context);
    context.log(
        "SubagentStop",
        HookRecord::of(&["regression-detector"]).outcome(json!({"regressions": new.len()})),
    );
    Answer::default()
}

/// An iteration of the loop ends: it is measured and recorded, and the loop ends, waits or goes on.
fn end_of_iteration(
    context: &mut HookContext,
    last_message: &str,
    aborted: Option<String>,
    ran: Option<IterationRun>,
) -> Answer {
    let Some(state) = context.state() else {
        return Answer::telling(context.problems.join("\n"));
    };
    if let Some(next) = limits::due(&state) {
        // A person decided while this turn went on: it ends between two iterations.
        let reminder = pre_iteration::begin(context, next);
        let state = context.state().unwrap_or(state);
        return Verdict::Continue(text::loop_context(&state, reminder.as_deref())).into();
    }
    // A gate that was open when the turn ended is closed by what was seen since.
    let ran = ran.or_else(|| {
        let ran = run::run(context);
        snapshot::look(context);
        ran
    });
    let Some(ran) = ran else { return Answer::default() };
    if verification::is_interrupted() {
        context.log(
            HOOK,
            HookRecord::default().outcome("interrupted by a person; the iteration does not count"),
        );
        return Answer::default();
    }
    let mut ended = EndedIteration::of(context, state, ran, last_message, aborted);
    ended.record(context);
    ended.follow_up(context);
    conclude(context, &ended)
}

/// Ends the loop where its goal or a limit is reached, waits at an open gate, or goes on.
fn conclude(context: &mut HookContext, ended: &EndedIteration) -> Answer {
    let advanced = escalation::at_turn_end(context);
    if ended.succeeds() {
        holding::ask_about_terms(context);
    }
    if holding::is_open(context) {
        holding::note_recorded(context);
        return holding::waits(context);
    }
    let Some(state) = context.state() else { return Answer::default() };
    if state.status == Status::Paused {
        context.log(HOOK, HookRecord::default().outcome("pass: a person has paused the loop meanwhile"));
        return Answer::telling(text::paused_meanwhile(&state));
    }
    let ending = if ended.succeeds() && state.open_regressions().next().is_none() {
        LoopEnding::Success
    } else if ended.iteration.record.iteration >= state.configuration.max_iterations.min(MOST_ITERATIONS) {
        LoopEnding::MaxIterations
    } else if limits::time_left(&state, jiff::Timestamp::now()).is_none() {
        LoopEnding::Timeout
    } else {
        return go_on(context, &state, ended, advanced.attempts);
    };
    loop_complete::run(context, ending, Some(&ended.verification))
}
