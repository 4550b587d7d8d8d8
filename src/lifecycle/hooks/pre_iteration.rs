//! `pre_iteration`: an iteration begins. Its level is computed, and what the agent reads is made.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::config::Reinforcement;
use crate::definitions::names::{Action, Agent, HookName};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::hooks::reinforcement_escalation;
use crate::lifecycle::iteration::level::{
    answered, computed, falling, plateau, raised, regression_before, same_error,
};
use crate::lifecycle::iteration::{reinforcement, snapshot};
use crate::state::atomic::Durability;
use crate::state::loop_state::{Level, LoopState};

pub use crate::lifecycle::iteration::limits::time_left;

/// Begins iteration `number` of the session's loop and returns what the agent reads about its level. Beginning the
/// same iteration twice changes nothing.
pub fn begin(context: &mut HookContext, number: u32) -> Option<String> {
    let state = context.state()?;
    let computed = computed(context, &state, number);
    let (level, reason) = raised(&state, number).filter(|raised| raised.0 > computed.0).unwrap_or(computed);
    let is_new = context.in_explicit_loop() && state.iteration < number;
    let level = match is_new && level > state.reinforcement_level {
        true => reinforcement_escalation::raise(context, &state, number, (level, &reason)),
        false => level,
    };
    let cause = format!("iteration {number}: {reason}");
    let mut own = reinforcement::own(context, &state, HookName::PreIteration, &cause);
    own.extend([("level".to_owned(), json!(level)), ("reason".to_owned(), json!(reason))]);
    own.extend(reasons(&state, number, &context.config.reinforcement));
    own.insert("token_budget".to_owned(), json!(context.config.reinforcement.token_budgets.at(level)));
    let facts = context.facts().with("iteration", number);
    let heard = context.ask(HookName::PreIteration, &facts, &own);
    let (level, reason) = answered(&heard).unwrap_or((level, reason));
    let now = context.env.now;
    let hook = context.definitions().definitions.hook(HookName::PreIteration).clone();
    let keeps = is_new && hook.does(Action::SnapshotPreIterationState);
    let kept = if keeps { snapshot::before(context, number) } else { None };
    let begun = StartingIteration { number, level, reason: &reason, kept: kept.as_deref() };
    context.change_state(Durability::Power, |state| begun.note(state, now))?;
    // What has begun already is told again, and stands in the log once.
    if is_new || !context.in_explicit_loop() || !heard.failures.is_empty() {
        context.log("pre_iteration", begun.record(&heard));
    }
    let said = level != Level::Off && hook.does(Action::InjectReinforcementPrompts);
    let reply = heard.of(Agent::PromptReinforcement.name()).filter(|_| said)?;
    reinforcement::deliver(context, &cause, reply)
}

/// What speaks for a level, for the agents that are asked.
fn reasons(state: &LoopState, number: u32, config: &Reinforcement) -> [(String, Value); 4] {
    [
        ("plateau".to_owned(), json!(plateau(state, config))),
        ("falling".to_owned(), json!(falling(state, config))),
        ("regression_iteration".to_owned(), json!(regression_before(state, number))),
        ("same_error".to_owned(), json!(same_error(state))),
    ]
}

/// An iteration that begins.
struct StartingIteration<'a> {
    number: u32,
    level: Level,
    /// Why this level.
    reason: &'a str,
    /// The checkpoint of the tree before it.
    kept: Option<&'a str>,
}

impl StartingIteration<'_> {
    fn note(&self, state: &mut LoopState, now: Timestamp) {
        if state.iteration < self.number {
            state.iteration = self.number;
            state.iteration_count = self.number;
            state.set_level(self.level, self.reason, now);
        }
        state.next_iteration = None;
        if let Some(manifest) = self.kept {
            state.pre_iteration_snapshot = Some(manifest.to_owned());
        }
    }

    fn record(&self, heard: &AgentReplies) -> HookRecord {
        let StartingIteration { number, level, kept, .. } = *self;
        let record = HookRecord::of(&[])
            .heard(heard)
            .outcome(json!({"iteration": number, "level": level}))
            .change("iteration", number)
            .change("iteration_count", number)
            .change("reinforcement_level", json!(level));
        match kept {
            Some(manifest) => record.change("pre_iteration_snapshot", manifest),
            None => record,
        }
    }
}
