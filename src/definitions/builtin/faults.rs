//! The hooks of what has gone wrong in a loop.

use super::{append_from, escalates, given, increment, option, set, set_from, text};
use crate::definitions::model::{
    DefinedList, DefinitionValue, GateDefinition, HookDefinition, RecoveryDefinition, Threshold, ThresholdAt,
};
use crate::definitions::names::{Action, GateAction, GateKind, Stage, Timing};
use crate::state::loop_state::Level;

/// `regression_detected`.
pub(super) const REGRESSION_DETECTED: HookDefinition = HookDefinition {
    description: text("Get back what was lost before anything else goes on"),
    trigger: text("The regression detector reports a loss"),
    timing: Timing::Immediate,
    agents: list![asks!(
        "recovery-orchestrator",
        "Lead through the recovery",
        list![
            given("regression_type", "{regression.type}"),
            given("severity", "{regression.severity}"),
            given("iteration", "{iteration}"),
            given("diff", "{regression.diff}")
        ]
    )],
    actions: list![
        Action::PauseExecution,
        Action::LogRegressionEvent,
        Action::InvokeRecoveryProtocol,
        Action::NotifyHumanIfCritical
    ],
    state_updates: list![
        append_from("regression_events", "regression_record"),
        set("recovery_in_progress", DefinitionValue::Bool(true)),
        increment("recovery_attempts")
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: Some(RECOVERY),
    gate: Some(REGRESSION_GATE),
};

const RECOVERY: RecoveryDefinition = RecoveryDefinition {
    steps: list![
        (Stage::Pause, text("Hold back what would write over the evidence")),
        (Stage::Diagnose, text("Find out why it was lost")),
        (Stage::Adapt, text("Choose another way that keeps it")),
        (Stage::Retry, text("Go that way")),
        (Stage::Escalate, text("Ask a person when no way has worked"))
    ],
    escalation: list![
        escalates("incident_attempts >= 3"),
        escalates("severity == 'critical'"),
        escalates("regression.type == 'test_deletion'")
    ],
};

const REGRESSION_GATE: GateDefinition = GateDefinition {
    kind: GateKind::Terminate,
    timeout_seconds: None,
    message: text(concat!(
        "Regression in iteration {iteration}: {regression.type} ({regression.severity})\n",
        "\n",
        "Before: {regression.diff.before}\n",
        "Now: {regression.diff.after}\n",
        "Lost:\n",
        "{regression.lost}\n",
        "\n",
        "The loop waits for a decision.\n"
    )),
    options: list![
        option("reject", "Take the change back and go on from before it", GateAction::RevertChange),
        option("approve", "Accept the loss; it becomes the new baseline", GateAction::AcceptChange),
        option("abort", "End the loop", GateAction::AbortLoop)
    ],
};

/// `reinforcement_escalation`.
pub(super) const REINFORCEMENT_ESCALATION: HookDefinition = HookDefinition {
    description: text("Remind more strongly than before"),
    trigger: text("An iteration's number or a standstill of quality asks for it"),
    timing: Timing::BeforeNextIteration,
    agents: list![asks!(
        "prompt-reinforcement",
        "Raise the level",
        list![
            given("current_level", "{reinforcement_level}"),
            given("iteration", "{iteration}"),
            given("quality_trajectory", "{quality_history}")
        ]
    )],
    actions: list![Action::EscalateReinforcementLevel, Action::LogEscalation, Action::InjectEscalatedPrompts],
    state_updates: list![
        set_from("reinforcement_level", "prompt-reinforcement.escalated_level"),
        append_from("reinforcement_history", "escalation_record")
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: DefinedList::EMPTY,
    thresholds: list![
        Threshold { at: ThresholdAt::Iteration(3), level: Level::Standard },
        Threshold { at: ThresholdAt::Iteration(5), level: Level::Aggressive },
        Threshold { at: ThresholdAt::QualityPlateau, level: Level::Aggressive }
    ],
    recovery: None,
    gate: None,
};

/// `stuck_loop_detected`.
pub(super) const STUCK_LOOP_DETECTED: HookDefinition = HookDefinition {
    description: text("Stop a loop that goes round in circles, and ask"),
    trigger: text("The same error or the same lesson three times in a row"),
    timing: Timing::Immediate,
    agents: list![asks!(
        "recovery-orchestrator",
        "Hand over to a person",
        list![
            given("error_pattern", "{error_pattern}"),
            given("iteration", "{iteration}"),
            given("attempts", "{recovery_attempts}")
        ]
    )],
    actions: list![
        Action::PauseExecution,
        Action::LogStuckLoop,
        Action::InvokeHumanGate,
        Action::GenerateDiagnosticReport
    ],
    state_updates: list![
        set("stuck_loop_detected", DefinitionValue::Bool(true)),
        set("recovery_in_progress", DefinitionValue::Bool(true))
    ],
    conditional_actions: DefinedList::EMPTY,
    risk_patterns: DefinedList::EMPTY,
    thresholds: DefinedList::EMPTY,
    recovery: None,
    gate: Some(STUCK_GATE),
};

const STUCK_GATE: GateDefinition = GateDefinition {
    kind: GateKind::Terminate,
    timeout_seconds: None,
    message: text(concat!(
        "The loop is stuck in iteration {iteration}.\n",
        "\n",
        "What keeps happening: {error_pattern}\n",
        "Recoveries tried in this loop: {recovery_attempts}\n",
        "\n",
        "The loop waits for a decision.\n"
    )),
    options: list![
        option("continue", "Go on, with another approach", GateAction::ResumeWithNewStrategy),
        option("abort", "End the loop", GateAction::AbortLoop),
        option(
            "manual_fix",
            "Wait while a person mends it, then go on",
            GateAction::PauseForManualIntervention
        )
    ],
};
