//! What was lost of the state and is known outside of the project: the person and the agent hear of it, and a turn does
//! not end on it.

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::notices;
use crate::model::event::EventKind;
use crate::model::verdict::{Answer, Verdict};

/// The answer with what was lost: for the agent where the event takes it, and a turn that would end goes on.
pub(crate) fn with(context: &mut HookContext, answer: Answer) -> Answer {
    let Some(critical) = context.critical.take() else { return answer };
    // What can't be put back is the same at every event: it is said once.
    if !critical.restored && notices::told_before(context, &critical.message) {
        return answer;
    }
    context.told.insert(0, critical.message.clone());
    let ends = matches!(context.event.kind, EventKind::Stop { .. });
    let said = |rest: String| {
        if rest.is_empty() { critical.message.clone() } else { format!("{}\n\n{rest}", critical.message) }
    };
    let verdict = match answer.verdict {
        Verdict::Pass if ends && critical.restored => Verdict::Continue(said(String::new())),
        // What a call has just done is its fault.
        Verdict::Pass | Verdict::Context(_) if follows_a_call(&context.event.kind) => {
            Verdict::Feedback(said(text_of(answer.verdict)))
        }
        Verdict::Pass if context.event.takes_context() => Verdict::Context(said(String::new())),
        Verdict::Context(text) => Verdict::Context(said(text)),
        Verdict::Continue(text) => Verdict::Continue(said(text)),
        Verdict::Feedback(text) => Verdict::Feedback(said(text)),
        Verdict::Deny(text) => Verdict::Deny(said(text)),
        other => other,
    };
    Answer { verdict, ..answer }
}

fn follows_a_call(kind: &EventKind) -> bool {
    matches!(kind, EventKind::PostToolUse { .. } | EventKind::PostToolUseFailure { .. })
}

fn text_of(verdict: Verdict) -> String {
    match verdict {
        Verdict::Context(text) => text,
        _ => String::new(),
    }
}
