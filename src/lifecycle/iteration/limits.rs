//! Which iteration of a loop is due, and how much of its time is left.

use std::time::Duration;

use jiff::Timestamp;

use crate::state::loop_state::{LONGEST_MINUTES, LoopState, MOST_ITERATIONS, Status};

/// The iteration with which a loop goes on after a person's decision, when the current one is over.
pub fn due(state: &LoopState) -> Option<u32> {
    state.next_iteration
}

/// The iteration that is going on or begins next: one that has a record is over, also when a limit ended the loop.
pub fn current(state: &LoopState) -> u32 {
    if let Some(due) = due(state) {
        return due;
    }
    if is_recorded(state) { state.iteration.saturating_add(1) } else { state.iteration.max(1) }
}

/// Whether the current iteration is over: it has its record. The loop waited then, or the process died that would have
/// begun the next. One that a person took back is done anew.
pub fn is_recorded(state: &LoopState) -> bool {
    state.kept_iterations().next_back().is_some_and(|last| last.iteration == state.iteration)
}

/// What is left of a loop's time; `None` when it is over. Time that a person gave anew counts from when they gave it.
pub fn time_left(state: &LoopState, now: Timestamp) -> Option<Duration> {
    let minutes = state.configuration.timeout_minutes.unwrap_or(LONGEST_MINUTES).min(LONGEST_MINUTES);
    let elapsed = now.duration_since(state.timeout_counts_from.unwrap_or(state.started_at));
    let elapsed = Duration::try_from(elapsed).unwrap_or_default();
    Duration::from_secs(minutes.saturating_mul(60)).checked_sub(elapsed).filter(|left| !left.is_zero())
}

/// The limit of iterations with which a loop goes on where it has used up `max`.
pub fn raised(max: u32) -> u32 {
    max.saturating_add((max / 2).max(5)).min(MOST_ITERATIONS)
}

/// Whether a loop may still be claimed or continued.
pub fn is_live(state: &LoopState) -> bool {
    matches!(state.status, Status::Running) && time_left(state, Timestamp::now()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    #[test]
    fn time_runs_out_and_never_lasts_for_ever() {
        let start = Timestamp::UNIX_EPOCH;
        let mut state = LoopState::new("l", "t", start);
        let at = |minutes| start + SignedDuration::from_mins(minutes);
        assert_eq!(time_left(&state, at(59)), Some(Duration::from_secs(60)));
        assert_eq!(time_left(&state, at(60)), None);
        state.configuration.timeout_minutes = None;
        assert!(time_left(&state, at(60)).is_some());
        assert_eq!(time_left(&state, at(8 * 24 * 60)), None);
        // What a person gives later is new, also after the longest that any loop may take.
        state.timeout_counts_from = Some(at(30 * 24 * 60));
        state.configuration.timeout_minutes = Some(5);
        assert_eq!(time_left(&state, at(30 * 24 * 60 + 4)), Some(Duration::from_secs(60)));
        assert_eq!(time_left(&state, at(30 * 24 * 60 + 5)), None);
        // A clock that went backwards ends nothing.
        assert!(time_left(&state, start - SignedDuration::from_hours(1)).is_some());
    }
}
