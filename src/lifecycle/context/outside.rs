//! What was changed in Steadfast's own files by something else: it is told at once, and stays in the loop's record.

use serde_json::json;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::Record;
use crate::model::event::EventKind;
use crate::state::atomic::Durability;
use crate::state::audit;
use crate::state::loop_state::{LoopState, OutsideChange};
use crate::text::health as text;

/// Looks whether something else has written to the loop's log. A log that is as it was left costs two looks at files.
pub fn look(context: &mut HookContext) {
    let Some(bound) = &context.bound else { return };
    let state_is_known = matches!(context.event.kind, EventKind::PreToolUse(_))
        || LoopState::is_as_written(&context.layout, &bound.id);
    if !state_is_known {
        // Changing it in nothing puts it back, and tells.
        context.change_state(Durability::Power, |_| ());
    }
    let Some(bound) = &context.bound else { return };
    let Some(report) = audit::changed_by_others(&context.layout.log(&bound.id)) else { return };
    let faults: Vec<String> = report.faults.iter().take(3).map(audit::Remark::in_words).collect();
    let (what, now) = (faults.join("; "), context.env.now);
    context.change_state(Durability::Power, |state| {
        state.note_outside_change(OutsideChange {
            timestamp: now,
            file: "log".to_owned(),
            what: what.clone(),
        });
    });
    let told = text::log_changed(&bound_id(context), &what);
    // The line that says so continues the chain, and with it the log is known again.
    let record =
        Record::default().outcome(json!({"critical": "the log was changed by something else", "what": what}));
    context.log("on_error", record);
    context.tell_human(told);
}

fn bound_id(context: &HookContext) -> String {
    context.bound.as_ref().map(|bound| bound.id.clone()).unwrap_or_default()
}
