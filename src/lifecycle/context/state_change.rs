//! Changing a loop's state under its lock, with its line in the registry and its mirror.
//!
//! Invariant: with an error nothing has changed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Map;

use crate::state::atomic::{self, Durability};
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::lock::Lock;
use crate::state::loop_state::LoopState;
use crate::state::registry::{Entry, Kind, Registry};

/// Changes a loop's state under its lock, and the registry's line of it when that differs.
pub fn change_state<T>(
    layout: &Layout,
    id: &str,
    wait: Duration,
    durability: Durability,
    now: jiff::Timestamp,
    change: impl FnOnce(&mut LoopState) -> T,
) -> Result<Changed<T>, String> {
    let folder = layout.loop_dir(id);
    let lock_path = folder.join("state.lock");
    let lock = Lock::take(&lock_path, wait).map_err(|error| format!("{}: {error}", lock_path.display()))?;
    let Some(lock) = lock else {
        return Err(format!("{} is locked by another process; nothing was recorded", lock_path.display()));
    };
    let (mut state, mended) =
        LoopState::recover(layout, id, &lock, now).map_err(|error| error.to_string())?;
    let value = change(&mut state);
    history::retire(layout, &mut state);
    state.name_records();
    state.last_updated = now;
    state.replace(layout, durability).map_err(|error| error.to_string())?;
    let entry = state.registry_entry();
    let same =
        |old: &Entry| Entry { last_active: entry.last_active, extra: Map::new(), ..old.clone() } == entry;
    let listed = Registry::read(layout).map(|registry| registry.loops).unwrap_or_else(|_| BTreeMap::new());
    if !listed.get(id).is_some_and(same) {
        Registry::change(layout, wait, |registry| {
            let extra = registry.loops.get(id).map(|old| old.extra.clone()).unwrap_or_default();
            registry.loops.insert(id.to_owned(), Entry { extra, ..entry.clone() });
            if entry.status.is_over() {
                registry.release(id);
            }
        })
        .map_err(|error| error.to_string())?;
    }
    let others = listed.iter().filter(|(other, entry)| {
        other.as_str() != id && entry.kind == Kind::Explicit && !entry.status.is_over()
    });
    crate::lifecycle::context::mirror::follow(
        layout,
        &state,
        others.count() + usize::from(!state.status.is_over()),
    );
    state.remember_written(layout);
    // What cannot be tidied now is tidied later.
    atomic::remove_leftovers(&folder).ok();
    Ok(Changed { value, entry, mended })
}

/// A changed state.
#[derive(Debug)]
pub struct Changed<T> {
    /// What the change returned.
    pub value: T,
    /// The loop's line in the registry.
    pub entry: Entry,
    /// What had to be mended first: a damaged file that was set aside.
    pub mended: Option<String>,
}
