//! Loops whose iterations a driver ends: how such a loop, its driver and its sessions are known.

use crate::lifecycle::context::hook_context::HookContext;
use crate::state::loop_state::LoopState;

/// The key under which a loop's configuration names its driver.
pub const DRIVER: &str = "driver";

/// The variable that tells the hooks of a driven session which loop it belongs to.
pub const LOOP_VARIABLE: &str = "STEADFAST_LOOP_ID";

/// What the driver's own events are called in the log.
pub(crate) const HOST_EVENT: &str = "run";

/// Whether the loop's iterations are ended by a driver, so that a session's Stop ends none.
pub fn drives(state: &LoopState) -> bool {
    state.configuration.driver.is_some()
}

/// Whether this is the driver itself.
pub fn is_driver(context: &HookContext) -> bool {
    context.event.host_event == HOST_EVENT
}

/// The session that stands for the driver in the registry: while it is bound, no other session claims the loop.
pub fn session_of(loop_id: &str) -> String {
    format!("run:{loop_id}")
}
