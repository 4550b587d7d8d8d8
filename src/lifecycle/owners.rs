//! Loops whose session is gone: they give up their place, and can be resumed.
//!
//! A session is gone when its client's process is, or, where nobody knows the process, when nothing has come from it for
//! long. A session that speaks after all has its loop again: nothing is taken from it meanwhile.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::scene::{Scene, change_state};
use crate::event::EventKind;
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::Status;
use crate::state::owner::Owner;
use crate::state::registry::{Entry, Kind, Registry};
use crate::text::session as text;

/// A dead process may have a successor on its way that resumes the session.
const SUCCESSION: Duration = Duration::from_secs(60);
/// How long a session may be quiet whose process nobody knows.
const SILENCE: Duration = Duration::from_secs(6 * 60 * 60);

/// Finds the loops whose session is gone and marks them as crashed. Answers what a person must know of each.
pub fn recover(layout: &Layout, now: Timestamp) -> Vec<String> {
    let Ok(registry) = Registry::read(layout) else { return Vec::new() };
    let bound = |id: &str| registry.sessions.values().any(|bound| bound == id);
    let gone = registry.loops.iter().filter(|(id, entry)| bound(id) && is_gone(layout, id, entry));
    gone.filter_map(|(id, _)| crash(layout, id, now)).collect()
}

/// Notes whose process the session of a loop is, and gives a loop back to its session when that speaks after all.
pub fn keep(scene: &mut Scene) {
    let Some(bound) = &scene.bound else { return };
    if bound.entry.kind != Kind::Explicit {
        return;
    }
    let crashed = bound.entry.status == Status::Crashed;
    let owner = match scene.event.kind {
        EventKind::SessionEnd { .. } => Some(Owner::ENDED),
        EventKind::SessionStart { .. } => Owner::parent(),
        _ if crashed => Owner::parent(),
        _ => return,
    };
    let crashed = crashed && owner != Some(Owner::ENDED);
    if crashed || bound.entry.session_process != owner {
        scene.change_state(Durability::Process, |state| {
            state.session_process = owner;
            if crashed {
                state.status = Status::Running;
            }
        });
    }
}

fn is_gone(layout: &Layout, id: &str, entry: &Entry) -> bool {
    if entry.kind != Kind::Explicit || entry.status != Status::Running {
        return false;
    }
    let quiet = match entry.session_process {
        Some(owner) if owner.lives() => return false,
        Some(_) => SUCCESSION,
        None => SILENCE,
    };
    // Every event of the session leaves a line, so the log is its heartbeat.
    let heard = std::fs::metadata(layout.hook_log(id)).and_then(|log| log.modified());
    heard.is_ok_and(|heard| heard.elapsed().is_ok_and(|passed| passed >= quiet))
}

fn crash(layout: &Layout, id: &str, now: Timestamp) -> Option<String> {
    let changed = change_state(layout, id, HOOK_WAIT, Durability::Power, now, |state| {
        let may = state.status.may_become(Status::Crashed);
        if may {
            state.status = Status::Crashed;
        }
        may.then(|| text::session_gone(state))
    });
    let told = changed.ok()?.value?;
    let mut line = Line::new("SessionEnd", id, 0, now);
    line.outcomes.push(Value::from("the session is gone"));
    line.state_changes.insert("status".to_owned(), Value::from("crashed"));
    audit::append(&layout.log(id), line).ok();
    Some(told)
}
