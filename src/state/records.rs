//! The records inside a loop's state, named as the schema names them.
//!
//! A field of ours that a file may lack is optional, and a value of the wrong type costs that field alone. `extra`
//! holds only what others wrote.

mod baseline;
mod call;
mod error;
mod iteration;
mod pattern;
mod recovery;
mod regression;

pub use super::level::LevelChange;
pub use baseline::{AcceptedCount, Baseline};
pub use call::{RiskyAction, ToolCallRecord};
pub use error::{ErrorRecord, HookFailure};
pub use iteration::{Artifact, BestIteration, CompletionCheck, IterationRecord, Learning};
pub use pattern::DetectedPattern;
pub use recovery::{ProtocolOutcome, RecoveryRecord};
pub use regression::{
    FILES, FOUND, HumanDecision, RecoveryOutcome, RegressionEvent, TESTS_RUN, lost_key, texts,
};

/// Gives each record without a short id one: its place in the list. What others wrote keeps the id that it has.
pub(super) fn name_records<'r>(kind: &str, records: impl Iterator<Item = (&'r str, &'r mut Option<String>)>) {
    for (n, (id, display_id)) in records.enumerate() {
        if display_id.is_none() {
            let own = id.starts_with(&format!("{kind}-"));
            *display_id = Some(if own { id.to_owned() } else { format!("{kind}-{:03}", n + 1) });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::finding::{RegressionType, Severity};
    use crate::state::level::Level;
    use crate::state::loop_state::LoopState;
    use serde_json::json;

    #[test]
    fn regressions_have_short_names_and_both_ids_are_understood() {
        let event = |id: &str| json!({"event_id": id, "iteration": 1, "regression_type": "test_skipping", "severity": "low"});
        let mut state: LoopState = serde_json::from_value(json!({
            "regression_events": [event("0a1b-2c"), event("reg-007"), event("0a1c-3d")],
            "recovery_history": [{"recovery_id": "9f-1"}],
        }))
        .unwrap();
        state.name_records();
        let names = |state: &LoopState| -> Vec<String> {
            state.regression_events.iter().map(|event| event.display_id().to_owned()).collect()
        };
        assert_eq!(names(&state), ["reg-001", "reg-007", "reg-003"]);
        assert_eq!(state.recovery_history[0].display_id.as_deref(), Some("rec-001"));
        let once = state.clone();
        state.name_records();
        assert_eq!(state, once);
        for (said, expected) in
            [("reg-001", vec![0]), ("0a1", vec![0, 2]), ("reg-007", vec![1]), ("", vec![])]
        {
            let events = state.regression_events.iter().enumerate();
            let meant: Vec<usize> =
                events.filter(|(_, event)| event.is_meant(said)).map(|(n, _)| n).collect();
            assert_eq!(meant, expected, "{said}");
        }
    }

    #[test]
    fn hand_written_records_may_say_less_than_ours() {
        let state: LoopState = serde_json::from_value(serde_json::json!({
            "loop_id": "l",
            "regression_events": [
                {"iteration": 7, "type": "test_deletion", "severity": "critical", "human_decision": "reject"}
            ],
            "detected_patterns": [{"pattern_id": "LP-001"}],
            "reinforcement_history": [{"to_level": "STANDARD"}],
        }))
        .unwrap();
        assert_eq!(state.regression_events[0].regression_type, RegressionType::TestDeletion);
        assert!(!state.regression_events[0].is_open());
        assert_eq!(state.detected_patterns[0].severity, Severity::Medium);
        assert_eq!(state.reinforcement_history[0].to_level, Level::Standard);
        let written = serde_json::to_value(&state).unwrap();
        assert_eq!(written["regression_events"][0]["regression_type"], "test_deletion");
    }
}
