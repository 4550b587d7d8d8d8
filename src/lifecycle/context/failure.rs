//! A hook that fails itself: what its definition says follows (`execution.error_handling`).
//!
//! `log_and_continue` leaves a line. `abort_iteration` holds back every call that may change files until the turn ends,
//! and that iteration is no success. `force_pause` does so until a person resumes the loop. A hook fails when an agent
//! that it requires does, or when its process dies while it runs: a mark on the disk tells the next process.

use std::fs;

use jiff::Timestamp;
use serde_json::json;

use crate::definitions::model::Definitions;
use crate::definitions::names::{HookName, OnFailure};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::context::running_mark::{MARK, pick_up, policy};
use crate::model::event::EventKind;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::loop_state::{LoopState, Status};
use crate::state::records::HookFailure;
use crate::state::registry::Kind;
use crate::text::failure as text;

/// Does what the definitions say about the hooks that failed in this process, and tells it with the answer.
pub fn follow(context: &mut HookContext, answer: Answer) -> Answer {
    apply(context);
    let Some(failure) = context.failure.take() else { return answer };
    let reason = text::held(&failure);
    let human = match answer.human {
        Some(human) => format!("{human}\n{reason}"),
        None => reason.clone(),
    };
    let stops = matches!(answer.verdict, Verdict::Deny(_) | Verdict::Ask(_));
    let verdict = match context.event.kind {
        EventKind::PreToolUse(_) if !stops => Verdict::Deny(reason),
        _ => answer.verdict,
    };
    Answer { verdict, human: Some(human), ..answer }
}

/// The same for a loop that is about to begin: it begins, held back where the definitions want that.
pub fn of_start(state: &mut LoopState, heard: &AgentReplies, definitions: &Definitions, now: Timestamp) {
    let policy = definitions.execution.on_failure(HookName::LoopStart);
    if !heard.required_failed || policy == OnFailure::LogAndContinue {
        return;
    }
    if policy == OnFailure::ForcePause {
        state.status = Status::Paused;
    }
    state.hook_failure = Some(HookFailure {
        timestamp: now,
        iteration: state.iteration,
        hook: HookName::LoopStart.name().to_owned(),
        on_failure: policy.name().to_owned(),
        reason: heard.failures.join("; "),
        loop_id: state.loop_id.clone(),
    });
}

/// Notes the hook whose process died while it ran.
pub fn notice(context: &HookContext) {
    pick_up(context);
}

/// Why calls that may change files are held back, if they are.
pub fn held(context: &mut HookContext) -> Option<String> {
    pick_up(context);
    apply(context);
    let held = context.bound.as_ref().is_some_and(|bound| bound.entry.held);
    let failure = context.state().filter(|_| held)?.hook_failure.clone()?;
    Some(text::held(&failure))
}

/// Takes off the abort of the iteration that ends now, and tells why it was aborted. What was forced to pause stays.
pub fn end_of_iteration(context: &mut HookContext) -> Option<String> {
    pick_up(context);
    apply(context);
    let bound =
        context.bound.as_ref().filter(|bound| bound.entry.held && bound.entry.status != Status::Paused)?;
    fs::remove_file(context.layout.loop_dir(&bound.id).join(MARK)).ok();
    let failure = context.change_state(Durability::Process, |state| state.hook_failure.take())??;
    let reason = text::aborted(&failure);
    context.log(
        &failure.hook,
        HookRecord::default().outcome(reason.as_str()).change("hook_failure", json!(null)),
    );
    Some(reason)
}

/// Applies the strictest policy among the hooks that failed; that they did is in the log already.
fn apply(context: &mut HookContext) {
    let failed = context.failed.take();
    let worst = failed.into_iter().map(|failed| (policy(context, failed.hook), failed));
    let Some((policy, failed)) = worst.max_by_key(|(policy, _)| *policy) else { return };
    let Some(bound) = context.bound.as_ref().filter(|_| policy != OnFailure::LogAndContinue) else { return };
    // A session's own loop can't be resumed by anybody, so it is never paused.
    let pauses = policy == OnFailure::ForcePause && bound.entry.kind == Kind::Explicit;
    let (now, loop_id) = (context.env.now, bound.id.clone());
    let failure = HookFailure {
        timestamp: now,
        iteration: context.iteration(),
        hook: failed.hook.name().to_owned(),
        on_failure: if pauses { policy } else { OnFailure::AbortIteration }.name().to_owned(),
        reason: failed.reason,
        loop_id,
    };
    let stored = failure.clone();
    context.change_state(Durability::Power, |state| {
        state.hook_failure = Some(stored);
        if pauses && state.status.may_become(Status::Paused) {
            state.status = Status::Paused;
        }
    });
    let record = HookRecord::default()
        .outcome(json!({"on_failure": failure.on_failure, "reason": failure.reason}))
        .change("hook_failure", failure.hook.as_str());
    let record = if pauses { record.change("status", "paused") } else { record };
    context.log(&failure.hook, record);
    context.failure = Some(failure);
}
