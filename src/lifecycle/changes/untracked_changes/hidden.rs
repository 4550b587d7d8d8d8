//! Files that git was told not to look at (`skip-worktree`, `assume-unchanged`, a sparse checkout): what a call changed in
//! them git does not say, but the net under the call has seen.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::checkpoint::net::NetChanges;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::watch::Watch;
use crate::lifecycle::changes::others::Others;
use crate::lifecycle::changes::untracked_changes::{
    JUDGED_LIMIT, UntrackedChanges, is_judged, may_hold_tests, object_text, push_change, remember,
};
use crate::lifecycle::context::hook_context::HookContext;

/// Adds what the net has caught of files that git passes over, and that nothing else told of, and records it.
pub(crate) fn add(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    named: &BTreeSet<String>,
    caught: &NetChanges,
) {
    let told: BTreeSet<String> = untracked.paths().into_iter().collect();
    let is_new = |path: &&str| {
        is_judged(path) && !named.contains(*path) && !told.contains(*path) && !watch.files.contains_key(*path)
    };
    let files = caught.before.iter().filter(|entry| matches!(entry.node, Node::File { .. }));
    let mut untold: Vec<(&str, &Entry)> = files
        .filter_map(|entry| Some((entry.path.to_str().filter(|_| entry.path.is_relative())?, entry)))
        .filter(|(path, _)| is_new(path))
        .collect();
    if untold.is_empty() {
        return;
    }
    untold.sort_by_key(|(path, _)| !may_hold_tests(path));
    untold.truncate(JUDGED_LIMIT);
    let names: Vec<PathBuf> = untold.iter().map(|(path, _)| PathBuf::from(path)).collect();
    let hidden = context.project.git().passed_over(&names).unwrap_or_default();
    untold.retain(|(path, _)| hidden.contains(*path));
    if untold.is_empty() {
        return;
    }
    let others = Others::read(context, false);
    untold.retain(|(path, _)| !others.have_changed(context, path) && !others.may_change(path));
    for (path, entry) in untold {
        let Node::File { sha256, .. } = &entry.node else { continue };
        let count = untracked.changes.len();
        push_change(context, untracked, path, object_text(context, sha256));
        if untracked.changes.len() > count {
            untracked.found.push(entry.clone());
        }
        remember(context, watch, path);
    }
}
