//! `pre_iteration`: an iteration begins. Its level is computed, and what the agent reads is made.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::prompt_reinforcement::{self, Signals};
use crate::config::Reinforcement;
use crate::definitions::model::{Definitions, ThresholdAt};
use crate::definitions::names::{Action, Agent, HookName};
use crate::lifecycle::context::agent_messages::Heard;
use crate::lifecycle::context::hook_context::{HookContext, Record};
use crate::lifecycle::iteration::{reinforcement, snapshot};
use crate::state::atomic::Durability;
use crate::state::loop_state::{Level, LoopState, RaisedLevel};
use crate::state::records::{HumanDecision, RegressionEvent};

/// The iteration with which a loop goes on after a person's decision, when the current one is over.
pub fn due(state: &LoopState) -> Option<u32> {
    state.next_iteration
}

/// Begins iteration `number` of the session's loop and returns what the agent reads about its level. Beginning the
/// same iteration twice changes nothing.
pub fn begin(context: &mut HookContext, number: u32) -> Option<String> {
    let state = context.state()?;
    let computed = computed(context, &state, number);
    let (level, reason) = raised(&state, number).filter(|raised| raised.0 > computed.0).unwrap_or(computed);
    let cause = format!("iteration {number}: {reason}");
    let mut own = reinforcement::own(context, &state, HookName::PreIteration, &cause);
    own.extend([
        ("level".to_owned(), json!(level)),
        ("reason".to_owned(), json!(reason)),
        ("plateau".to_owned(), json!(plateau(&state, &context.config.reinforcement))),
        ("falling".to_owned(), json!(falling(&state, &context.config.reinforcement))),
        ("regression_iteration".to_owned(), json!(regression_before(&state, number))),
        ("same_error".to_owned(), json!(same_error(&state))),
        ("token_budget".to_owned(), json!(context.config.reinforcement.token_budgets.at(level))),
    ]);
    let facts = context.facts().with("iteration", number);
    let heard = context.ask(HookName::PreIteration, &facts, &own);
    let (level, reason) = answered(&heard).unwrap_or((level, reason));
    let now = context.env.now;
    let hook = context.definitions().definitions.hook(HookName::PreIteration).clone();
    let is_new = context.in_explicit_loop()
        && state.iteration < number
        && hook.does(Action::SnapshotPreIterationState);
    let kept = if is_new { snapshot::before(context, number) } else { None };
    context.change_state(Durability::Power, |state| {
        if state.iteration < number {
            state.iteration = number;
            state.iteration_count = number;
            state.set_level(level, &reason, now);
        }
        state.next_iteration = None;
        if let Some(manifest) = &kept {
            state.pre_iteration_snapshot = Some(manifest.clone());
        }
    })?;
    let mut record = Record::of(&[])
        .heard(&heard)
        .outcome(json!({"iteration": number, "level": level}))
        .change("iteration", number)
        .change("iteration_count", number)
        .change("reinforcement_level", json!(level));
    if let Some(manifest) = kept {
        record = record.change("pre_iteration_snapshot", manifest);
    }
    context.log("pre_iteration", record);
    let said = level != Level::Off && hook.does(Action::InjectReinforcementPrompts);
    let reply = heard.of(Agent::PromptReinforcement.name()).filter(|_| said)?;
    reinforcement::deliver(context, &cause, reply)
}

/// `reinforcement_escalation`: the level is raised before the next iteration, for a cause that a condition names.
pub fn escalate(context: &mut HookContext, cause: &str) {
    if context.config.reinforcement.default_level == Level::Off {
        return;
    }
    let facts = context.facts();
    let level = plateau_level(context);
    let own = Map::from_iter([("level".to_owned(), json!(level))]);
    let heard = context.ask(HookName::ReinforcementEscalation, &facts, &own);
    let level = answered(&heard).map_or(level, |(level, _)| level);
    let now = context.env.now;
    context.change_state(Durability::Process, |state| {
        if level > state.reinforcement_level {
            state.set_level(level, cause, now);
        }
        let (after, reason) = (state.iteration, cause.to_owned());
        state.reinforcement_raised = Some(RaisedLevel { after, level, reason });
    });
    let record = Record::of(&[]).heard(&heard).outcome(cause).change("reinforcement_level", json!(level));
    context.log("reinforcement_escalation", record);
}

/// The level to which a condition raised iteration `number` when the one before it ended, and why.
fn raised(state: &LoopState, number: u32) -> Option<(Level, String)> {
    let raised = state.reinforcement_raised.as_ref()?;
    (raised.after.checked_add(1) == Some(number)).then(|| (raised.level, raised.reason.clone()))
}

fn answered(heard: &Heard) -> Option<(Level, String)> {
    let reply = heard.of(Agent::PromptReinforcement.name())?;
    let level = reply.metadata.reinforcement_level?;
    let reason =
        reply.metadata.extra.get("reason").and_then(Value::as_str).unwrap_or("asked for by the agent");
    Some((level, reason.to_owned()))
}

/// The level by the configured thresholds, the definitions' where those are a project's own, and the evidence.
fn computed(context: &HookContext, state: &LoopState, number: u32) -> (Level, String) {
    let config = &context.config.reinforcement;
    let defined = &context.definitions().definitions.hook(HookName::ReinforcementEscalation).thresholds;
    let own = *defined != Definitions::builtin().hook(HookName::ReinforcementEscalation).thresholds;
    let of_iterations = defined.iter().filter_map(|threshold| match threshold.at {
        ThresholdAt::Iteration(from) => Some((from, threshold.level)),
        ThresholdAt::QualityPlateau => None,
    });
    let thresholds: Vec<(u32, Level)> =
        if own { of_iterations.collect() } else { config.escalation_thresholds.0.to_vec() };
    prompt_reinforcement::level(Signals {
        iteration: number,
        thresholds: &thresholds,
        default_level: config.default_level,
        same_error: same_error(state),
        plateau: plateau(state, config),
        plateau_points: config.quality_plateau_threshold * 100.0,
        plateau_level: plateau_level(context),
        falling: falling(state, config),
        regression: regression_before(state, number),
    })
}

/// How often the last error came in a row; a person's decision begins the count anew.
fn same_error(state: &LoopState) -> u32 {
    let counts = state.consecutive_same_error > 0;
    if counts { prompt_reinforcement::repeated(&json!(state.error_history)) } else { 0 }
}

/// Whether the last iteration's quality fell by more than counts as none.
fn falling(state: &LoopState, config: &Reinforcement) -> bool {
    let points = config.quality_plateau_threshold * 100.0;
    state.iteration_history.last().is_some_and(|last| last.quality_delta <= -points)
}

/// The iteration of a regression that was not accepted, when `number` follows it or tries it anew.
fn regression_before(state: &LoopState, number: u32) -> Option<u32> {
    let counts = |event: &&RegressionEvent| {
        event.human_decision != Some(HumanDecision::Approve)
            && (event.iteration == number || event.iteration + 1 == number)
            // One that was seen in the iteration that runs is no reason for how it began.
            && (event.iteration < number || !event.is_open())
    };
    state.regression_events.iter().rev().find(counts).map(|event| event.iteration)
}

/// The level that a standstill of quality asks for.
fn plateau_level(context: &HookContext) -> Level {
    let thresholds = &context.definitions().definitions.hook(HookName::ReinforcementEscalation).thresholds;
    let plateau = thresholds.iter().find(|threshold| threshold.at == ThresholdAt::QualityPlateau);
    plateau.map_or(Level::Aggressive, |threshold| threshold.level)
}

/// Whether the last three iterations all moved the quality by less than the threshold.
pub fn plateau(state: &LoopState, config: &Reinforcement) -> bool {
    let points = config.quality_plateau_threshold * 100.0;
    // The first iteration's delta is against nothing.
    let deltas: Vec<f64> =
        state.iteration_history.iter().skip(1).map(|record| record.quality_delta).collect();
    deltas.len() >= 3 && deltas.iter().rev().take(3).all(|delta| delta.abs() < points)
}

/// The iteration that is going on or begins next: one that has a record is over, also when a limit ended the loop.
pub fn current(state: &LoopState) -> u32 {
    if let Some(due) = due(state) {
        return due;
    }
    match state.iteration_history.last() {
        Some(last) if last.iteration == state.iteration => state.iteration.saturating_add(1),
        _ => state.iteration.max(1),
    }
}

/// What is left of a loop's time; `None` when it is over. Time that a person gave anew counts from when they gave it.
pub fn time_left(state: &LoopState, now: Timestamp) -> Option<Duration> {
    let minutes =
        state.configuration.timeout_minutes.unwrap_or(ABSOLUTE_TIMEOUT_MINUTES).min(ABSOLUTE_TIMEOUT_MINUTES);
    let elapsed = now.duration_since(state.timeout_counts_from.unwrap_or(state.started_at));
    let elapsed = Duration::try_from(elapsed).unwrap_or_default();
    Duration::from_secs(minutes.saturating_mul(60)).checked_sub(elapsed).filter(|left| !left.is_zero())
}

/// The most iterations of any loop, whatever its configuration says.
pub const ABSOLUTE_MAX_ITERATIONS: u32 = 1_000;
/// The longest any loop may take: a week.
const ABSOLUTE_TIMEOUT_MINUTES: u64 = 7 * 24 * 60;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::IterationRecord;
    use jiff::SignedDuration;

    #[test]
    fn time_runs_out_and_never_lasts_for_ever() {
        let start = Timestamp::UNIX_EPOCH;
        let mut state = LoopState::new("l", "t", start);
        let at = |minutes| start + SignedDuration::from_mins(minutes);
        assert_eq!(time_left(&state, at(59)), Some(Duration::from_secs(60)));
        assert_eq!(time_left(&state, at(60)), None);
        state.configuration.timeout_minutes = None;
        assert!(time_left(&state, at(60)).is_some());
        assert_eq!(time_left(&state, at(8 * 24 * 60)), None);
        // What a person gives later is new, also after the longest that any loop may take.
        state.timeout_counts_from = Some(at(30 * 24 * 60));
        state.configuration.timeout_minutes = Some(5);
        assert_eq!(time_left(&state, at(30 * 24 * 60 + 4)), Some(Duration::from_secs(60)));
        assert_eq!(time_left(&state, at(30 * 24 * 60 + 5)), None);
        // A clock that went backwards ends nothing.
        assert!(time_left(&state, start - SignedDuration::from_hours(1)).is_some());
    }

    #[test]
    fn three_small_steps_are_a_plateau_and_a_jump_ends_it() {
        let rows: [(&[f64], bool); 5] = [
            (&[0.0, 1.0, -2.0, 4.9], true),
            (&[0.0, 1.0, -2.0], false),
            (&[0.0, 1.0, 2.0, 5.0], false),
            (&[0.0, 20.0, 1.0, 1.0, 1.0], true),
            (&[], false),
        ];
        for (deltas, expected) in rows {
            let record =
                |delta: &f64| IterationRecord { quality_delta: *delta, ..IterationRecord::default() };
            let state =
                LoopState { iteration_history: deltas.iter().map(record).collect(), ..LoopState::default() };
            assert_eq!(
                plateau(&state, &crate::config::Config::default().reinforcement),
                expected,
                "{deltas:?}"
            );
        }
    }
}
