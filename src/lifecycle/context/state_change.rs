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
use crate::state::registry::{Kind, Registry, RegistryEntry};

/// Changes a loop's state under its lock, and the registry's line of it when that differs.
pub fn change_state<T>(
    layout: &Layout,
    id: &str,
    wait: Duration,
    durability: Durability,
    now: jiff::Timestamp,
    change: impl FnOnce(&mut LoopState) -> T,
) -> Result<ChangedState<T>, String> {
    let mut locked = LockedState::open(layout, id, wait, now)?;
    let value = change(&mut locked.state);
    let (entry, mended) = locked.write(durability, now)?;
    Ok(ChangedState { value, entry, mended })
}

/// A loop's state under its lock. What is the same for every change stands here, once in the executable.
struct LockedState<'a> {
    layout: &'a Layout,
    id: &'a str,
    wait: Duration,
    state: LoopState,
    mended: Option<String>,
    _lock: Lock,
}

impl<'a> LockedState<'a> {
    fn open(layout: &'a Layout, id: &'a str, wait: Duration, now: jiff::Timestamp) -> Result<Self, String> {
        let lock_path = layout.loop_dir(id).join("state.lock");
        let lock =
            Lock::take(&lock_path, wait).map_err(|error| format!("{}: {error}", lock_path.display()))?;
        let Some(lock) = lock else {
            return Err(format!(
                "{} is locked by another process; nothing was recorded",
                lock_path.display()
            ));
        };
        let (state, mended) =
            LoopState::recover(layout, id, &lock, now).map_err(|error| error.to_string())?;
        Ok(LockedState { layout, id, wait, state, mended, _lock: lock })
    }

    fn write(
        mut self,
        durability: Durability,
        now: jiff::Timestamp,
    ) -> Result<(RegistryEntry, Option<String>), String> {
        let (layout, id) = (self.layout, self.id);
        history::retire(layout, &mut self.state);
        self.state.name_records();
        self.state.last_updated = now;
        self.state.replace(layout, durability).map_err(|error| error.to_string())?;
        let entry = self.state.registry_entry();
        let listed = self.list(&entry)?;
        let others = listed.iter().filter(|(other, entry)| {
            other.as_str() != id && entry.kind == Kind::Explicit && !entry.status.is_over()
        });
        let alive = others.count() + usize::from(!self.state.status.is_over());
        crate::lifecycle::context::mirror::follow(layout, &self.state, alive);
        self.state.remember_written(layout);
        // What cannot be tidied now is tidied later.
        atomic::remove_leftovers(&layout.loop_dir(id)).ok();
        Ok((entry, self.mended))
    }

    /// Puts the loop's line in the registry where that says something else. Returns the lines that were there.
    fn list(&self, entry: &RegistryEntry) -> Result<BTreeMap<String, RegistryEntry>, String> {
        let same = |old: &RegistryEntry| {
            RegistryEntry { last_active: entry.last_active, extra: Map::new(), ..old.clone() } == *entry
        };
        let listed =
            Registry::read(self.layout).map(|registry| registry.loops).unwrap_or_else(|_| BTreeMap::new());
        if !listed.get(self.id).is_some_and(same) {
            Registry::change(self.layout, self.wait, |registry| {
                let extra = registry.loops.get(self.id).map(|old| old.extra.clone()).unwrap_or_default();
                registry.loops.insert(self.id.to_owned(), RegistryEntry { extra, ..entry.clone() });
                if entry.status.is_over() {
                    registry.release(self.id);
                }
            })
            .map_err(|error| error.to_string())?;
        }
        Ok(listed)
    }
}

/// A changed state.
#[derive(Debug)]
pub struct ChangedState<T> {
    /// What the change returned.
    pub value: T,
    /// The loop's line in the registry.
    pub entry: RegistryEntry,
    /// What had to be mended first: a damaged file that was set aside.
    pub mended: Option<String>,
}
