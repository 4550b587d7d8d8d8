//! The hooks of a loop and of its iterations.

use super::{append_from, fires, given, increment, set, set_from, text};
use crate::definitions::model::{DefinedList, DefinitionValue, HookDefinition};
use crate::definitions::names::{Action, HookName, Timing};

/// `loop_start`.
pub(super) const LOOP_START: HookDefinition = HookDefinition {
    description: text("Measure the project before the agent touches it, and switch detection on"),
    trigger: text("A loop is opened"),
    timing: Timing::BeforeFirstIteration,
    agents: list![
        asks!(
            "progress-tracker",
            "Take the baseline that later iterations are compared with",
            list![
                given("task_description", "{task}"),
                given("completion_criteria", "{completion}"),
                given("working_directory", "{cwd}")
            ]
        ),
        asks!(
            "laziness-detector",
            "Say which regressions are looked for",
            list![
                given("detection_mode", "standard"),
                (text("patterns_enabled"), DefinitionValue::List(REGRESSION_TYPES))
            ]
        )
    ],
    actions: list![
        Action::InitializeBaselineMetrics,
        Action::SnapshotCodebaseState,
        Action::EnableFileWatchers,
        Action::LogLoopStart
    ],
    state_updates: list![
        set_from("baseline_metrics", "progress-tracker.baseline"),
        set("detection_enabled", DefinitionValue::Bool(true)),
        set("reinforcement_level", DefinitionValue::Text(text("MINIMAL")))
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};

/// `loop_complete`.
pub(super) const LOOP_COMPLETE: HookDefinition = HookDefinition {
    description: text("Choose the best iteration and write down how the loop went"),
    trigger: text("A loop is completed, failed or aborted"),
    timing: Timing::AfterFinalIteration,
    agents: list![
        asks!(
            "progress-tracker",
            "Sum the iterations up",
            list![given("loop_id", "{loop_id}"), given("final_status", "{status}")]
        ),
        asks!(
            "best-output-selector",
            "Find the iteration worth keeping, which need not be the last",
            list![
                given("iteration_history", "{iterations}"),
                given("quality_metric", "overall_quality_score")
            ]
        )
    ],
    actions: list![
        Action::SelectBestOutput,
        Action::ArchiveIterationHistory,
        Action::GenerateCompletionReport,
        Action::DisableFileWatchers,
        Action::LogLoopComplete
    ],
    state_updates: list![
        set_from("selected_iteration", "best-output-selector.iteration"),
        set_from("completion_report_path", "progress-tracker.report_path"),
        set("detection_enabled", DefinitionValue::Bool(false))
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};

/// `pre_iteration`.
pub(super) const PRE_ITERATION: HookDefinition = HookDefinition {
    description: text("Remind the agent of what counts, as strongly as the iteration asks for"),
    trigger: text("An iteration is about to begin"),
    timing: Timing::BeforeIterationExecution,
    agents: list![asks!(
        "prompt-reinforcement",
        "Choose the level and word the reminder",
        list![
            given("iteration_number", "{iteration}"),
            given("task_context", "{task}"),
            given("error_history", "{errors}"),
            given("risk_patterns", "{detected_risks}")
        ]
    )],
    actions: list![
        Action::SnapshotPreIterationState,
        Action::CalculateReinforcementLevel,
        Action::InjectReinforcementPrompts,
        Action::LogIterationStart
    ],
    state_updates: list![
        increment("iteration_count"),
        set_from("reinforcement_level", "prompt-reinforcement.level"),
        set_from("pre_iteration_snapshot", "snapshot_path")
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};

/// `post_iteration`.
pub(super) const POST_ITERATION: HookDefinition = HookDefinition {
    description: text("Measure the iteration and compare it with the baseline and the best so far"),
    trigger: text("An iteration has ended"),
    timing: Timing::AfterIterationExecution,
    agents: list![
        asks!(
            "progress-tracker",
            "Score the iteration by what was measured",
            list![
                given("iteration", "{iteration}"),
                given("artifacts", "{modified_files}"),
                given("test_results", "{test_output}")
            ]
        ),
        asks!(
            "regression-detector",
            "Tell what the iteration lost",
            list![
                given("baseline", "{baseline_metrics}"),
                given("current", "{current_metrics}"),
                given("iteration", "{iteration}")
            ]
        ),
        asks!(
            "best-output-tracker",
            "Remember the best iteration",
            list![
                given("iteration", "{iteration}"),
                given("quality_score", "{quality}"),
                given("artifacts", "{iteration_artifacts}")
            ]
        )
    ],
    actions: list![
        Action::CaptureIterationMetrics,
        Action::CheckRegression,
        Action::UpdateBestOutput,
        Action::UpdateIterationHistory,
        Action::CheckCompletionCriteria,
        Action::LogIterationComplete
    ],
    state_updates: list![
        append_from("iteration_history", "iteration_metrics"),
        set_from("best_iteration", "best-output-tracker.best_iteration"),
        set_from("regression_detected", "regression-detector.detected"),
        set_from("last_iteration_quality", "quality_score")
    ],
    conditional_actions: list![
        fires("regression_detected == true", HookName::RegressionDetected),
        fires("iteration >= 5 AND quality_delta < 0.05", HookName::ReinforcementEscalation)
    ],
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: None,
};

const REGRESSION_TYPES: DefinedList<DefinitionValue> = list![
    DefinitionValue::Text(text("test_deletion")),
    DefinitionValue::Text(text("test_skipping")),
    DefinitionValue::Text(text("feature_removal")),
    DefinitionValue::Text(text("coverage_regression")),
    DefinitionValue::Text(text("validation_bypass")),
    DefinitionValue::Text(text("assertion_weakening")),
    DefinitionValue::Text(text("error_suppression"))
];
