//! What was lost and is back: the regressions of it are closed.
//!
//! Invariant: a regression closes when the detectors, given the file as it was before the loss and as it is now, no
//! longer find what was lost. Else a test is back when one of its name runs that claims as much, as far as that is
//! known, in its own file or where runners find it too, and what has no name (a script, a setting) when its file is as
//! the loop's first checkpoint found it.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use crate::agents::laziness_detector;
use crate::agents::recovery_orchestrator::protocol;
use crate::agents::recovery_orchestrator::protocol::{Phase, ProtocolStep};
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::digest_of_file;
use crate::checkpoint::watch::Watch;
use crate::detectors::session_patterns::{CRITERION_CHANGED, PROTECTED_PATH};
use crate::languages;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::{changed_files, elsewhere};
use crate::lifecycle::changes::{emptied_folders, importers, protected};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::loop_contract;
use crate::lifecycle::regression::{measured, recovery};
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;
use crate::state::records::{ProtocolOutcome, RecoveryOutcome, RegressionEvent};

/// Keeps the files in which something was lost as they were before, until it is back.
/// Those of `moved` went with another commit.
pub fn keep_before(
    context: &HookContext,
    findings: &[Finding],
    changes: &[Change],
    moved: &BTreeSet<String>,
) {
    let lost = |change: &&Change| {
        findings.iter().any(|finding| finding.regression_type.is_some() && finding.path == change.path)
    };
    let mut changed = changes.iter().filter(lost).peekable();
    let (Some(_), Some(bound)) = (changed.peek(), &context.bound) else { return };
    let Some(mut watch) = context.watch() else { return };
    for change in changed {
        let Some(before) = &change.before else { continue };
        // Of two losses in one file the first says what was there.
        if !watch.lost.contains_key(&change.path)
            && let Ok((digest, _)) = context.store.objects().keep(before.as_bytes(), Durability::Process)
        {
            watch.lost.insert(change.path.clone(), digest);
        }
        if moved.contains(&change.path) {
            watch.moved.insert(change.path.clone());
        }
    }
    watch.write(&context.layout, &bound.id).ok();
}

/// Forgets what was kept of files in which nothing is lost any more.
fn forget(context: &HookContext) {
    let (Some(bound), Some(state)) = (&context.bound, context.state()) else { return };
    let Some(mut watch) = context.watch() else { return };
    let open: BTreeSet<String> = state.open_regressions().flat_map(files).collect();
    let known = watch.lost.len();
    watch.lost.retain(|path, _| open.contains(path));
    watch.moved.retain(|path| open.contains(path));
    if watch.lost.len() < known {
        watch.write(&context.layout, &bound.id).ok();
    }
}

/// Closes the open regressions of which all is back. Returns the ids that were closed.
pub fn close(context: &mut HookContext) -> Vec<String> {
    let Some(state) = context.state() else { return Vec::new() };
    // Git is asked once for all that is lost, and only when a test is not back at its own place.
    let watch = LazyCell::new(|| context.watch().unwrap_or_default());
    let changed = LazyCell::new(|| changed_files(context));
    let mended: BTreeSet<String> = state
        .open_regressions()
        .filter(|event| is_mended(context, event, || &watch, || changed.as_slice()))
        .map(|event| event.event_id.clone())
        .collect();
    if mended.is_empty() {
        return Vec::new();
    }
    let (max, now) = (recovery::max_retries(context), context.env.now);
    context.change_state(Durability::Process, |state| {
        close_in(state, &mended, max, now);
        state.note_regressions();
    });
    forget(context);
    mended.into_iter().collect()
}

/// Closes what is mended in the state, with the recoveries and the gates of which nothing is open any more.
fn close_in(state: &mut LoopState, mended: &BTreeSet<String>, max: u32, now: Timestamp) {
    for event in state.regression_events.iter_mut().filter(|event| mended.contains(&event.event_id)) {
        event.recovery_outcome = Some(RecoveryOutcome::Success);
    }
    let open: BTreeSet<String> = state.open_regressions().map(|event| event.event_id.clone()).collect();
    for recovery in state
        .recovery_history
        .iter_mut()
        .filter(|recovery| !matches!(protocol::phase(recovery), Phase::New | Phase::Ended))
    {
        if !recovery.event_ids.iter().flatten().any(|id| open.contains(id)) {
            // An agent of the project's own may have given steps in no order that the protocol knows.
            if protocol::take(recovery, ProtocolStep::Mended, max, now).is_err() {
                recovery.outcome = Some(ProtocolOutcome::Success);
            }
        }
    }
    let mut recorded = false;
    let gates = state.human_gates.iter_mut().filter(|gate| gate.is_open() && !gate.event_ids.is_empty());
    for gate in gates {
        if !gate.event_ids.iter().any(|id| open.contains(id)) {
            gate.close_as_mended(now);
            // The iteration in which it opened has ended already.
            recorded |= gate.iteration_recorded.is_some();
        }
    }
    if recorded {
        state.next_iteration = Some(state.iteration + 1);
    }
}

/// The files in which an event says that something was lost.
fn files(event: &RegressionEvent) -> BTreeSet<String> {
    let named = event.named_files().map(str::to_owned);
    let of_lost = event.lost().into_iter().filter_map(|lost| Some(lost.split_once(": ")?.0.to_owned()));
    named.chain(of_lost).filter(|path| !path.is_empty()).collect()
}

fn is_mended<'c>(
    context: &HookContext,
    event: &RegressionEvent,
    watch: impl Fn() -> &'c Watch,
    changed: impl Fn() -> &'c [String],
) -> bool {
    let lost = event.lost();
    let pattern = event.details.get("pattern_id").and_then(Value::as_str);
    if event.regression_type == RegressionType::ValidationBypass {
        let (protected, others) = files(event).into_iter().partition(|file| context.config.protects(file));
        if !is_untouched(context, &protected) {
            return false;
        }
        if BTreeSet::is_empty(&others) && pattern == Some(PROTECTED_PATH.id) {
            return true;
        }
    }
    if pattern == Some(CRITERION_CHANGED.id) {
        return loop_contract::is_whole(context, &lost);
    }
    if measured::is_measured(event) {
        return false;
    }
    let files = files(event);
    let of_tests =
        matches!(event.regression_type, RegressionType::TestDeletion | RegressionType::TestSkipping);
    let is_known = !files.is_empty() && files.iter().all(|path| watch().lost.contains_key(path));
    let still = || files.iter().map(|path| still_lost(context, event, path, watch())).collect();
    let still: Option<Vec<Vec<Finding>>> = if is_known { still() } else { None };
    if still.as_ref().is_some_and(|still| still.iter().all(Vec::is_empty)) {
        return true;
    }
    if lost.is_empty() {
        return !is_known && !files.is_empty() && are_as_found(context, &files);
    }
    let may_go_by_name =
        of_tests || (!is_known && event.regression_type == RegressionType::AssertionWeakening);
    may_go_by_name
        && lost.iter().all(|lost| {
            let Some((path, name)) = lost.split_once(": ") else { return false };
            let runs = |place: &str| runs_again(context, (path, name), place, watch());
            // One that another of its name stands in for runs no more than one that is gone.
            let is_found = |finding: &Finding| finding.lost_names().any(|name| name == *lost);
            let is_still_lost = || still.iter().flatten().flatten().any(is_found);
            runs(path) && !is_still_lost() || changed().iter().any(|changed| changed != path && runs(changed))
        })
}

/// Whether a test of a file runs in a file, and claims there as much as it did, as far as that is known.
fn runs_again(context: &HookContext, (path, name): (&str, &str), place: &str, watch: &Watch) -> bool {
    let text = read_text(&context.project.root().join(place)).unwrap_or_default();
    let is_name = |test: &String| test == name;
    languages::running_tests(place, &text).is_some_and(|tests| tests.iter().any(is_name))
        && languages::carries_on((path, kept_text(context, path, watch).as_deref()), (place, &text), name)
}

/// What was kept of a file in which something was lost, as it was before.
fn kept_text(context: &HookContext, path: &str, watch: &Watch) -> Option<String> {
    let bytes = context.store.objects().read(watch.lost.get(path)?).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether protected files are as the newest commit or the loop's first checkpoints have them.
fn is_untouched(context: &HookContext, files: &BTreeSet<String>) -> bool {
    files.iter().all(|file| protected::is_as_committed(context, file)) || are_as_found(context, files)
}

/// What an event names of a file and is found lost in it still; `None` where the bytes of before can't be read.
fn still_lost(
    context: &HookContext,
    event: &RegressionEvent,
    path: &str,
    watch: &Watch,
) -> Option<Vec<Finding>> {
    let before = Some(kept_text(context, path, watch)?);
    let now = read_text(&context.project.root().join(path));
    let change = [Change { path: path.to_owned(), before, after: now }];
    let mut found = laziness_detector::check(&change, || elsewhere(context), &context.config);
    if event.regression_type == RegressionType::FeatureRemoval {
        found.extend(importers::still_missed(context, &change));
        found.extend(change.iter().filter_map(|change| emptied_folders::still(context, change)));
    }
    let lost = event.lost();
    // What went with another commit is not excused by the code that went the same way.
    let has_moved = watch.moved.contains(path);
    let is_still_lost = |finding: &Finding| {
        finding.regression_type == Some(event.regression_type)
            && (finding.severity > Severity::Low || has_moved)
            && (finding.lost.is_empty() || finding.lost_names().any(|name| lost.contains(&name)))
    };
    found.retain(is_still_lost);
    Some(found)
}

/// Whether the files are what the loop's first checkpoints of them say. One that none of them knows is not.
fn are_as_found(context: &HookContext, files: &BTreeSet<String>) -> bool {
    let Some(bound) = &context.bound else { return false };
    let Ok(catalogue) = catalogue::list(&context.store, Some(&bound.id)) else { return false };
    let oldest_first = catalogue.checkpoints.into_iter().rev();
    let kept: Vec<Manifest> =
        oldest_first.filter_map(|manifest| manifest.whole(&context.store).ok()).collect();
    files.iter().all(|file| {
        kept.iter()
            .find_map(|manifest| found(manifest, file))
            .is_some_and(|node| is_now(context, file, &node))
    })
}

/// What a checkpoint found in the file's place; `None` when it says nothing of it.
fn found(manifest: &Manifest, file: &str) -> Option<Node> {
    let path = Path::new(file);
    if let Some(entry) = manifest.entries.iter().find(|entry| entry.path == path && !entry.implied) {
        return Some(entry.node.clone());
    }
    let is_unkept = manifest.skipped.iter().any(|skipped| path.starts_with(&skipped.path));
    (manifest.tree && !is_unkept).then_some(Node::Absent)
}

fn is_now(context: &HookContext, file: &str, node: &Node) -> bool {
    let path = context.project.root().join(file);
    match node {
        Node::File { sha256, .. } => digest_of_file(&path).is_ok_and(|(digest, _)| digest == *sha256),
        Node::Absent => fs::symlink_metadata(&path).is_err(),
        _ => false,
    }
}
