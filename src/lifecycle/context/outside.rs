//! What was changed in Steadfast's own files by something else: it is told at once, and stays in the loop's record.

use serde_json::json;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::known_loops::CriticalLoss;
use crate::lifecycle::context::log::HookRecord;
use crate::model::event::EventKind;
use crate::state::atomic::Durability;
use crate::state::audit;
use crate::state::loop_state::{LoopState, OutsideChange};
use crate::state::twice::DoubledFiles;
use crate::text::{health as text, witness};

/// Looks whether something else has written to the loop's files. A log that is as it was left costs two looks at files.
pub fn look(context: &mut HookContext) {
    if context.bound.is_none() {
        return;
    }
    if let Some(what) = context.registry_changed.take() {
        note(context, "registry", what);
    }
    if !matches!(context.event.kind, EventKind::PreToolUse(_)) {
        put_back(context);
    }
    look_at_log(context);
}

/// Puts back the files on which decisions rest, and the state, where something else has written them.
fn put_back(context: &mut HookContext) {
    let Some(bound) = &context.bound else { return };
    let (layout, id) = (&context.layout, &bound.id);
    let state_is_known = LoopState::is_as_written(layout, id);
    let (mut changed, mut restored) = (Vec::new(), true);
    for files in [DoubledFiles::of_loop(layout, id), DoubledFiles::of_project(layout)] {
        let (names, written) = files.put_back();
        changed.extend(names);
        restored &= written;
    }
    if !state_is_known {
        // Changing it in nothing puts it back, and tells.
        context.change_state(Durability::Power, |_| ());
    }
    if !changed.is_empty() {
        let what = changed.join(", ");
        let record =
            HookRecord::default().outcome(json!({"critical": "own files were changed", "what": what}));
        note(context, "state", format!("{what}, which Steadfast has put back"));
        context.log("on_error", record);
        let before = context.critical.take();
        let told = before.as_ref().map(|before| before.message.clone());
        let message = told.into_iter().chain([witness::own_files_changed(&changed, restored)]);
        let message = message.collect::<Vec<_>>().join("\n");
        let restored = restored && before.is_none_or(|before| before.restored);
        context.critical = Some(CriticalLoss { message, restored });
    }
}

fn note(context: &mut HookContext, file: &str, what: String) {
    let change = OutsideChange { timestamp: context.env.now, file: file.to_owned(), what };
    context.change_state(Durability::Process, |state| state.note_outside_change(change));
}

fn look_at_log(context: &mut HookContext) {
    let Some(bound) = &context.bound else { return };
    let Some(report) = audit::changed_by_others(&context.layout.log(&bound.id)) else { return };
    let faults: Vec<String> = report.faults.iter().take(3).map(audit::LineRemark::in_words).collect();
    let what = faults.join("; ");
    note(context, "log", what.clone());
    let told = text::log_changed(&bound_id(context), &what);
    // The line that says so continues the chain, and with it the log is known again.
    let record = HookRecord::default()
        .outcome(json!({"critical": "the log was changed by something else", "what": what}));
    context.log("on_error", record);
    context.tell_human(told);
}

fn bound_id(context: &HookContext) -> String {
    context.bound.as_ref().map(|bound| bound.id.clone()).unwrap_or_default()
}
