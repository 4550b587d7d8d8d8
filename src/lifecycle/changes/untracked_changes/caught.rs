//! What a call changed, as the looks at the tree before it and after it say it: no git has to be asked.
//!
//! Invariant: that is done only where the looks saw all of the tree, what is git's own is as it was, and whatever had
//! changed before the call has been judged. Otherwise git says what differs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::checkpoint::net::{NetChanges, git_index};
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::watch::Watch;
use crate::lifecycle::changes::untracked_changes::differing::{
    PastContent, UnjudgedPolicy, add_one, as_judged, is_new_look, leave_others,
};
use crate::lifecycle::changes::untracked_changes::{
    JUDGED_LIMIT, UntrackedChanges, is_judged, may_hold_tests, object_text,
};
use crate::lifecycle::context::hook_context::HookContext;

/// Adds the recorded and the tracked files that the call changed, but for those `named`, and records them. Answers
/// whether that could be told.
pub(super) fn add(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    named: &BTreeSet<String>,
    caught: &NetChanges,
) -> bool {
    if !tells_all(context, watch, caught) {
        return false;
    }
    let changed: BTreeMap<&str, &Entry> =
        caught.before.iter().filter_map(|entry| Some((entry.path.to_str()?, entry))).collect();
    let Some(tracked) = tracked(context, watch, &changed) else { return false };
    let mut candidates: Vec<String> = watch.files.keys().cloned().chain(tracked).collect();
    candidates
        .sort_by_cached_key(|path| (!watch.files.contains_key(path), !may_hold_tests(path), path.clone()));
    candidates.dedup();
    candidates.retain(|path| is_judged(path) && !named.contains(path) && is_new_look(context, watch, path));
    leave_others(context, watch, &mut candidates, UnjudgedPolicy::IsLeft);
    candidates.truncate(JUDGED_LIMIT);
    for path in candidates {
        let before = match watch.files.get(&path) {
            Some(known) => as_judged(context, known),
            None => changed.get(path.as_str()).and_then(|entry| as_caught(context, entry)),
        };
        add_one(context, watch, untracked, &path, before);
    }
    true
}

/// Whether the looks tell all that git would.
fn tells_all(context: &HookContext, watch: &Watch, caught: &NetChanges) -> bool {
    let Some(older) = &caught.older else { return false };
    let is_gits =
        |path: &Path| path.is_absolute() || path.components().any(|part| part.as_os_str() == ".git");
    let is_open = |path: &str| is_judged(path) && is_new_look(context, watch, path);
    let is_settled = |path: &String| match is_gits(Path::new(path)) {
        true => git_index::is_index(Path::new(path)),
        false => context.project.root().join(path).is_dir() || !is_open(path),
    };
    let unkept = || caught.unkept.iter().map(|skipped| skipped.path.as_path());
    let mut touched = caught.before.iter().map(|entry| entry.path.as_path()).chain(unkept());
    watch.compared_with().is_some()
        && older.iter().all(is_settled)
        && !touched.any(is_gits)
        && !unkept().filter_map(Path::to_str).any(is_open)
}

/// Those of the changed files that git tracks, which the index says; `None` where that can't be told.
fn tracked(context: &HookContext, watch: &Watch, changed: &BTreeMap<&str, &Entry>) -> Option<Vec<String>> {
    let root = context.project.root();
    let is_meant = |(path, entry): &(&&str, &&Entry)| {
        matches!(entry.node, Node::File { .. }) && is_judged(path) && !watch.files.contains_key(**path)
    };
    let paths: Vec<PathBuf> = changed.iter().filter(is_meant).map(|(path, _)| root.join(path)).collect();
    if paths.is_empty() {
        return Some(Vec::new());
    }
    let tracked = context.project.git().tracked(&paths)?;
    let inside = |path: &PathBuf| path.strip_prefix(root).ok()?.to_str().map(str::to_owned);
    Some(tracked.iter().filter_map(inside).collect())
}

/// What was there before the call.
fn as_caught(context: &HookContext, entry: &Entry) -> Option<PastContent> {
    let Node::File { sha256, .. } = &entry.node else { return None };
    Some((Some(object_text(context, sha256)?), entry.node.clone()))
}
