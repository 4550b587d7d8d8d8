//! What a definition file says that nothing follows from: a warning says so, instead of silence.

use super::builtin::BUILTIN;
use super::model::{ConditionOutcome, ConditionalStep, FieldUpdate};
use super::names::{Action, HookName};
use super::vocabulary::state_field;

/// The actions that a project may leave out; all others are done whatever it says, for nothing may be lost or unlogged.
pub const OPTIONAL: &[Action] = &[
    Action::SnapshotPreIterationState,
    Action::InjectReinforcementPrompts,
    Action::InjectWarningPrompt,
    Action::CreateRollbackCheckpoint,
    Action::InjectRecoveryGuidance,
];

/// The hooks that a condition of another can fire.
const FIRED: &[(HookName, HookName)] = &[
    (HookName::PostIteration, HookName::RegressionDetected),
    (HookName::PostIteration, HookName::ReinforcementEscalation),
    (HookName::PostToolCall, HookName::RegressionDetected),
    (HookName::OnError, HookName::StuckLoopDetected),
];

/// What is said of a hook's actions that has no effect.
pub(super) fn actions(hook: HookName, actions: &[Action]) -> Vec<String> {
    let usual = &BUILTIN.hook(hook).actions;
    let kept = usual.iter().filter(|action| !actions.contains(action) && !OPTIONAL.contains(action));
    let kept = kept.map(|action| format!("{} is always done; leaving it out has no effect", action.name()));
    let added = actions.iter().filter(|action| !usual.contains(action));
    let added = added
        .map(|action| format!("{} is not done by {}: it has no effect here", action.name(), hook.name()));
    kept.chain(added).collect()
}

/// What is said of a hook's state updates that has no effect.
pub(super) fn updates(hook: HookName, updates: &[FieldUpdate]) -> Vec<String> {
    let usual = &BUILTIN.hook(hook).state_updates;
    let written = |field: &str| usual.iter().any(|update| state_field(&update.field) == state_field(field));
    let added = updates.iter().filter(|update| !written(&update.field));
    added
        .map(|update| format!("{} does not write {}: it has no effect here", hook.name(), update.field))
        .collect()
}

/// What is said of a condition that nothing follows from.
pub(super) fn conditional(hook: HookName, conditional: &ConditionalStep) -> Option<String> {
    match conditional.then {
        ConditionOutcome::Trigger(to) if FIRED.contains(&(hook, to)) => None,
        ConditionOutcome::Trigger(to) => {
            Some(format!("{} never fires {}: it has no effect here", hook.name(), to.name()))
        }
        ConditionOutcome::Act(action) => {
            Some(format!("a condition fires a hook (`trigger_hook`); {} has no effect here", action.name()))
        }
    }
}
