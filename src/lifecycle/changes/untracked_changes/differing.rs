//! The recorded files and those that git says differ, where they are not as they were last judged.
//!
//! Invariant: what is not known of a file's past is no loss: it is then recorded as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkpoint::net;
use crate::checkpoint::node::{Entry, Node};
use crate::checkpoint::watch::{FileStat, Watch, WatchedFile};
use crate::lifecycle::changes;
use crate::lifecycle::changes::others::Others;
use crate::lifecycle::changes::tree;
use crate::lifecycle::changes::untracked_changes::{
    JUDGED_LIMIT, UntrackedChanges, hidden, is_judged, may_hold_tests, object_text, push_change, remember,
};
use crate::lifecycle::context::hook_context::HookContext;
use crate::project::silence::{self, GitFault};
use crate::project::{ContentAfter, Difference};
use crate::state::atomic::Durability;

/// So many contents are asked of git at a time.
const LOT: usize = 256;

/// Files that git says differ, by path.
type DifferingPaths = BTreeMap<String, Difference>;

/// What was at a path, as text and as what an undo brings back.
pub(super) type PastContent = (Option<String>, Node);

/// What is done with files that no commit holds and that nobody has judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnjudgedPolicy {
    /// They are judged like the others.
    Counts,
    /// They wait for the end of the turn.
    IsLeft,
}

/// Adds every file that is not as it was last judged, but for those `named`, and records it. Where the tree was looked
/// at in this process, that says which files may differ; otherwise git does.
pub(crate) fn add(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    named: &BTreeSet<String>,
    new: UnjudgedPolicy,
) {
    let mut before = DifferingPaths::new();
    let head = tree::head_commit(&context.project);
    if head.is_none() && watch.compared_with().is_some() && context.project.git().top().is_none() {
        silence::note(GitFault::Gone);
    }
    let moved = follow_head(context, watch, untracked, head.as_deref(), &mut before);
    let mut may_differ = may_differ(context, watch, new, head.as_deref(), &mut before);
    if new == UnjudgedPolicy::Counts {
        may_differ.extend(unseen(context, watch, &mut before));
        if silence::fault().is_some() || net::saw_repositories(&context.store) {
            let seen = changes::net::since_last_look(context);
            hidden::add(context, watch, untracked, named, &seen);
        }
    }
    let mut candidates: Vec<String> =
        watch.files.keys().chain(before.keys()).cloned().chain(may_differ).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|path| is_judged(path) && !named.contains(path) && is_new_look(context, watch, path));
    leave_others(context, watch, &mut candidates, new);
    ask_about(context, watch, &moved, &mut candidates, &mut before);
    let came = |path: &String| moved.contains(path) && !before.contains_key(path);
    for path in candidates.iter().filter(|path| came(path)) {
        remember(context, watch, path);
    }
    candidates.retain(|path| !came(path));
    let is_known = |path: &String| watch.files.contains_key(path) || before.contains_key(path);
    candidates.sort_by_cached_key(|path| {
        (moved.contains(path), !is_known(path), !may_hold_tests(path), path.clone())
    });
    candidates.truncate(JUDGED_LIMIT);
    judge(context, watch, untracked, &candidates, &before);
}

/// Files that may differ beside those that git is asked about, which go to `before`: what a look at the tree in this
/// process names, or the new ones.
fn may_differ(
    context: &HookContext,
    watch: &Watch,
    new: UnjudgedPolicy,
    head: Option<&str>,
    before: &mut DifferingPaths,
) -> Vec<String> {
    if let Some(seen) = &context.since_start {
        return seen.iter().map(|(path, _)| path.clone()).collect();
    }
    let Some(commit) = watch.compared_with() else { return Vec::new() };
    if new == UnjudgedPolicy::Counts && Some(commit) == head {
        let (differences, new) = tree::since_head(&context.project).unwrap_or_default();
        extend(before, Some(differences));
        return new;
    }
    extend(before, context.project.git().differences(&[commit], &[]));
    Vec::new()
}

/// Files that git was told not to look at since the session began: what the commit has of them goes to `before`.
fn unseen(context: &HookContext, watch: &Watch, before: &mut DifferingPaths) -> Vec<String> {
    let git = context.project.git();
    let Some(commit) = watch.compared_with() else { return Vec::new() };
    let mut unseen = git.unseen().unwrap_or_default();
    // What a sparse checkout leaves out is not there.
    let is_there = |path: &String| context.project.root().join(path).symlink_metadata().is_ok();
    unseen.retain(|path| is_judged(path) && !watch.files.contains_key(path) && is_there(path));
    unseen.sort_by_key(|path| !may_hold_tests(path));
    unseen.truncate(JUDGED_LIMIT);
    let paths: Vec<PathBuf> = unseen.iter().map(PathBuf::from).collect();
    if !paths.is_empty() {
        extend(before, git.held(commit, &paths));
    }
    unseen.retain(|path| before.contains_key(path));
    unseen
}

/// Asks git about the past of the candidates of a look that nobody has judged, and takes out what neither was there nor
/// is. Costs what the change costs, whatever the size of the repository.
fn ask_about(
    context: &HookContext,
    watch: &Watch,
    moved: &BTreeSet<String>,
    candidates: &mut Vec<String>,
    before: &mut DifferingPaths,
) {
    let Some(seen) = &context.since_start else { return };
    let is_known = |path: &String| watch.files.contains_key(path);
    if let Some(commit) = watch.compared_with() {
        let git = context.project.git();
        let asked = |known: bool| -> Vec<PathBuf> {
            let asked = candidates.iter().filter(|path| {
                is_known(path) == known && !before.contains_key(*path) && (!known || moved.contains(*path))
            });
            asked.map(PathBuf::from).collect()
        };
        let (unknown, came) = (asked(false), asked(true));
        if !unknown.is_empty() {
            extend(before, git.held(commit, &unknown));
        }
        if !came.is_empty() {
            // What was changed after it came is work of this session.
            extend(before, git.differences(&[commit], if came.len() > LOT { &[] } else { &came }));
        }
    }
    let gone: BTreeSet<&String> =
        seen.iter().filter(|(_, node)| *node == Node::Absent).map(|(path, _)| path).collect();
    candidates.retain(|path| is_known(path) || before.contains_key(path) || !gone.contains(path));
}

fn extend(before: &mut DifferingPaths, differences: Option<Vec<Difference>>) {
    for difference in differences.unwrap_or_default() {
        if let Some(path) = name(&difference) {
            before.entry(path).or_insert(difference);
        }
    }
}

/// Whether a file does not look as it did when it was last judged.
pub(super) fn is_new_look(context: &HookContext, watch: &Watch, path: &str) -> bool {
    let look = FileStat::at(&context.project.root().join(path));
    watch.files.get(path).is_none_or(|known| known.look != look)
}

fn judge(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    candidates: &[String],
    past: &DifferingPaths,
) {
    for lot in candidates.chunks(LOT) {
        let asked = lot.iter().filter(|path| !watch.files.contains_key(*path));
        let ids = asked.filter_map(|path| past.get(path)?.before.as_deref());
        let contents = context.project.git().contents(ids).unwrap_or_default();
        for path in lot {
            let before = before(context, watch, path, past, &contents);
            add_one(context, watch, untracked, path, before);
        }
    }
}

/// Adds a file with what was there before, and records it.
pub(super) fn add_one(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    path: &str,
    before: Option<PastContent>,
) {
    // Where nobody can say what was there, nobody can say that it was lost.
    if let Some((text, node)) = before {
        let count = untracked.changes.len();
        push_change(context, untracked, path, text);
        if untracked.changes.len() > count {
            untracked.found.push(Entry::new(PathBuf::from(path), node));
        }
    }
    remember(context, watch, path);
}

/// What was at a recorded path when it was last judged; `None` when that can't be had.
pub(super) fn as_judged(context: &HookContext, known: &WatchedFile) -> Option<PastContent> {
    let Some(sha256) = known.sha256 else { return Some((None, Node::Absent)) };
    let text = object_text(context, &sha256)?;
    Some((Some(text), Node::File { sha256, size: known.look.size, mode: known.look.mode }))
}

/// What was at `path` when it was last judged; `None` when that can't be had.
fn before(
    context: &HookContext,
    watch: &Watch,
    path: &str,
    past: &DifferingPaths,
    contents: &BTreeMap<String, Vec<u8>>,
) -> Option<PastContent> {
    if let Some(known) = watch.files.get(path) {
        return as_judged(context, known);
    }
    let Some(difference) = past.get(path) else { return Some((None, Node::Absent)) };
    let Some(id) = &difference.before else { return Some((None, Node::Absent)) };
    let bytes = contents.get(id)?;
    let kept = context.store.objects().keep(bytes, Durability::Process);
    let (sha256, size) = kept.ok()?;
    let usual = if difference.was_executable { 0o755 } else { 0o644 };
    // Of a file that is still there the permissions are known better than git does.
    let now = fs::symlink_metadata(context.project.root().join(path)).map(|metadata| Node::mode(&metadata));
    let mode = now.unwrap_or(usual);
    Some((Some(String::from_utf8_lossy(bytes).into_owned()), Node::File { sha256, size, mode }))
}

/// Takes out what other sessions have changed. What one of them has judged is recorded as it is; what one of them may
/// be changing right now is left as it was, for that session to find.
pub(super) fn leave_others(
    context: &HookContext,
    watch: &mut Watch,
    candidates: &mut Vec<String>,
    new: UnjudgedPolicy,
) {
    if candidates.is_empty() || context.others.is_empty() && context.ended.is_empty() {
        return;
    }
    let others = Others::read(context, new == UnjudgedPolicy::Counts);
    candidates.retain(|path| {
        if others.have_changed(context, path) {
            let held = |watch: &Watch| watch.files.get(path).map(|known| known.tests as i64);
            let before = held(watch);
            remember(context, watch, path);
            // What was not counted before is no more counted now.
            let after = held(watch).unwrap_or_default();
            watch.excused += before.unwrap_or(after) - after;
            return false;
        }
        if others.may_change(path) {
            return false;
        }
        // What they had changed before, and judged, is no change of this session's.
        if let Some(theirs) = others.judged_later(context, path, watch) {
            let before = watch.files.get(path).map_or(theirs.tests, |known| known.tests);
            watch.excused += before as i64 - theirs.tests as i64;
            watch.files.insert(path.clone(), theirs.clone());
        }
        true
    });
}

/// Where another commit is checked out than when it was last looked at: what came with it and is no work of this
/// session is judged in a loop for lost tests alone, and otherwise not at all. From now on files are compared with the new commit. Answers the paths that came with it.
/// What the session itself committed is put into `before` with its content in the old commit.
fn follow_head(
    context: &HookContext,
    watch: &mut Watch,
    untracked: &mut UntrackedChanges,
    head: Option<&str>,
    before: &mut DifferingPaths,
) -> BTreeSet<String> {
    let (Some(old), Some(new)) = (watch.compared_with().map(str::to_owned), head) else {
        return BTreeSet::new();
    };
    if old == new {
        return BTreeSet::new();
    }
    let git = context.project.git();
    let Some(differences) = git.differences(&[&old, new], &[]) else { return BTreeSet::new() };
    let Some(own) = watch
        .began
        .map_or(Some(None), |began| tree::committed_since(&context.project, &old, new, began).map(Some))
    else {
        return BTreeSet::new();
    };
    let mut moved = BTreeSet::new();
    for difference in differences {
        let Some(path) = name(&difference) else { continue };
        // A session of an older record has no beginning, so all is taken for its work.
        if own.as_ref().is_none_or(|own| own.contains(&path)) {
            before.insert(path, difference);
        } else if difference.after == ContentAfter::Disk {
            continue;
        } else if context.in_explicit_loop() && may_hold_tests(&path) {
            untracked.moved.insert(path.clone());
            before.insert(path, difference);
        } else {
            moved.insert(path);
        }
    }
    watch.head = Some(new.to_owned());
    moved
}

fn name(difference: &Difference) -> Option<String> {
    Path::new(&difference.path).to_str().map(|path| path.replace('\\', "/"))
}
