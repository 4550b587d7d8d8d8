//! Files that were written outside of a loop's scope by calls of its session that did not name them, found when a turn ends.

use crate::lifecycle::changes::whose::{self, NotOwnReason};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::criterion::scope;
use crate::lifecycle::hooks::post_iteration::HOOK;
use crate::lifecycle::iteration::as_started::as_started;
use crate::text::verdicts;

/// Names them to the person, each once in an iteration. Who wrote one is not known for sure, so nothing is
/// held up; what others are known to have written is none of this loop's business.
pub(super) fn tell(context: &mut HookContext) {
    let seen = context.since_start.take();
    let paths: Vec<String> = seen.iter().flatten().map(|(path, _)| path.clone()).collect();
    let mut found = scope::outside(context, &paths);
    if !found.is_empty() {
        let began = context.bound.as_ref().map(|bound| bound.entry.started_at).unwrap_or_default();
        let outside: Vec<&str> = found.iter().map(|finding| finding.path.as_str()).collect();
        let mut foreign = whose::foreign(context, began, &outside);
        // What may be a call's own is told.
        foreign.retain(|_, reason| !matches!(reason, NotOwnReason::Beside(_)));
        let as_started = as_started(context, seen.as_deref().unwrap_or_default());
        found.retain(|finding| {
            !as_started(&finding.path)
                && !foreign.contains_key(&finding.path)
                && !context.said_before(&format!("outside {}", finding.path))
        });
    }
    let beside = scope::beside_the_project(context);
    found.extend(beside.into_iter().filter(|one| !context.said_before(&format!("outside {}", one.path))));
    context.since_start = seen;
    if !found.is_empty() {
        let told = verdicts::outside_of_scope(&found);
        context.log(HOOK, HookRecord::default().outcome(told.as_str()));
        context.tell_human(told);
    }
}
