//! `pre_iteration`: an iteration begins. Its level is computed, and what the agent reads is made.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::scene::{Record, Scene};
use super::snapshot;
use crate::agents::prompt_reinforcement;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;

/// Begins iteration `number` of the session's loop and returns what the agent reads about its level. Beginning the
/// same iteration twice changes nothing.
pub fn begin(scene: &mut Scene, number: u32) -> Option<String> {
    let now = scene.env.now;
    let is_new = scene.in_explicit_loop() && scene.state().is_some_and(|state| state.iteration < number);
    let kept = if is_new { snapshot::before(scene, number) } else { None };
    let level = scene.change_state(Durability::Power, |state| {
        if state.iteration < number {
            state.iteration = number;
            state.iteration_count = number;
            let (level, reason) = prompt_reinforcement::level(number);
            if level > state.reinforcement_level {
                state.set_level(level, &reason, now);
            }
        }
        if let Some(manifest) = &kept {
            state.extra.insert("pre_iteration_snapshot".to_owned(), json!(manifest));
        }
        state.reinforcement_level
    })?;
    let mut record = Record::of(&["prompt-reinforcement"])
        .outcome(json!({"iteration": number, "level": level}))
        .change("iteration", number)
        .change("reinforcement_level", json!(level));
    if let Some(manifest) = kept {
        record = record.change("pre_iteration_snapshot", manifest);
    }
    scene.log("pre_iteration", record);
    prompt_reinforcement::text(level).map(str::to_owned)
}

/// What is left of a loop's time; `None` when it is over.
pub fn time_left(state: &LoopState, now: Timestamp) -> Option<Duration> {
    let minutes =
        state.configuration.timeout_minutes.unwrap_or(ABSOLUTE_TIMEOUT_MINUTES).min(ABSOLUTE_TIMEOUT_MINUTES);
    let elapsed = now.duration_since(state.started_at);
    let elapsed = Duration::try_from(elapsed).unwrap_or_default();
    Duration::from_secs(minutes.saturating_mul(60)).checked_sub(elapsed).filter(|left| !left.is_zero())
}

/// The most iterations of any loop, whatever its configuration says.
pub const ABSOLUTE_MAX_ITERATIONS: u32 = 1_000;
/// The longest any loop may take: a week.
const ABSOLUTE_TIMEOUT_MINUTES: u64 = 7 * 24 * 60;

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
        // A clock that went backwards ends nothing.
        assert!(time_left(&state, start - SignedDuration::from_hours(1)).is_some());
    }
}
