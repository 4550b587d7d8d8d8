//! What a session reads about its loop when it begins, or when its loop goes on.

use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::hooks::pre_iteration;
use crate::lifecycle::iteration::{limits, reflect};
use crate::state::registry::Kind;
use crate::text::{gate as gate_text, session as text, verdicts};

/// What the session reads about its loop.
pub(crate) fn standing(context: &mut HookContext, bound: &BoundLoop) -> Option<String> {
    let state = context.state()?;
    if let Some(gate) = state.open_gate() {
        return Some(gate_text::now_waits(gate));
    }
    match bound.entry.kind {
        Kind::Explicit if context.in_explicit_loop() => {
            let reminder = pre_iteration::begin(context, limits::current(&state));
            let state = context.state().unwrap_or(state);
            let parts: Vec<String> =
                [reflect::before(context, &state), reminder].into_iter().flatten().collect();
            let told = (!parts.is_empty()).then(|| parts.join("\n"));
            Some(text::loop_context(&state, told.as_deref()))
        }
        Kind::Explicit => None,
        Kind::Implicit => {
            let open: Vec<_> = state.open_regressions().collect();
            (!open.is_empty()).then(|| verdicts::open_regressions(&open, false))
        }
    }
}
