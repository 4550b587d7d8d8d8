//! Tests in files as they were right before a call, where nobody had judged them so yet: what a person had just written.
//!
//! The record says how a file was when it was last judged, and git what a commit has. What came after that, and went
//! with the call, only the look at the tree before it knows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::watch::Watch;
use crate::languages;
use crate::lifecycle::changes::additions::tests_of;
use crate::lifecycle::changes::others::Others;
use crate::lifecycle::changes::untracked_changes::{
    UntrackedChanges, is_judged, may_hold_tests, object_text, push_change, remember,
};
use crate::lifecycle::context::hook_context::HookContext;

/// At most so many files are compared.
const MOST: usize = 200;

/// Adds them. `seen` is what was there before the call of all that it changed.
pub(super) fn add(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    named: &BTreeSet<String>,
    seen: &[Entry],
) {
    if seen.iter().any(|entry| is_gits_own(&entry.path)) {
        // What git brings and takes away stands in its history.
        return;
    }
    let mut found: Vec<(&str, &Entry, String)> = seen
        .iter()
        .filter_map(|entry| {
            let path = entry.path.to_str().filter(|_| entry.path.is_relative())?;
            let Node::File { sha256, .. } = &entry.node else { return None };
            let is_meant = may_hold_tests(path) && is_judged(path) && !named.contains(path);
            let text = is_meant.then(|| object_text(context, sha256)).flatten()?;
            (languages::count_tests(path, &text)? > 0).then_some((path, entry, text))
        })
        .take(MOST)
        .collect();
    leave_output(context, &mut found);
    if found.is_empty() {
        return;
    }
    let others = Others::read(context, false);
    found.retain(|(path, ..)| !others.have_changed(context, path) && !others.may_change(path));
    for (path, entry, text) in found {
        let told = untracked.changes.iter_mut().find(|change| change.path == path);
        match told {
            // What was judged last must be in it too, or that would be missed.
            Some(change) if holds(path, &text, change.before.as_deref()) => {
                change.before = Some(text);
                untracked.found.retain(|known| known.path != entry.path);
                untracked.found.push(entry.clone());
            }
            Some(_) => {}
            None => {
                let count = untracked.changes.len();
                push_change(context, untracked, path, Some(text));
                if untracked.changes.len() > count {
                    untracked.found.push(entry.clone());
                }
                remember(context, watch, path);
            }
        }
    }
}

/// Whether a path is one of git's own files.
pub(in crate::lifecycle::changes) fn is_gits_own(path: &Path) -> bool {
    path.is_absolute() || path.components().any(|part| part.as_os_str() == ".git")
}

/// Takes out what git ignores: what is built comes and goes.
fn leave_output(context: &HookContext, found: &mut Vec<(&str, &Entry, String)>) {
    if found.is_empty() {
        return;
    }
    let names: Vec<PathBuf> = found.iter().map(|(path, ..)| PathBuf::from(path)).collect();
    let ignored = context.project.git().ignored(&names).unwrap_or_default();
    found.retain(|(_, entry, _)| !ignored.contains(&entry.path));
}

/// Whether a text has all tests that an earlier one had.
fn holds(path: &str, text: &str, earlier: Option<&str>) -> bool {
    tests_of(path, text).is_superset(&tests_of(path, earlier.unwrap_or_default()))
}
