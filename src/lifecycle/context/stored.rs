//! The state of the session's loop, read and changed from within an event.

use std::rc::Rc;

use crate::checkpoint::watch::Watch;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::context::state_change::change_state;
use crate::state::atomic::Durability;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::LoopState;

impl HookContext<'_> {
    /// Changes the loop's state under its lock, and the registry's line when that differs. `None` when the state
    /// could not be read, locked or written: a problem is then noted and nothing has changed.
    pub fn change_state<T>(
        &mut self,
        durability: Durability,
        change: impl FnOnce(&mut LoopState) -> T,
    ) -> Option<T> {
        let id = self.bound.as_ref()?.id.clone();
        match change_state(&self.layout, &id, HOOK_WAIT, durability, self.env.now, change) {
            Ok(changed) => {
                self.bound = Some(BoundLoop { id, entry: changed.entry });
                self.told.extend(changed.mended.clone());
                self.problems.extend(changed.mended);
                Some(changed.value)
            }
            Err(problem) => {
                self.not_recorded(problem);
                None
            }
        }
    }

    /// Reads the loop's state without locking it.
    pub fn state(&self) -> Option<Rc<LoopState>> {
        LoopState::read_shared(&self.layout, &self.bound.as_ref()?.id).ok()
    }

    /// Reads what was last judged of the loop's files.
    pub fn watch(&self) -> Option<Watch> {
        Watch::read(&self.layout, &self.bound.as_ref()?.id)
    }
}
