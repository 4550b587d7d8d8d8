//! `prompt-reinforcement`: how strongly the agent is reminded in an iteration, and what it reads.

use crate::state::loop_state::Level;

/// From this iteration on the level is STANDARD.
const STANDARD_FROM: u32 = 3;
/// From this iteration on the level is AGGRESSIVE.
const AGGRESSIVE_FROM: u32 = 5;

/// The level of an iteration by its number, and the reason as the state's history words it.
pub fn level(iteration: u32) -> (Level, String) {
    match iteration {
        0..STANDARD_FROM => (Level::Minimal, "Loop initialization".to_owned()),
        STANDARD_FROM..AGGRESSIVE_FROM => {
            (Level::Standard, format!("Iteration {STANDARD_FROM} threshold reached"))
        }
        _ => (Level::Aggressive, format!("Iteration {AGGRESSIVE_FROM} threshold reached")),
    }
}

/// What the model reads at the beginning of an iteration, besides the loop's banner.
pub fn text(level: Level) -> Option<&'static str> {
    match level {
        Level::Off => None,
        Level::Minimal | Level::Adaptive => Some(
            "Steadfast runs the completion command itself at the end of each turn; its exit code decides. Tests that \
             are deleted, skipped or weakened on the way keep the loop open.",
        ),
        Level::Standard => Some(
            "Earlier turns did not reach the goal. The cause is more likely in the source than in the tests: a test \
             that fails is evidence. Deleting, skipping or weakening it keeps the loop open.",
        ),
        Level::Aggressive => Some(
            "Several turns have not reached the goal. What was tried before did not work, so the same approach again \
             is unlikely to. Why the failure happens matters more than where. A different approach, a smaller step, or \
             a question to the person are open; deleted, skipped or weakened tests and removed features keep the loop \
             open.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_thresholds() {
        let rows = [
            (1, Level::Minimal),
            (2, Level::Minimal),
            (3, Level::Standard),
            (4, Level::Standard),
            (5, Level::Aggressive),
            (200, Level::Aggressive),
        ];
        for (iteration, expected) in rows {
            assert_eq!(level(iteration).0, expected, "iteration {iteration}");
        }
        assert_eq!(level(5).1, "Iteration 5 threshold reached");
        assert_eq!(text(Level::Off), None);
    }
}
