//! `reinforcement_escalation`: the level is raised with an iteration that begins, by a threshold or for a cause that a
//! condition names.

use serde_json::{Map, json};

use crate::definitions::names::HookName;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::iteration::level::{answered, plateau_level};
use crate::state::atomic::Durability;
use crate::state::loop_state::{Level, LoopState, RaisedLevel};

/// Raises the level of the iteration that comes next, for a cause that a condition names. Where it is as high already, it
/// stays so, and the hook does not fire.
pub fn escalate(context: &mut HookContext, cause: &str) {
    if context.config.reinforcement.default_level == Level::Off {
        return;
    }
    let Some(state) = context.state() else { return };
    let level = plateau_level(context);
    let level = match level > state.reinforcement_level {
        true => raise(context, &state, state.iteration, (level, cause)),
        false => level,
    };
    let now = context.env.now;
    context.change_state(Durability::Process, |state| {
        if level > state.reinforcement_level {
            state.set_level(level, cause, now);
        }
        let (after, reason) = (state.iteration, cause.to_owned());
        state.reinforcement_raised = Some(RaisedLevel { after, level, reason });
    });
}

/// Fires the hook for a level above the one that holds, in `iteration`. Answers the level that its agents leave it at.
pub fn raise(
    context: &mut HookContext,
    state: &LoopState,
    iteration: u32,
    (level, cause): (Level, &str),
) -> Level {
    let facts = context.facts().with("iteration", iteration);
    let before = state.reinforcement_level;
    let quality: Vec<f64> = state.iteration_history.iter().map(|record| record.quality_score).collect();
    let own = Map::from_iter([
        ("level".to_owned(), json!(level)),
        ("current_level".to_owned(), json!(before)),
        ("iteration".to_owned(), json!(iteration)),
        ("quality_trajectory".to_owned(), json!(quality)),
    ]);
    let heard = context.ask(HookName::ReinforcementEscalation, &facts, &own);
    let level = answered(&heard).map_or(level, |(level, _)| level);
    let entry = json!({"action": "log_escalation", "from": before, "to": level, "cause": cause});
    let record = HookRecord::of(&[])
        .heard(&heard)
        .outcome(cause)
        .outcome(entry)
        .change("reinforcement_level", json!(level));
    context.log("reinforcement_escalation", record);
    level
}
