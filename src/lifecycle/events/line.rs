//! An event that only leaves its line in the log.

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::session::{leaving, left_open, tidying};
use crate::model::event::EventKind;
use crate::model::verdict::Answer;
use crate::state::atomic::Durability;

/// An event that only leaves its line.
pub fn note(context: &mut HookContext) -> Answer {
    if let EventKind::SessionEnd { reason } = &context.event.kind {
        let reason = reason.clone();
        context.log(&context.event.host_event, HookRecord::default().outcome(reason.as_str()));
        left_open::ask(context);
        leaving::leave(context, &reason);
        tidying::tidy_ended(&context.layout);
        return Answer::default();
    }
    if matches!(context.event.kind, EventKind::PreCompact) {
        context.change_state(Durability::Process, |state| {
            state.compactions = Some(state.compactions.unwrap_or_default() + 1);
        });
    }
    context.log(&context.event.host_event, HookRecord::default().outcome("noted"));
    Answer::default()
}
