//! What is lost in what changed without a word.

use crate::lifecycle::changes::untracked_changes::{UntrackedChanges, history};
use crate::lifecycle::changes::{additions, detected};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};
use crate::state::false_alarms;

/// The findings in what changed, with the session's other files taken into account, and without what the session had
/// added itself.
pub fn judged(context: &HookContext, untracked: &mut UntrackedChanges) -> Vec<Finding> {
    let (moved, own): (Vec<Change>, Vec<Change>) =
        untracked.changes.iter().cloned().partition(|change| untracked.moved.contains(&change.path));
    let mut findings = Vec::new();
    detected::add(context, &own, &mut findings);
    untracked.pending.excused += additions::spare(context, &own, &mut findings);
    let bulk = history::bulk(untracked, &mut findings);
    untracked.moved.extend(bulk);
    findings.extend(history::lost(context, &moved));
    false_alarms::silence(&context.layout, &mut findings, context.env.now);
    findings
}
