//! What happened in a project's sessions and loops, as their logs tell it: the events that matter to a person.
//!
//! Nothing here writes, and a line that can't be read is passed over.

mod event;
mod here;
pub(in crate::cli) mod works;

use std::io;

use jiff::Timestamp;

pub(in crate::cli) use event::{SeenEvent, Sort};

use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::store::Store;
use crate::model::words::first_of;
use crate::state::audit::{self, Filter};
use crate::state::layout::Layout;

/// When the day of `now` began where the person is.
pub(in crate::cli) fn midnight(now: Timestamp) -> Timestamp {
    let here = now.to_zoned_datetime(here::zone());
    here.start_of_day().map_or(now, |start| start.timestamp())
}

/// The time of day where the person is: `14:03`.
pub(in crate::cli) fn clock(at: Timestamp) -> String {
    at.to_zoned_datetime(here::zone()).strftime("%H:%M").to_string()
}

/// Date and time of day where the person is: `2026-02-03 14:03`.
pub(in crate::cli) fn date_and_clock(at: Timestamp) -> String {
    at.to_zoned_datetime(here::zone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// The events of a loop or session since then, oldest first, with what was undone in it.
pub(in crate::cli) fn events_since(
    layout: &Layout,
    store: &Store,
    id: &str,
    since: Timestamp,
) -> Vec<SeenEvent> {
    let filter = Filter { since: Some(since), ..Filter::default() };
    let lines = audit::read(&layout.hook_log(id), filter).into_iter().flatten();
    let mut events: Vec<SeenEvent> =
        lines.filter_map(|line: io::Result<_>| SeenEvent::of(&line.ok()?)).collect();
    let kept = catalogue::list(store, Some(id)).unwrap_or_default().checkpoints;
    let undone = kept.iter().filter(|manifest| manifest.created_at >= since).filter_map(undone);
    events.extend(undone);
    events.sort_by_key(|event| event.at);
    events
}

/// What was put back, where the checkpoint was made by that.
fn undone(manifest: &Manifest) -> Option<SeenEvent> {
    let after =
        manifest.after.as_ref().filter(|_| manifest.trigger == Trigger::PreRestore && !manifest.tree)?;
    let files: Vec<String> =
        after.changed.iter().map(|entry| entry.path.to_string_lossy().into_owned()).collect();
    Some(SeenEvent {
        at: manifest.created_at,
        iteration: manifest.iteration,
        sort: Sort::Undone,
        target: None,
        what: format!("put back {}", first_of(&files, 3)),
        patterns: Vec::new(),
        call: manifest.tool_call_id.clone(),
    })
}
