//! The words that a definition may use: hooks, agents, actions, and what a gate can do.
//!
//! Each is an enumeration, so a word that nothing acts on can't come out of a file.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// An enumeration whose members have one spelling in files.
macro_rules! words {
    ($(#[$attribute:meta])* $Name:ident { $($Member:ident = $text:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the documents' words")]
        pub enum $Name { $($Member,)* }

        impl $Name {
            /// All members, in the documents' order.
            pub const ALL: &[$Name] = &[$($Name::$Member,)*];

            /// The spelling in files and in the log.
            pub fn name(self) -> &'static str {
                match self { $($Name::$Member => $text,)* }
            }

            /// All spellings, in the documents' order.
            pub fn names() -> impl Iterator<Item = &'static str> {
                $Name::ALL.iter().map(|member| member.name())
            }

            /// The member with this spelling.
            pub fn of(text: &str) -> Option<$Name> {
                match text { $($text => Some($Name::$Member),)* _ => None }
            }
        }

        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl JsonSchema for $Name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let words: Vec<&str> = $Name::ALL.iter().map(|word| word.name()).collect();
                json_schema!({"type": "string", "enum": words})
            }
        }
    };
}

words! {
    /// The ten hooks of a loop's life.
    HookName {
        LoopStart = "loop_start",
        LoopComplete = "loop_complete",
        PreIteration = "pre_iteration",
        PostIteration = "post_iteration",
        PreToolCall = "pre_tool_call",
        PostToolCall = "post_tool_call",
        OnError = "on_error",
        RegressionDetected = "regression_detected",
        ReinforcementEscalation = "reinforcement_escalation",
        StuckLoopDetected = "stuck_loop_detected",
    }
}

words! {
    /// The agents that are built in.
    Agent {
        ProgressTracker = "progress-tracker",
        LazinessDetector = "laziness-detector",
        PromptReinforcement = "prompt-reinforcement",
        RegressionDetector = "regression-detector",
        BestOutputTracker = "best-output-tracker",
        BestOutputSelector = "best-output-selector",
        RecoveryOrchestrator = "recovery-orchestrator",
    }
}

impl Agent {
    /// The fields of the agent's answer that a state update may take.
    pub fn outputs(self) -> &'static [&'static str] {
        match self {
            Agent::ProgressTracker => {
                &["baseline", "metrics", "quality_score", "quality_delta", "report", "report_path"]
            }
            Agent::LazinessDetector => &["verdict", "patterns", "detected"],
            Agent::PromptReinforcement => &["level", "escalated_level", "prompt", "reason"],
            Agent::RegressionDetector => &["detected", "regressions", "verdict"],
            Agent::BestOutputTracker => &["best_iteration"],
            Agent::BestOutputSelector => &["iteration", "quality_score", "reason"],
            Agent::RecoveryOrchestrator => &["diagnosis", "strategy", "outcome", "recovery", "gate"],
        }
    }
}

words! {
    /// When a hook runs.
    Timing {
        BeforeFirstIteration = "before_first_iteration",
        AfterFinalIteration = "after_final_iteration",
        BeforeIterationExecution = "before_iteration_execution",
        AfterIterationExecution = "after_iteration_execution",
        BeforeToolExecution = "before_tool_execution",
        AfterToolExecution = "after_tool_execution",
        ImmediateOnError = "immediate_on_error",
        Immediate = "immediate",
        BeforeNextIteration = "before_next_iteration",
    }
}

words! {
    /// What a hook does besides asking its agents.
    Action {
        InitializeBaselineMetrics = "initialize_baseline_metrics",
        SnapshotCodebaseState = "snapshot_codebase_state",
        EnableFileWatchers = "enable_file_watchers",
        LogLoopStart = "log_loop_start",
        SelectBestOutput = "select_best_output",
        ArchiveIterationHistory = "archive_iteration_history",
        GenerateCompletionReport = "generate_completion_report",
        DisableFileWatchers = "disable_file_watchers",
        LogLoopComplete = "log_loop_complete",
        SnapshotPreIterationState = "snapshot_pre_iteration_state",
        CalculateReinforcementLevel = "calculate_reinforcement_level",
        InjectReinforcementPrompts = "inject_reinforcement_prompts",
        LogIterationStart = "log_iteration_start",
        CaptureIterationMetrics = "capture_iteration_metrics",
        CheckRegression = "check_regression",
        UpdateBestOutput = "update_best_output",
        UpdateIterationHistory = "update_iteration_history",
        CheckCompletionCriteria = "check_completion_criteria",
        LogIterationComplete = "log_iteration_complete",
        LogRiskyAction = "log_risky_action",
        InjectWarningPrompt = "inject_warning_prompt",
        CreateRollbackCheckpoint = "create_rollback_checkpoint",
        CapturePostActionMetrics = "capture_post_action_metrics",
        CompareAgainstBaseline = "compare_against_baseline",
        LogActionImpact = "log_action_impact",
        LogError = "log_error",
        IncrementErrorCount = "increment_error_count",
        InjectRecoveryGuidance = "inject_recovery_guidance",
        CheckForStuckLoop = "check_for_stuck_loop",
        PauseExecution = "pause_execution",
        LogRegressionEvent = "log_regression_event",
        InvokeRecoveryProtocol = "invoke_recovery_protocol",
        NotifyHumanIfCritical = "notify_human_if_critical",
        EscalateReinforcementLevel = "escalate_reinforcement_level",
        LogEscalation = "log_escalation",
        InjectEscalatedPrompts = "inject_escalated_prompts",
        LogStuckLoop = "log_stuck_loop",
        InvokeHumanGate = "invoke_human_gate",
        GenerateDiagnosticReport = "generate_diagnostic_report",
    }
}

words! {
    /// The stages of recovery, in their order.
    Stage {
        Pause = "PAUSE",
        Diagnose = "DIAGNOSE",
        Adapt = "ADAPT",
        Retry = "RETRY",
        Escalate = "ESCALATE",
    }
}

words! {
    /// When a gate asks a person.
    GateKind {
        Terminate = "TERMINATE",
        Always = "ALWAYS",
    }
}

words! {
    /// What follows from a person's choice at a gate.
    GateAction {
        AcceptChange = "accept_change",
        RevertChange = "revert_change",
        AbortLoop = "abort_loop",
        ResumeWithNewStrategy = "resume_with_new_strategy",
        PauseForManualIntervention = "pause_for_manual_intervention",
    }
}

words! {
    /// What follows when a hook itself fails.
    OnFailure {
        LogAndContinue = "log_and_continue",
        AbortIteration = "abort_iteration",
        ForcePause = "force_pause",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_as_it_is_written() {
        assert_eq!(HookName::ALL.len(), 10);
        assert_eq!(Agent::ALL.len(), 7);
        for (place, hook) in HookName::ALL.iter().enumerate() {
            assert_eq!((HookName::of(hook.name()), *hook as usize), (Some(*hook), place), "{hook:?}");
        }
        for action in Action::ALL {
            assert_eq!(Action::of(action.name()), Some(*action), "{action:?}");
        }
        assert_eq!(HookName::of("Loop_Start"), None);
    }
}
