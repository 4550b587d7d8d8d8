//! A loop whose time is over while no session works for it ends, and whoever comes next hears of it.

use std::fs;
use std::io::Write;

use jiff::Timestamp;

use crate::lifecycle::ending::finish::finish;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::iteration::limits;
use crate::lifecycle::session::{driven, liveness};
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::own_file;
use crate::state::registry::{Registry, RegistryEntry};
use crate::text::session as text;

/// What the next session is to hear, a line each.
const UNHEARD: &str = "unheard.txt";

/// Ends the loops whose time is over and for which nobody works: one with a session ends with that session's turn,
/// which is verified first. Answers what a person hears of each.
pub fn end_overdue(project: &Project, layout: &Layout, now: Timestamp) -> Vec<String> {
    let Ok(registry) = Registry::read(layout) else { return Vec::new() };
    if !registry.any_overdue(now) {
        return Vec::new();
    }
    let bound = |id: &str| registry.sessions.values().any(|bound| bound == id);
    let nobody = |id: &str, entry: &RegistryEntry| {
        entry.left || !bound(id) || liveness::worker(layout, id).is_some_and(|worker| worker.is_dead(now))
    };
    let mut told = Vec::new();
    for (id, entry) in &registry.loops {
        if !entry.is_overdue(now) || !nobody(id, entry) {
            continue;
        }
        let Ok(state) = LoopState::read(layout, id) else { continue };
        let is_over = limits::time_left(&state, now).is_none();
        if is_over
            && !driven::drives(&state)
            && finish(project, layout, id, LoopEnding::Timeout, None, now).is_ok()
        {
            told.push(text::overdue(&state));
            note_unheard(layout, &text::overdue(&state));
        }
    }
    told
}

/// What no session has heard yet of loops that have ended so. It is heard once.
pub fn unheard(layout: &Layout) -> Vec<String> {
    let path = layout.root().join(UNHEARD);
    let Ok(text) = own_file::read_text(&path) else { return Vec::new() };
    // Where it can't be taken away it would be said for ever.
    match fs::remove_file(&path) {
        Ok(()) => text.lines().map(str::to_owned).collect(),
        Err(_) => Vec::new(),
    }
}

/// Remembers it for the next session: who has ended the loop may have been a status that a program reads.
pub(crate) fn note_unheard(layout: &Layout, told: &str) {
    if own_file::read_text(&layout.root().join(UNHEARD))
        .is_ok_and(|known| known.lines().any(|line| line == told))
    {
        return;
    }
    let file = fs::OpenOptions::new().create(true).append(true).open(layout.root().join(UNHEARD));
    file.and_then(|mut file| file.write_all(format!("{told}\n").as_bytes())).ok();
}
