//! What is past its time goes when a loop or a session begins: lines of logs, and half-written files of processes that
//! were killed.

use std::fs;

use jiff::Timestamp;

use crate::checkpoint::bound;
use crate::checkpoint::store::Store;
use crate::config::Checkpoints;
use crate::lifecycle::session::overdue;
use crate::state::atomic;
use crate::state::audit;
use crate::state::layout::Layout;
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

/// Holds what is kept for undo within its bound, and has the next session tell the person what went.
pub(crate) fn hold_bound(layout: &Layout, store: &Store, limits: &Checkpoints) {
    let most = limits.max_total_mb.saturating_mul(1 << 20);
    // What can't be done now is done when the next session begins.
    let Ok(Some(given)) = bound::hold(store, most) else { return };
    let told = text::given_up(given.checkpoints, given.before, given.left, limits.max_total_mb);
    overdue::note_unheard(layout, &told);
}
