//! What a look has found of the files and what is not written down yet.
//!
//! Invariant: the record moves on only after what was seen is on record, and never over what another process has
//! recorded since.

use std::collections::BTreeMap;

use crate::checkpoint::watch::{Watch, WatchedFile};
use crate::lifecycle::context::hook_context::HookContext;

/// What a look adds to the record of a loop.
#[derive(Debug, Default)]
pub(crate) struct PendingRecord {
    /// Files as they were in the record, and as they are.
    files: BTreeMap<String, (Option<WatchedFile>, WatchedFile)>,
    /// The commit that is checked out, where that is another.
    head: Option<String>,
    /// Tests more that went and are no loss.
    pub(crate) excused: i64,
}

impl PendingRecord {
    /// What `watch` has that `recorded` has not.
    pub(crate) fn between(recorded: &Watch, watch: Watch) -> Self {
        let head = watch.head.clone().filter(|head| recorded.head.as_ref() != Some(head));
        let excused = watch.excused - recorded.excused;
        let new = |path: &String, known: &WatchedFile| recorded.files.get(path) != Some(known);
        let changed = watch.files.into_iter().filter(|(path, known)| new(path, known));
        let files = changed.map(|(path, known)| (path.clone(), (recorded.files.get(&path).cloned(), known)));
        PendingRecord { files: files.collect(), head, excused }
    }

    /// Adds it to the loop's record.
    pub(crate) fn write(&self, context: &HookContext) {
        let Some(bound) = &context.bound else { return };
        if self.files.is_empty() && self.head.is_none() && self.excused == 0 {
            return;
        }
        let mut watch = context.watch().unwrap_or_default();
        for (path, (before, now)) in &self.files {
            if watch.files.get(path) == before.as_ref() {
                watch.files.insert(path.clone(), now.clone());
            }
        }
        watch.head = self.head.clone().or(watch.head);
        watch.excused += self.excused;
        // A record that can't be written makes the next comparison find the same again: no reason to fail here.
        watch.write(&context.layout, &bound.id).ok();
    }
}
