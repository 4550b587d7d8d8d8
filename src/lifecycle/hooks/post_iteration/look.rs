//! The look at everything that changed since the last one, whoever changed it.

use std::collections::BTreeSet;

use serde_json::json;

use crate::lifecycle::call::decision;
use crate::lifecycle::changes::untracked_changes::{UntrackedChanges, judged};
use crate::lifecycle::changes::{importers, others, touched, untracked_changes};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::criterion::loop_contract;
use crate::lifecycle::hooks::post_iteration::{HOOK, outside};
use crate::lifecycle::hooks::regression_detected;
use crate::lifecycle::regression::{cumulative_loss, mended, records};
use crate::model::event::EventKind;
use crate::model::finding::Finding;
use crate::state::atomic::Durability;

/// At most so many files that changed between two turns are named in the log.
const NOTED: usize = 50;

/// Judges what changed since the last look, whoever changed it, and closes what was mended.
pub(super) fn look_at_everything(context: &mut HookContext) -> Vec<Finding> {
    let mut untracked = untracked_changes::all(context);
    note_outside(context, &untracked);
    touched::touch(context, &untracked.own_paths(), None, &untracked.found);
    let mode = context.config.detection.mode;
    let mut new = judged(context, &mut untracked);
    importers::settle(&mut new);
    new.retain(|finding| decision::act_on(finding.severity, mode) == decision::CallDecision::Stop);
    let (eroded, since_start) = cumulative_loss::look(context);
    mended::keep_before(context, &eroded, &since_start, &BTreeSet::new());
    new.extend(eroded);
    new.extend(unmended(context));
    // What a loop is judged by holds in every mode.
    new.extend(not_open_yet(context, loop_contract::judge_now(context)));
    outside::tell(context);
    if !new.is_empty() {
        let now = context.env.now;
        context.change_state(Durability::Process, |state| {
            for finding in &new {
                records::push_pattern(state, finding, "stop", now);
            }
        });
        mended::keep_before(context, &new, &untracked.changes, &untracked.moved);
        regression_detected::run(context, &new, untracked.tests());
    }
    untracked_changes::move_on(context, &untracked);
    others::end_all(context);
    let mended = mended::close(context);
    if !mended.is_empty() {
        context.log(HOOK, HookRecord::default().outcome("mended").change("mended", json!(mended)));
    }
    new
}

/// Notes in the log, at the beginning of a turn, which files something outside of the session has changed since the last one.
fn note_outside(context: &mut HookContext, untracked: &UntrackedChanges) {
    let mut paths = untracked.paths();
    if paths.is_empty() || !matches!(context.event.kind, EventKind::UserPromptSubmit { .. }) {
        return;
    }
    let count = paths.len();
    paths.truncate(NOTED);
    let noted = json!({"changed_since_the_last_turn": paths, "count": count});
    context.log("UserPromptSubmit", HookRecord::default().outcome(noted));
}

/// What other files still import although the loop has taken it away. The files as they were are kept.
fn unmended(context: &HookContext) -> Vec<Finding> {
    let Some(state) = context.state() else { return Vec::new() };
    let (found, changes) = importers::standing(context, &state);
    mended::keep_before(context, &found, &changes, &BTreeSet::new());
    found
}

/// Findings without those of which a regression is open, or was accepted by a person.
fn not_open_yet(context: &HookContext, mut findings: Vec<Finding>) -> Vec<Finding> {
    let Some(state) = context.state().filter(|_| !findings.is_empty()) else { return findings };
    let known: Vec<String> = state
        .regression_events
        .iter()
        .filter(|event| event.still_tells())
        .flat_map(|event| event.lost())
        .collect();
    findings.retain(|finding| !finding.lost_names().all(|name| known.contains(&name)));
    findings
}
