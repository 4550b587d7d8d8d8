//! What a session without a loop leaves open: a person is asked when it ends, and the next session goes on with it.
//!
//! The guard loop itself is handed on, with its question, its record of what was lost and what stands before it: what
//! brings it back closes it there as it would have done in the session that lost it.

use crate::lifecycle::changes::untracked_changes;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::context::in_force;
use crate::lifecycle::gate::holding;
use crate::lifecycle::regression::{measured, mended};
use crate::lifecycle::session::{leaving, liveness};
use crate::model::finding::{RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::lock::HOOK_WAIT;
use crate::state::records::RegressionEvent;
use crate::state::registry::{Kind, Registry, RegistryEntry};

/// Asks a person about what a session without a loop of a person's has lost and not brought back, before it ends.
pub fn ask(context: &mut HookContext) {
    let has_lost = |bound: &BoundLoop| bound.entry.kind == Kind::Implicit && bound.entry.open_regressions > 0;
    if context.bound.as_ref().is_some_and(has_lost) {
        mended::close(context);
        holding::ask_about(context, is_a_persons);
    }
}

/// Whether nobody but a person may let it go. What else is open may be work that goes on after a pause: the next session
/// hears of it and mends it.
fn is_a_persons(event: &RegressionEvent) -> bool {
    let of_tests =
        [RegressionType::TestDeletion, RegressionType::TestSkipping, RegressionType::ValidationBypass];
    !measured::is_measured(event)
        && (event.severity == Severity::Critical || of_tests.contains(&event.regression_type))
}

/// Goes on with the guard loop of a session that has ended with something open. Answers whether there was one.
pub fn take_up(context: &mut HookContext) -> bool {
    let Some(session) = context.event.session_id.clone().filter(|_| context.bound.is_none()) else {
        return false;
    };
    let Ok(registry) = Registry::read(&context.layout) else { return false };
    let left = registry.loops.iter().filter(|(_, entry)| is_left_open(entry));
    let Some((id, _)) = left.max_by_key(|(_, entry)| (entry.gate_open, entry.last_active)) else {
        return false;
    };
    let bound = Registry::change(&context.layout, HOOK_WAIT, |registry| {
        // Another session may have been quicker.
        let entry = registry.loops.get_mut(id).filter(|entry| is_left_open(entry))?;
        let before = entry.clone();
        entry.left = false;
        registry.release(id);
        registry.bind(&session, id);
        Some(before)
    });
    let Ok(Some(entry)) = bound else { return false };
    context.bound = Some(BoundLoop { id: id.clone(), entry });
    leaving::come_back(context);
    // It keeps the name of the session that lost something.
    context.change_state(Durability::Power, |state| state.continuations = 0);
    // What changed since, nobody has to answer for.
    context.problems.extend(untracked_changes::begin(context, id));
    in_force::begin(context, id);
    liveness::arrive(context);
    ask(context);
    true
}

fn is_left_open(entry: &RegistryEntry) -> bool {
    entry.kind == Kind::Implicit && entry.left && (entry.gate_open || entry.open_regressions > 0)
}
