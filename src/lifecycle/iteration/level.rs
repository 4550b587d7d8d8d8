//! The level of reinforcement with which an iteration begins: by the thresholds, the evidence, and what raised it.

use serde_json::{Value, json};

use crate::agents::prompt_reinforcement;
use crate::agents::prompt_reinforcement::Signals;
use crate::config::Reinforcement;
use crate::definitions::model::{Definitions, ThresholdAt};
use crate::definitions::names::{Agent, HookName};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::state::loop_state::{Level, LoopState};
use crate::state::records::{HumanDecision, RegressionEvent};

/// The level by the configured thresholds, the definitions' where those are a project's own, and the evidence.
pub(crate) fn computed(context: &HookContext, state: &LoopState, number: u32) -> (Level, String) {
    let config = &context.config.reinforcement;
    let defined = &context.definitions().definitions.hook(HookName::ReinforcementEscalation).thresholds;
    let own = *defined != Definitions::builtin().hook(HookName::ReinforcementEscalation).thresholds;
    let of_iterations = defined.iter().filter_map(|threshold| match threshold.at {
        ThresholdAt::Iteration(from) => Some((from, threshold.level)),
        ThresholdAt::QualityPlateau => None,
    });
    let thresholds: Vec<(u32, Level)> =
        if own { of_iterations.collect() } else { config.thresholds().collect() };
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

/// The level to which a condition raised iteration `number` when the one before it ended, and why.
pub(crate) fn raised(state: &LoopState, number: u32) -> Option<(Level, String)> {
    let raised = state.reinforcement_raised.as_ref()?;
    (raised.after.checked_add(1) == Some(number)).then(|| (raised.level, raised.reason.clone()))
}

/// The level that the agent answered, and why.
pub(crate) fn answered(heard: &AgentReplies) -> Option<(Level, String)> {
    let reply = heard.of(Agent::PromptReinforcement.name())?;
    let level = reply.metadata.reinforcement_level?;
    let reason =
        reply.metadata.extra.get("reason").and_then(Value::as_str).unwrap_or("asked for by the agent");
    Some((level, reason.to_owned()))
}

/// The level that a standstill of quality asks for.
pub(crate) fn plateau_level(context: &HookContext) -> Level {
    let thresholds = &context.definitions().definitions.hook(HookName::ReinforcementEscalation).thresholds;
    let plateau = thresholds.iter().find(|threshold| threshold.at == ThresholdAt::QualityPlateau);
    plateau.map_or(Level::Aggressive, |threshold| threshold.level)
}

/// Whether the last three iterations all moved the quality by less than the threshold.
pub fn plateau(state: &LoopState, config: &Reinforcement) -> bool {
    let points = config.quality_plateau_threshold * 100.0;
    // The first iteration's delta is against nothing.
    let deltas: Vec<f64> = state.kept_iterations().skip(1).map(|record| record.quality_delta).collect();
    deltas.len() >= 3 && deltas.iter().rev().take(3).all(|delta| delta.abs() < points)
}

/// How often the last error came in a row; a person's decision begins the count anew.
pub(crate) fn same_error(state: &LoopState) -> u32 {
    let counts = state.consecutive_same_error > 0;
    if counts { prompt_reinforcement::repeated(&json!(state.error_history)) } else { 0 }
}

/// Whether the last iteration's quality fell by more than counts as none.
pub(crate) fn falling(state: &LoopState, config: &Reinforcement) -> bool {
    let points = config.quality_plateau_threshold * 100.0;
    state.kept_iterations().next_back().is_some_and(|last| last.quality_delta <= -points)
}

/// The iteration of a regression that was not accepted, when `number` follows it or tries it anew.
pub(crate) fn regression_before(state: &LoopState, number: u32) -> Option<u32> {
    let counts = |event: &&RegressionEvent| {
        event.human_decision != Some(HumanDecision::Approve)
            && (event.iteration == number || event.iteration + 1 == number)
            // One that was seen in the iteration that runs is no reason for how it began.
            && (event.iteration < number || !event.is_open())
    };
    state.regression_events.iter().rev().find(counts).map(|event| event.iteration)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::IterationRecord;

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
