//! Test files that a command made by the code that it ran: what it made itself, the session may take away again.

use std::collections::BTreeSet;

use crate::checkpoint::catalogue;
use crate::checkpoint::net::NetChanges;
use crate::checkpoint::node::Node;
use crate::lifecycle::changes::additions::tests_of;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::untracked_changes::{is_gits_own, may_hold_tests};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::ToolCall;
use crate::model::finding::Change;

/// At most so many new files are read.
const MOST: usize = 100;

/// The test files that were not there before the call and are now, as far as its texts account for them. One with a test
/// that stood in another file which the call changed may be somebody's that has moved, and is none of them.
pub(crate) fn test_files(context: &HookContext, tool_call: &ToolCall, caught: &NetChanges) -> Vec<Change> {
    if caught.before.iter().any(|entry| is_gits_own(&entry.path)) {
        // Git may have brought them.
        return Vec::new();
    }
    let is_new = |node: &Node| *node == Node::Absent;
    let new = caught.before.iter().filter(|entry| is_new(&entry.node) && entry.path.is_relative());
    let new = new.filter_map(|entry| entry.path.to_str()).filter(|path| may_hold_tests(path)).take(MOST);
    let mut made: Vec<Change> = new
        .filter_map(|path| {
            let after = Some(read_text(&context.project.root().join(path))?);
            Some(Change { path: path.to_owned(), before: None, after })
        })
        .collect();
    if made.is_empty() {
        return made;
    }
    let id = tool_call.id.as_deref();
    let kept = id.and_then(|id| catalogue::find(&context.store, id).ok()).and_then(|manifest| manifest.after);
    let Some(after) = kept else { return Vec::new() };
    let moved = stood_elsewhere(context, caught);
    made.retain(|change| {
        let is_accounted = !after.unaccounted.iter().any(|path| path.to_str() == Some(&change.path));
        is_accounted
            && tests_of(&change.path, change.after.as_deref().unwrap_or_default()).is_disjoint(&moved)
    });
    made
}

/// The tests of the files that the call changed, as they were before.
fn stood_elsewhere(context: &HookContext, caught: &NetChanges) -> BTreeSet<String> {
    let texts = caught.before.iter().filter_map(|entry| {
        let Node::File { sha256, .. } = &entry.node else { return None };
        let path = entry.path.to_str().filter(|path| may_hold_tests(path))?;
        let bytes = context.store.objects().read(sha256).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into_owned()))
    });
    texts.flat_map(|(path, text)| tests_of(path, &text)).collect()
}
