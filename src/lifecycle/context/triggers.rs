//! The conditional actions of a hook's definition: conditions are evaluated over the facts, and say which hooks follow.

use crate::definitions::model::{ConditionOutcome, Definitions};
use crate::definitions::names::HookName;
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::hook_context::HookContext;

/// The hooks that follow `hook` under these facts. A condition that can't be read or names something unknown fires
/// nothing: the check of a definition file reports it.
pub fn fired(context: &HookContext, hook: HookName, facts: &Facts) -> Vec<HookName> {
    holding(&context.definitions().definitions, hook, facts)
}

/// The same over definitions of any origin.
pub fn holding(definitions: &Definitions, hook: HookName, facts: &Facts) -> Vec<HookName> {
    with_causes(definitions, hook, facts).into_iter().map(|(hook, _)| hook).collect()
}

/// The condition that has `then` follow `hook` under these facts, as the definitions word it.
pub fn cause(context: &HookContext, hook: HookName, then: HookName, facts: &Facts) -> Option<String> {
    let fired = with_causes(&context.definitions().definitions, hook, facts);
    fired.into_iter().find(|(hook, _)| *hook == then).map(|(_, condition)| condition)
}

fn with_causes(definitions: &Definitions, hook: HookName, facts: &Facts) -> Vec<(HookName, String)> {
    let definition = definitions.hook(hook);
    let holding = definition.conditional_actions.iter().filter(|conditional| {
        conditional
            .condition()
            .ok()
            .and_then(|condition| condition.evaluate(&|name| facts.get(name)).ok())
            .unwrap_or(false)
    });
    holding
        .filter_map(|conditional| match conditional.then {
            ConditionOutcome::Trigger(hook) => Some((hook, conditional.condition.to_string())),
            ConditionOutcome::Act(_) => None,
        })
        .collect()
}
