//! What is past its time goes when a loop or a session begins: lines of logs, and half-written files of processes that
//! were killed.

use std::fs;

use jiff::Timestamp;

use crate::state::atomic;
use crate::state::audit;
use crate::state::layout::Layout;

/// Removes what is past its time. Best effort: the next one to begin tries again.
pub(crate) fn tidy(layout: &Layout, now: Timestamp) {
    for directory in fs::read_dir(layout.loops()).into_iter().flatten().flatten() {
        if let Some(id) = directory.file_name().to_str() {
            audit::prune(&layout.log(id), now).ok();
        }
    }
    atomic::remove_leftovers(layout.root()).ok();
}
