//! Files of which git tells nothing: what changed in them the looks at the tree have seen.
//!
//! Those are the files that git was told not to look at (`skip-worktree`, `assume-unchanged`, a sparse checkout), those of
//! repositories within the project, and all of them where git does not answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

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
    let mut untold = untold(watch, untracked, named, seen);
    if untold.is_empty() {
        return;
    }
    untold.sort_by_key(|(path, _)| !may_hold_tests(path));
    untold.truncate(JUDGED_LIMIT);
    let names: Vec<PathBuf> = untold.iter().map(|(path, _)| PathBuf::from(path)).collect();
    let mut meant = context.project.git().passed_over(&names).unwrap_or_default();
    if silence::fault().is_none() {
        meant.extend(losses_within(context, &names));
        untold.retain(|(path, _)| meant.contains(*path));
    }
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

/// The files of the project that a look has seen change, and of which nothing else has told.
fn untold<'s>(
    watch: &Watch,
    untracked: &UntrackedChanges,
    named: &BTreeSet<String>,
    seen: &'s [Entry],
) -> Vec<(&'s str, &'s Entry)> {
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
    files
        .filter_map(|entry| Some((entry.path.to_str().filter(|_| entry.path.is_relative())?, entry)))
        .filter(|(path, _)| is_new(path))
        .collect()
}

/// Which files are of a repository within the project and not as that one's commit has them: what a commit of its brought
/// is no work of this session.
fn losses_within(context: &HookContext, paths: &[PathBuf]) -> Vec<String> {
    let root = context.project.root();
    let mut by_repository: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        let above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        let mut above = above.map(|folder| root.join(folder));
        if let Some(top) = above.find(|folder| folder.join(".git").exists()) {
            by_repository.entry(top).or_default().push(root.join(path));
        }
    }
    let differing = |(top, files): (&PathBuf, &Vec<PathBuf>)| Git::at(top).differing(Some("HEAD"), files);
    let lost = by_repository.iter().filter_map(differing).flatten();
    lost.filter_map(|file| file.strip_prefix(root).ok()?.to_str().map(str::to_owned)).collect()
}
