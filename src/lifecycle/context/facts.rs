//! What a hook knows under the names that definitions use: `{task}`, `iteration >= 5`, `{regression.type}`.

use serde_json::{Map, Value, json};

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::same_reflections;
use crate::model::finding::Finding;
use crate::state::loop_state::LoopState;
use crate::state::records::lost_key;

/// Names and values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts(Map<String, Value>);

impl Facts {
    /// Everything that a loop's state tells. A name that means something in general but is not known now is null, so
    /// that a condition over it is false rather than an error.
    pub fn of(state: &LoopState) -> Self {
        let quality: Vec<f64> = state.iteration_history.iter().map(|record| record.quality_score).collect();
        let last = state.iteration_history.last();
        let history = json!(state.error_history);
        let mut risks: Vec<&str> = state.risky_actions.iter().map(|action| action.risk.as_str()).collect();
        risks.sort_unstable();
        risks.dedup();
        let mut facts = Facts(Map::new());
        let known = [
            ("task", json!(state.task)),
            ("completion", json!(state.completion_criteria)),
            ("cwd", json!(state.working_directory)),
            ("loop_id", json!(state.loop_id)),
            ("status", json!(state.status)),
            ("iteration", json!(state.iteration)),
            ("max_iterations", json!(state.configuration.max_iterations)),
            ("iterations", json!(state.iteration_history)),
            ("baseline_metrics", json!(state.baseline_metrics)),
            ("current_metrics", json!(last.map(|record| &record.metrics_snapshot))),
            ("reinforcement_level", json!(state.reinforcement_level)),
            ("quality", json!(state.last_iteration_quality)),
            ("quality_history", json!(quality)),
            // The definitions' deltas are fractions of the scale.
            ("quality_delta", json!(last.map(|record| record.quality_delta / 100.0))),
            ("iteration_artifacts", json!(last.map(|record| &record.artifacts))),
            ("regression_detected", json!(state.regression_detected)),
            ("recovery_attempts", json!(state.recovery_attempts)),
            ("incident_attempts", json!(0)),
            ("detected_risks", json!(risks)),
            ("errors", history.clone()),
            ("error_history", history),
            ("error_count", json!(state.error_count)),
            ("error", json!(state.last_error)),
            ("consecutive_same_error", json!(state.consecutive_same_error)),
            ("consecutive_same_reflection", json!(same_reflections::same_reflections(state))),
            ("same_error_repeated", json!(state.consecutive_same_error >= 2)),
        ];
        let unknown = [
            "error_pattern",
            "modified_files",
            "regression",
            "risk",
            "severity",
            "test_output",
            "tool_name",
            "tool_target",
        ];
        facts.0.extend(unknown.map(|name| (name.to_owned(), Value::Null)));
        facts.0.extend(known.map(|(name, value)| (name.to_owned(), value)));
        facts
    }

    /// The same with another value under a name.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The same with a regression.
    pub fn with_regression(self, finding: &Finding, tests: Option<(u64, u64)>) -> Self {
        let kind = finding.regression_type;
        let lost: Vec<String> = finding.lost_names().collect();
        let diff = json!({
            kind.map_or("lost", lost_key): lost,
            "before_test_count": tests.map(|(before, _)| before),
            "after_test_count": tests.map(|(_, after)| after),
            "before": tests.map(|(before, _)| before),
            "after": tests.map(|(_, after)| after),
        });
        let regression = json!({
            "type": kind.map(|kind| kind.name()),
            "severity": finding.severity,
            "lost": lost,
            "diff": diff,
        });
        self.with("regression", regression).with("severity", json!(finding.severity))
    }

    /// Everything that `payload` has, over what is known.
    pub fn overlaid(mut self, payload: &Map<String, Value>) -> Self {
        self.0.extend(payload.iter().map(|(name, value)| (name.clone(), value.clone())));
        self
    }

    /// A value by its name, dots leading into objects; `None` for a name that means nothing.
    pub fn get(&self, name: &str) -> Option<Value> {
        let mut parts = name.split('.');
        let mut value = self.0.get(parts.next()?)?;
        for part in parts {
            match value.get(part) {
                Some(inner) => value = inner,
                // A member of something that is not known now is not known either.
                None => return Some(Value::Null),
            }
        }
        Some(value.clone())
    }
}

impl HookContext<'_> {
    /// The facts of the session's loop; those of an empty one when there is none.
    pub fn facts(&self) -> Facts {
        Facts::of(&self.state().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::condition::HookCondition;
    use crate::definitions::vocabulary::VARIABLES;

    #[test]
    fn every_variable_of_the_vocabulary_is_known() {
        let facts = Facts::of(&LoopState::default());
        for name in VARIABLES {
            assert!(facts.get(name.trim_end_matches(".*")).is_some(), "{name}");
        }
        assert_eq!(facts.get("nonsense"), None);
    }

    #[test]
    fn conditions_see_the_state() {
        let facts = Facts::of(&LoopState::default()).with("iteration", 5).with("quality_delta", 0.04);
        let holds =
            |text: &str| HookCondition::parse(text).unwrap().evaluate(&|name| facts.get(name)).unwrap();
        assert!(holds("iteration >= 5 AND quality_delta < 0.05"));
        assert!(!holds("iteration >= 6 AND quality_delta < 0.05"));
        assert!(!holds("regression.type == 'test_deletion'"));
    }
}
