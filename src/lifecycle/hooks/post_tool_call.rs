//! `post_tool_call`: after a tool ran. What it did is compared with what was kept before it.

mod done;
mod known_figures;

use crate::checkpoint::last_call::LastCall;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::net::NetChanges;
use crate::checkpoint::settle;
use crate::checkpoint::settle::EndedCall;
use crate::lifecycle::call::view;
use crate::lifecycle::changes::{accounting, net};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::hooks::on_error;
use crate::lifecycle::hooks::on_error::ErrorSource;
use crate::lifecycle::hooks::post_tool_call::done::{CompletedCall, FinishedCall};
use crate::lifecycle::hooks::regression_detected::RecoveredLosses;
use crate::model::event::ToolCall;
use crate::model::finding::Finding;
use crate::model::verdict::{Answer, Verdict};
use crate::text::verdicts;

const HOOK: &str = "post_tool_call";

/// Looks at what a call did. `error` is set when the tool failed; it may have done harm all the same.
pub fn run(context: &mut HookContext, tool_call: &ToolCall, error: Option<&str>) -> Answer {
    if context.bound.is_none() || context.paused() {
        context.log(HOOK, HookRecord::default().outcome("pass: the loop is paused"));
        return Answer::default();
    }
    let ran = view::ran(context, tool_call);
    let kept = if ran.is_some() { settle(context, tool_call) } else { None };
    let caught = if ran.is_some() { net::close(context, tool_call) } else { NetChanges::default() };
    if !caught.before.is_empty() {
        accounting::note(context, tool_call);
    }
    if let Some(ran) = &ran {
        note_last(context, tool_call, &ran.target);
    }
    let Some(ran) = ran.filter(|ran| kept.is_some() || ran.names_changes || ran.runs_code) else {
        context.log(HOOK, HookRecord::default().outcome("pass"));
        let guidance =
            error.and_then(|error| on_error::run(context, error, ErrorSource::Call(&view::named(tool_call))));
        return guidance.map(Verdict::Context).unwrap_or_default().into();
    };
    let done = CompletedCall::of(context, tool_call, FinishedCall { ran, kept, caught }, error.is_some());
    let can_undo = !done.new.is_empty() && done.can_undo(context);
    let opened = done.record(context);
    let target = &done.target;
    let guidance = error.and_then(|error| on_error::run(context, error, ErrorSource::Call(target)));
    match answer(tool_call, &done.new, &opened, can_undo) {
        answer @ Answer { verdict: Verdict::Pass, .. } => {
            Answer { verdict: guidance.map(Verdict::Context).unwrap_or_default(), ..answer }
        }
        other => other,
    }
}

/// Notes the call as the newest that may have changed something, which is what a person means by the last one.
fn note_last(context: &mut HookContext, tool_call: &ToolCall, summary: &str) {
    let last =
        LastCall { tool_call_id: tool_call.id.clone(), summary: summary.to_owned(), ended: context.env.now };
    if let Err(error) = last.write(&context.store) {
        context.problems.push(error.to_string());
    }
}

/// Records what the call left, so that an undo can tell it from newer work; returns what was kept before it.
fn settle(context: &mut HookContext, tool_call: &ToolCall) -> Option<Manifest> {
    let bound = context.bound.clone()?;
    let call = EndedCall {
        loop_id: &bound.id,
        iteration: context.iteration(),
        tool_call_id: tool_call.id.as_deref(),
    };
    match settle::settle(&context.store, call, &context.bounds(), context.env.now) {
        Ok(manifest) => manifest,
        Err(error) => {
            context.problems.push(error.to_string());
            None
        }
    }
}

fn answer(tool_call: &ToolCall, new: &[Finding], opened: &RecoveredLosses, can_undo: bool) -> Answer {
    if new.is_empty() {
        return Answer::default();
    }
    let undo = tool_call.id.as_deref().filter(|_| can_undo && !opened.ids.is_empty());
    let lost = verdicts::lost_by_call(new, undo);
    let text = opened.told.iter().fold(lost, |text, told| format!("{text}\n\n{told}"));
    Verdict::Feedback(text).into()
}
