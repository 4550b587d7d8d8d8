//! The end of a turn in a session that is only guarded: it goes on for an open regression alone, and only a few times.

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::{escalation, holding};
use crate::lifecycle::hooks::post_iteration::HOOK;
use crate::lifecycle::iteration::narrowed_run;
use crate::lifecycle::regression::measured;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::text::verdicts;

/// How often a session without a loop is continued for open regressions before it may end.
const IMPLICIT_CONTINUATIONS: u32 = 3;

/// Continues the turn for open regressions, or lets it end.
pub(super) fn end_of_session_turn(context: &mut HookContext) -> Answer {
    let Some(state) = context.state() else { return Answer::default() };
    // What was measured is measured again by what ends the iteration; a turn can't mend it for itself.
    let open: Vec<_> = state.open_regressions().filter(|event| !measured::is_measured(event)).collect();
    if open.is_empty() {
        context.log(HOOK, HookRecord::default().outcome("pass"));
        if let Some(said) = narrowed_run::said(context) {
            context.tell_human(said);
        }
        return Answer::default();
    }
    let reason = verdicts::open_regressions(&open, state.continuations > 0);
    let advanced = escalation::at_turn_end(context);
    if advanced.escalated {
        return holding::waits(context);
    }
    let reason = advanced.attempts.iter().fold(reason, |reason, attempt| format!("{reason}\n\n{attempt}"));
    if state.continuations >= IMPLICIT_CONTINUATIONS {
        context.log(HOOK, HookRecord::of(&["regression-detector"]).outcome("ended with open regressions"));
        return Answer::telling(reason);
    }
    context.change_state(Durability::Process, |state| state.continuations += 1);
    context.log(HOOK, HookRecord::of(&["regression-detector"]).outcome("continued: open regressions"));
    Verdict::Continue(reason).into()
}
