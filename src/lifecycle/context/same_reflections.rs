//! How often the newest iterations of a loop learned the same.

use crate::loops::errors::signature;
use crate::state::loop_state::LoopState;

/// How many of the newest iterations learned the same. What is advised next grows with the repetitions, so it is not
/// compared.
pub fn same_reflections(state: &LoopState) -> u32 {
    // A person's decision begins the count anew.
    let since = state.reflections_counted_from.unwrap_or_default();
    let done = state
        .iteration_history
        .iter()
        .rev()
        .filter(|record| !record.is_reverted() && record.iteration > since);
    let mut reflections = done.map(|record| {
        record.lesson().map_or_else(
            || record.learnings.clone(),
            |learning| format!("{} {}", learning.failed, learning.why),
        )
    });
    let Some(last) = reflections.next().filter(|text| !text.trim().is_empty()) else { return 0 };
    let same = |text: &String| signature::normalise(text) == signature::normalise(&last);
    1 + reflections.take_while(same).count() as u32
}

/// What is said to have detected a standstill in which the same was learned so often.
pub fn same_reflection(times: u32) -> String {
    format!("stuck_loop_detected: the same reflection {times} times")
}
