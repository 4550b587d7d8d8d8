//! The built-in definitions as constants: what `hooks/persistence-hooks.yaml` says, without reading it.
//!
//! A test holds both equal. Everything is a constant, so a hook that finds no file of the project pays nothing.

use std::borrow::Cow;

use super::model::{
    ConditionOutcome, ConditionalStep, DefinitionValue, Definitions, EscalationRule, ExecutionPolicy,
    FieldChange, FieldUpdate, GateAnswer, LogPolicy, PerformanceTargets, RiskRule, Text, UpdateSource,
};
use super::names::{Action, GateAction, HookName, OnFailure};

/// A list that is compiled in.
macro_rules! list {
    ($($item:expr),* $(,)?) => { $crate::definitions::model::DefinedList { fixed: &[$($item),*], built: Vec::new() } };
}

/// A required agent, or one that is asked `optionally`. A macro, since only what stands in a literal becomes a constant.
macro_rules! asks {
    (optionally, $agent:literal, $purpose:literal, $inputs:expr $(,)?) => { asks!(@ false, $agent, $purpose, $inputs) };
    ($agent:literal, $purpose:literal, $inputs:expr $(,)?) => { asks!(@ true, $agent, $purpose, $inputs) };
    (@ $required:literal, $agent:literal, $purpose:literal, $inputs:expr) => {
        $crate::definitions::model::AgentInvocation {
            agent: std::borrow::Cow::Borrowed($agent),
            purpose: std::borrow::Cow::Borrowed($purpose),
            required: $required,
            inputs: $inputs,
            command: None,
        }
    };
}

mod calls;
mod faults;
mod loops;

/// The built-in definitions as a file.
pub const YAML: &str = include_str!("../../../hooks/persistence-hooks.yaml");

/// The built-in definitions.
pub static BUILTIN: Definitions = Definitions {
    hooks: [
        loops::LOOP_START,
        loops::LOOP_COMPLETE,
        loops::PRE_ITERATION,
        loops::POST_ITERATION,
        calls::PRE_TOOL_CALL,
        calls::POST_TOOL_CALL,
        calls::ON_ERROR,
        faults::REGRESSION_DETECTED,
        faults::REINFORCEMENT_ESCALATION,
        faults::STUCK_LOOP_DETECTED,
    ],
    execution: EXECUTION,
    performance: PERFORMANCE,
    audit: AUDIT,
};

const EXECUTION: ExecutionPolicy = ExecutionPolicy {
    async_hooks: list![HookName::PostToolCall],
    blocking_hooks: list![HookName::PreToolCall, HookName::RegressionDetected, HookName::StuckLoopDetected],
    default_timeout_ms: Some(5_000),
    timeouts_ms: list![
        (HookName::PreToolCall, Some(2_000)),
        (HookName::RegressionDetected, Some(10_000)),
        (HookName::StuckLoopDetected, None),
    ],
    default_on_failure: OnFailure::LogAndContinue,
    critical: list![
        (HookName::RegressionDetected, OnFailure::AbortIteration),
        (HookName::StuckLoopDetected, OnFailure::ForcePause),
    ],
};

const PERFORMANCE: PerformanceTargets = PerformanceTargets {
    target_p95_ms: 500,
    target_p99_ms: 1_000,
    max_overhead_percentage: 10.0,
    max_false_positive_percentage: 5.0,
};

const AUDIT: LogPolicy = LogPolicy {
    log_all_hook_invocations: true,
    log_location: text(".aiwg/ralph/loops/{loop_id}/hook-log.jsonl"),
    log_format: list![
        (text("timestamp"), text("ISO-8601")),
        (text("hook_name"), text("string")),
        (text("loop_id"), text("string")),
        (text("iteration"), text("integer")),
        (text("agents_invoked"), text("array")),
        (text("outcomes"), text("array")),
        (text("state_changes"), text("object")),
        (text("duration_ms"), text("integer")),
        (text("seq"), text("integer")),
        (text("prev_hash"), text("string"))
    ],
    retention_days: 90,
};

const fn text(text: &'static str) -> Text {
    Cow::Borrowed(text)
}

const fn given(name: &'static str, value: &'static str) -> (Text, DefinitionValue) {
    (text(name), DefinitionValue::Text(text(value)))
}

const fn set(field: &'static str, value: DefinitionValue) -> FieldUpdate {
    FieldUpdate { field: text(field), change: FieldChange::Set(UpdateSource::Value(value)) }
}

const fn set_from(field: &'static str, source: &'static str) -> FieldUpdate {
    FieldUpdate { field: text(field), change: FieldChange::Set(UpdateSource::From(text(source))) }
}

const fn append_from(field: &'static str, source: &'static str) -> FieldUpdate {
    FieldUpdate { field: text(field), change: FieldChange::Append(UpdateSource::From(text(source))) }
}

const fn increment(field: &'static str) -> FieldUpdate {
    FieldUpdate { field: text(field), change: FieldChange::Increment }
}

const fn fires(condition: &'static str, hook: HookName) -> ConditionalStep {
    ConditionalStep { condition: text(condition), then: ConditionOutcome::Trigger(hook) }
}

const fn escalates(condition: &'static str) -> EscalationRule {
    EscalationRule { condition: text(condition), action: Action::InvokeHumanGate }
}

const fn option(id: &'static str, label: &'static str, action: GateAction) -> GateAnswer {
    GateAnswer { id: text(id), label: text(label), action }
}

const fn file_risk(pattern: &'static str, risk: &'static str) -> RiskRule {
    RiskRule {
        tool: text("Write"),
        file_pattern: Some(text(pattern)),
        command_pattern: None,
        risk: text(risk),
    }
}

const fn command_risk(pattern: &'static str, risk: &'static str) -> RiskRule {
    RiskRule {
        tool: text("Bash"),
        file_pattern: None,
        command_pattern: Some(text(pattern)),
        risk: text(risk),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::parse;

    #[test]
    fn the_file_says_what_is_compiled_in() {
        // From nothing, so that what the file leaves out can't be filled in from the constants.
        let (read, problems) = parse::from_nothing(YAML);
        assert_eq!(problems, []);
        for hook in HookName::ALL {
            assert_eq!(read.hook(*hook), BUILTIN.hook(*hook), "{hook:?}");
        }
        assert_eq!(read, BUILTIN);
    }
}
