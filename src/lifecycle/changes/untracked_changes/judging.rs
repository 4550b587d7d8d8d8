//! What is lost in what changed without a word.

use crate::agents::laziness_detector;
use crate::detectors::checks::{left_out_files, named_files};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::changes::untracked_changes::{UntrackedChanges, history};
use crate::lifecycle::changes::{additions, importers, tested_values};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};
use crate::state::false_alarms;

/// The findings in what changed, with the session's other files taken into account, and without what the session had
/// added itself.
pub fn judged(context: &HookContext, untracked: &mut UntrackedChanges) -> Vec<Finding> {
    let (moved, own): (Vec<Change>, Vec<Change>) =
        untracked.changes.iter().cloned().partition(|change| untracked.moved.contains(&change.path));
    let mut findings = laziness_detector::check(&own, || elsewhere(context), &context.config);
    findings.extend(importers::missed(context, &own));
    tested_values::confirm(context, &own, &mut findings);
    left_out_files::weigh(&mut findings, || context.project.git().files(None));
    named_files::weigh(&mut findings, &own, |path| read_text(&context.project.root().join(path)));
    untracked.pending.excused += additions::spare(context, &own, &mut findings);
    let bulk = history::bulk(untracked, &mut findings);
    untracked.moved.extend(bulk);
    findings.extend(history::lost(context, &moved));
    false_alarms::silence(&context.layout, &mut findings, context.env.now);
    findings
}
