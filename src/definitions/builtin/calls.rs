//! The hooks of tool calls and of their errors.

use super::{append_from, command_risk, file_risk, fires, given, increment, set_from, text};
use crate::definitions::model::{DefinedList, HookDefinition};
use crate::definitions::names::{Action, HookName, Timing};

/// `pre_tool_call`.
pub(super) const PRE_TOOL_CALL: HookDefinition = HookDefinition {
    description: text("Judge a call that may lose something, and keep what it can touch"),
    trigger: text("A tool is about to change files or run a command"),
    timing: Timing::BeforeToolExecution,
    agents: list![
        asks!(
            "prompt-reinforcement",
            "Say what is at stake before the call",
            list![
                given("tool", "{tool_name}"),
                given("target", "{tool_target}"),
                given("risk_level", "{risk}")
            ]
        ),
        asks!(
            optionally,
            "laziness-detector",
            "Look for what the call would lose",
            list![given("action_type", "{tool_name}"), given("target_path", "{tool_target}")]
        )
    ],
    actions: list![Action::LogRiskyAction, Action::InjectWarningPrompt, Action::CreateRollbackCheckpoint],
    state_updates: list![
        append_from("risky_actions", "action_log"),
        set_from("last_risky_action", "action_description")
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: list![
        file_risk("**/{test,tests,spec,__tests__}/**/*", "test_file_modification"),
        file_risk("**/*.{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts,py}", "test_file_modification"),
        file_risk("**/{test_*.py,*_test.py,*_test.go,*_test.rs,conftest.py}", "test_file_modification"),
        command_risk("rm -{rf,fr,r,R,Rf,fR}*", "bulk_deletion"),
        command_risk("git rm*", "version_control_deletion")
    ],
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};

/// `post_tool_call`.
pub(super) const POST_TOOL_CALL: HookDefinition = HookDefinition {
    description: text("See what a call that could lose something has done"),
    trigger: text("A judged call has run"),
    timing: Timing::AfterToolExecution,
    agents: list![asks!(
        "regression-detector",
        "Compare with the baseline while the call is fresh",
        list![
            given("baseline", "{baseline_metrics}"),
            given("current", "{current_metrics}"),
            given("tool", "{tool_name}")
        ]
    )],
    actions: list![Action::CapturePostActionMetrics, Action::CompareAgainstBaseline, Action::LogActionImpact],
    state_updates: list![append_from("tool_call_history", "tool_call_record")],
    conditional_actions: list![fires("regression_detected == true", HookName::RegressionDetected)],
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};

/// `on_error`.
pub(super) const ON_ERROR: HookDefinition = HookDefinition {
    description: text("Answer an error with the way on, and notice when it keeps coming back"),
    trigger: text("A tool or a verification has failed"),
    timing: Timing::ImmediateOnError,
    agents: list![asks!(
        "prompt-reinforcement",
        "Name the error and point at its cause",
        list![
            given("error_type", "{error.type}"),
            given("error_message", "{error.message}"),
            given("iteration", "{iteration}"),
            given("previous_errors", "{error_history}")
        ]
    )],
    actions: list![
        Action::LogError,
        Action::IncrementErrorCount,
        Action::InjectRecoveryGuidance,
        Action::CheckForStuckLoop
    ],
    state_updates: list![
        append_from("error_history", "error_record"),
        increment("error_count"),
        set_from("last_error", "error_record")
    ],
    conditional_actions: list![fires(
        "consecutive_same_error >= 3 OR consecutive_same_reflection >= 3",
        HookName::StuckLoopDetected
    )],
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};
