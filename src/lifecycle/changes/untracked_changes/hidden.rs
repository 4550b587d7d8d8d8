//! Files of which git tells nothing: what changed in them the looks at the tree have seen.
//!
//! Those are the files that git was told not to look at (`skip-worktree`, `assume-unchanged`, a sparse checkout), those of
//! repositories within the project, and all of them where git does not answer.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::watch::Watch;
use crate::lifecycle::changes::others::Others;
use crate::lifecycle::changes::untracked_changes::{
    JUDGED_LIMIT, UntrackedChanges, is_judged, may_hold_tests, object_text, push_change, remember,
};
use crate::lifecycle::context::hook_context::HookContext;
use crate::project::{Git, silence};

/// Adds what a look has seen change of files of which git tells nothing, and nothing else told either, and records it.
/// `seen` is what was there before.
pub(crate) fn add(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    named: &BTreeSet<String>,
    seen: &[Entry],
) {
    let told: BTreeSet<String> = untracked.paths().into_iter().collect();
    let is_gits_own = |path: &str| path.split('/').any(|part| part == ".git");
    let is_new = |path: &&str| {
        is_judged(path)
            && !is_gits_own(path)
            && !named.contains(*path)
            && !told.contains(*path)
            && !watch.files.contains_key(*path)
    };
    let files = seen.iter().filter(|entry| matches!(entry.node, Node::File { .. }));
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
    let is_silent = silence::fault().is_some();
    untold.retain(|(path, _)| is_silent || hidden.contains(*path) || is_loss_within(context, path));
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

/// Whether a file of a repository within the project is not as that one's commit has it: what a commit of its brought is
/// no work of this session.
fn is_loss_within(context: &HookContext, path: &str) -> bool {
    let root = context.project.root();
    let above = Path::new(path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let Some(top) = above.map(|folder| root.join(folder)).find(|folder| folder.join(".git").exists()) else {
        return false;
    };
    let file = root.join(path);
    let differing = Git::at(&top).differing(Some("HEAD"), std::slice::from_ref(&file));
    differing.is_some_and(|found| found.contains(&file))
}
