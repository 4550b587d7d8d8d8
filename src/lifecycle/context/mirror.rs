//! `current-loop.json` as a mirror for older tools: it shows the one explicit loop that is not over.
//!
//! A file without our loop's id was written by somebody else and is never overwritten before it was brought in.

use std::fs;

use crate::state::layout::Layout;
use crate::state::legacy;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;

/// Brings the mirror up to date with a changed loop. `running` counts the explicit loops that are not over, this one
/// included. The mirror is a courtesy to older tools: one that can't be written is no fault of the change.
pub fn follow(layout: &Layout, state: &LoopState, running: usize) {
    if state.kind != Kind::Explicit {
        return;
    }
    let path = layout.current_loop();
    let known = match legacy::read(layout) {
        Ok(known) => known,
        // What can't be read may be anybody's.
        Err(_) => return,
    };
    let mirrored = known.as_ref().map(|file| file.loop_id.as_deref());
    let own = mirrored == Some(Some(state.loop_id.as_str()));
    let shown = match mirrored {
        // Not brought in yet.
        Some(None) => return,
        // There is no single loop to show.
        Some(Some(_)) if running > 1 => {
            fs::remove_file(&path).ok();
            return;
        }
        _ => own || (running == 1 && !state.status.is_over()),
    };
    if shown && known.as_ref() != Some(&legacy::mirror(state)) {
        legacy::write(layout, state).ok();
    }
}
