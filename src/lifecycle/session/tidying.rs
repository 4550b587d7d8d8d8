//! What is past its time goes when a loop or a session begins: lines of logs, and half-written files of processes that
//! were killed. What only a loop at work needs goes when a session ends after it.

use std::fs;

use jiff::Timestamp;

use crate::checkpoint::bound;
use crate::checkpoint::store::Store;
use crate::config::Checkpoints;
use crate::lifecycle::session::overdue;
use crate::state::atomic;
use crate::state::audit;
use crate::state::layout::Layout;
use crate::state::lock::Lock;
use crate::state::loop_state::Status;
use crate::state::registry::{Registry, RegistryEntry};
use crate::text::session as text;

/// Removes what is past its time. Best effort: the next one to begin tries again.
pub(crate) fn tidy(layout: &Layout, now: Timestamp) {
    for directory in fs::read_dir(layout.loops()).into_iter().flatten().flatten() {
        if let Some(id) = directory.file_name().to_str() {
            audit::prune(&layout.log(id), now).ok();
        }
    }
    atomic::remove_leftovers_below(layout.root());
    if let Ok(outside) = layout.outside() {
        atomic::remove_leftovers_below(&outside);
    }
}

/// Files in a loop's directory that only its work needs: the marks of ended turns and of what was said, and its process.
const OF_WORK: &[&str] = &["turn-ended", "worker.json", "agent.json", "running-hook.json"];

/// Removes what only the work of loops needs that are over for good: marks, and locks that nobody holds. What an undo, a
/// report or a look back needs stays.
pub(crate) fn tidy_ended(layout: &Layout) {
    let Ok(registry) = Registry::read(layout) else { return };
    let is_done = |entry: &RegistryEntry| matches!(entry.status, Status::Completed | Status::Aborted);
    for (id, _) in registry.loops.iter().filter(|(_, entry)| is_done(entry)) {
        for file in fs::read_dir(layout.loop_dir(id)).into_iter().flatten().flatten() {
            let (path, name) = (file.path(), file.file_name().to_string_lossy().into_owned());
            if name.ends_with(".lock") {
                Lock::clear(&path);
            } else if OF_WORK.contains(&name.as_str()) || name.starts_with("warned-") {
                fs::remove_file(&path).ok();
            }
        }
    }
}

/// Holds what is kept for undo within its bound, and has the next session tell the person what went.
pub(crate) fn hold_bound(layout: &Layout, store: &Store, limits: &Checkpoints) {
    let most = limits.max_total_mb.saturating_mul(1 << 20);
    // What can't be done now is done when the next session begins.
    let Ok(Some(given)) = bound::hold(store, most) else { return };
    let told = text::given_up(given.checkpoints, given.before, given.left, limits.max_total_mb);
    overdue::note_unheard(layout, &told);
}
