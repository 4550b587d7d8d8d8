//! How often the newest iterations of a loop learned the same, and got no further.

use crate::loops::errors::signature;
use crate::state::loop_state::LoopState;
use crate::state::records::{IterationRecord, Learning};

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
    let mut done = done;
    let Some(mut newer) = done.next().filter(|record| !reflection(record).trim().is_empty()) else {
        return 0;
    };
    let last = signature::normalise(&reflection(newer));
    let mut times = 1;
    for record in done {
        // Numbers in names are not compared, but fewer failures are progress whatever the first one is called.
        if signature::normalise(&reflection(record)) != last || newer.gains_over(record) {
            break;
        }
        newer = record;
        times += 1;
    }
    times
}

fn reflection(record: &IterationRecord) -> String {
    let of_lesson = |learning: &Learning| format!("{} {}", learning.failed, learning.why);
    record.lesson().map_or_else(|| record.learnings.clone(), of_lesson)
}

/// What is said to have detected a standstill in which the same was learned so often.
pub fn same_reflection(times: u32) -> String {
    format!("stuck_loop_detected: the same reflection {times} times")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fewer_failures_are_no_standstill_whatever_the_first_is_called() {
        let of = |failing: &[u64]| {
            let record = |(n, failed): (usize, &u64)| IterationRecord {
                iteration: n as u32 + 1,
                learnings: format!("case {n}: 0 is not {n}; {failed} tests fail"),
                test_results: Some(json!({"failed": failed})),
                ..IterationRecord::default()
            };
            let history = failing.iter().enumerate().map(record).collect();
            same_reflections(&LoopState { iteration_history: history, ..LoopState::default() })
        };
        assert_eq!(of(&[9, 8, 7, 6]), 1);
        assert_eq!(of(&[9, 8, 8, 8]), 3);
        assert_eq!(of(&[6, 7, 8]), 3, "more failures are none");
        assert_eq!(of(&[]), 0);
    }
}
