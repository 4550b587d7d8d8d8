//! The names that texts of a definition may use: state fields, records and variables.

/// The state fields that an update may write.
pub const STATE_FIELDS: &[&str] = &[
    "baseline_metrics",
    "best_iteration",
    "completion_report_path",
    "consecutive_same_error",
    "detected_patterns",
    "detection_enabled",
    "error_count",
    "error_history",
    "escalation_history",
    "iteration_count",
    "iteration_history",
    "last_error",
    "last_iteration_quality",
    "last_risky_action",
    "persistence_metrics",
    "pre_iteration_snapshot",
    "recovery_attempts",
    "recovery_history",
    "recovery_in_progress",
    "regression_detected",
    "regression_events",
    "reinforcement_history",
    "reinforcement_level",
    "risky_actions",
    "selected_iteration",
    "stuck_loop_detected",
    "tool_call_history",
];

/// The name under which a state field is written. The documents call one list by two names.
pub fn state_field(name: &str) -> &str {
    if name == "escalation_history" { "reinforcement_history" } else { name }
}

/// The records of the running hook that a state update may take, besides the agents' answers.
pub const RECORDS: &[&str] = &[
    "action_description",
    "action_log",
    "error_record",
    "escalation_record",
    "iteration_metrics",
    "iteration_record",
    "quality_score",
    "recovery_record",
    "regression_record",
    "snapshot_path",
    "tool_call_record",
];

/// What placeholders and conditions may name. One that ends with `.*` has any member.
///
/// Deltas are fractions (0.05 is five per cent), qualities are from 0 to 100, attempts of an incident begin anew with
/// each regression while `recovery_attempts` counts the loop's.
pub const VARIABLES: &[&str] = &[
    "baseline_metrics",
    "baseline_metrics.*",
    "completion",
    "consecutive_same_error",
    "consecutive_same_reflection",
    "current_metrics",
    "current_metrics.*",
    "cwd",
    "detected_risks",
    "error",
    "error.message",
    "error.type",
    "error_count",
    "error_history",
    "error_pattern",
    "errors",
    "incident_attempts",
    "iteration",
    "iteration_artifacts",
    "iterations",
    "loop_id",
    "max_iterations",
    "modified_files",
    "quality",
    "quality_delta",
    "quality_history",
    "recovery_attempts",
    "regression",
    "regression.diff",
    "regression.diff.*",
    "regression.lost",
    "regression.severity",
    "regression.type",
    "regression_detected",
    "reinforcement_level",
    "risk",
    "same_error_repeated",
    "severity",
    "status",
    "task",
    "test_output",
    "tool_name",
    "tool_target",
];

/// Whether `name` is a variable.
pub fn is_variable(name: &str) -> bool {
    VARIABLES.iter().any(|variable| match variable.strip_suffix('*') {
        Some(members) => name.len() > members.len() && name.starts_with(members),
        None => *variable == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_open_variables_are_variables() {
        let rows = [
            ("iteration", true),
            ("regression.type", true),
            ("regression.colour", false),
            ("baseline_metrics", true),
            ("baseline_metrics.test_count", true),
            ("baseline_metrics.", false),
            ("baseline_metricsx", false),
            ("", false),
        ];
        for (name, expected) in rows {
            assert_eq!(is_variable(name), expected, "{name:?}");
        }
    }
}
