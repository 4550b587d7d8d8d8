//! The words that a definition may use: hooks, agents, actions, and what a gate can do.
//!
//! Each is an enumeration, so a word that nothing acts on can't come out of a file.

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

/// The one of `known` that `word` was probably meant to be: at most a third of its letters differ.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > 64 {
        return None;
    }
    let distances = known.into_iter().map(|name| (distance(word, name), name));
    distances.filter(|(distance, _)| *distance * 3 <= length.max(3)).min().map(|(_, name)| name)
}

/// How many letters must be changed, added, removed or swapped with their neighbour to make `a` of `b`; case counts
/// nothing, nor does `-` for `_`.
fn distance(a: &str, b: &str) -> usize {
    let fold = |text: &str| -> Vec<char> {
        text.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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

    #[test]
    fn a_near_name_is_found_and_a_far_one_is_not() {
        let actions = || Action::ALL.iter().map(|action| action.name());
        let agents = || Agent::ALL.iter().map(|agent| agent.name());
        let rows = [
            (nearest("log_lop_start", actions()), Some("log_loop_start")),
            (nearest("log_loop_strat", actions()), Some("log_loop_start")),
            (nearest("LOG_ERROR", actions()), Some("log_error")),
            (nearest("lazyness_detector", agents()), Some("laziness-detector")),
            (nearest("deploy", actions()), None),
            (nearest("", actions()), None),
            (nearest(&"log_error".repeat(100), actions()), None),
            (nearest("itration", VARIABLES.iter().copied()), Some("iteration")),
        ];
        for (found, expected) in rows {
            assert_eq!(found, expected);
        }
    }

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
