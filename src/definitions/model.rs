//! The definitions: what each hook asks, does, writes and fires, as values.
//!
//! Everything can be a constant, so the built-in definitions cost the hook nothing; the same types hold what a file
//! says.

mod execution;
mod values;

use std::borrow::Cow;

pub use execution::{ExecutionPolicy, LogPolicy, PerformanceTargets};
pub use values::{DefinedList, DefinitionValue, Text};

use super::condition::{HookCondition, SyntaxError};
use super::names::{Action, Agent, GateAction, GateKind, HookName, Stage, Timing};
use crate::state::loop_state::Level;

/// Everything that a definition file says.
#[derive(Debug, Clone, PartialEq)]
pub struct Definitions {
    /// The ten hooks, in the order of [`HookName::ALL`].
    pub hooks: [HookDefinition; 10],
    /// How hooks are run.
    pub execution: ExecutionPolicy,
    /// What they may cost.
    pub performance: PerformanceTargets,
    /// What they leave in the log.
    pub audit: LogPolicy,
}

impl Definitions {
    /// One hook's definition.
    pub fn hook(&self, name: HookName) -> &HookDefinition {
        &self.hooks[name as usize]
    }
}

/// One hook.
#[derive(Debug, Clone, PartialEq)]
pub struct HookDefinition {
    /// What it is for; also the content of the messages to its agents.
    pub description: Text,
    /// What fires it, in words.
    pub trigger: Text,
    /// When it runs.
    pub timing: Timing,
    /// The agents that are asked, in order.
    pub agents: DefinedList<AgentInvocation>,
    /// What is done, in order.
    pub actions: DefinedList<Action>,
    /// What is written to the loop's state.
    pub state_updates: DefinedList<FieldUpdate>,
    /// What follows under a condition, in order.
    pub conditional_actions: DefinedList<ConditionalStep>,
    /// Calls that are risky by their target (`pre_tool_call`).
    pub risk_patterns: DefinedList<RiskRule>,
    /// From when on a reinforcement level holds (`reinforcement_escalation`).
    pub thresholds: DefinedList<Threshold>,
    /// How a regression is recovered from (`regression_detected`).
    pub recovery: Option<RecoveryDefinition>,
    /// What a person is asked.
    pub gate: Option<GateDefinition>,
}

impl HookDefinition {
    /// A hook that asks, does and writes nothing.
    pub const EMPTY: HookDefinition = HookDefinition {
        description: Cow::Borrowed(""),
        trigger: Cow::Borrowed(""),
        timing: Timing::Immediate,
        agents: DefinedList::EMPTY,
        actions: DefinedList::EMPTY,
        state_updates: DefinedList::EMPTY,
        conditional_actions: DefinedList::EMPTY,
        risk_patterns: DefinedList::EMPTY,
        thresholds: DefinedList::EMPTY,
        recovery: None,
        gate: None,
    };

    /// Whether the hook does `action`.
    pub fn does(&self, action: Action) -> bool {
        self.actions.contains(&action)
    }

    /// The invocation of a built-in agent, if the hook asks it.
    pub fn asks(&self, agent: Agent) -> Option<&AgentInvocation> {
        self.agents.iter().find(|invocation| invocation.agent == agent.name())
    }
}

/// One agent that a hook asks.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentInvocation {
    /// Its name: a built-in agent's, or any when a command stands for it.
    pub agent: Text,
    /// What it is asked for.
    pub purpose: Text,
    /// Whether its failure is a failure of the hook.
    pub required: bool,
    /// What it is given; texts hold placeholders.
    pub inputs: DefinedList<(Text, DefinitionValue)>,
    /// The program and arguments that answer instead of the built-in agent.
    pub command: Option<DefinedList<Text>>,
}

impl AgentInvocation {
    /// The built-in agent that answers, unless a command does.
    pub fn built_in(&self) -> Option<Agent> {
        if self.command.is_some() { None } else { Agent::of(&self.agent) }
    }
}

/// A change of the loop's state.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldUpdate {
    /// The state's field, as the definition names it (see [`super::vocabulary::state_field`]).
    pub field: Text,
    /// What happens to it.
    pub change: FieldChange,
}

/// What happens to a state field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldChange {
    /// It becomes this.
    Set(UpdateSource),
    /// The list gets this as its newest entry.
    Append(UpdateSource),
    /// The number becomes one larger.
    Increment,
}

/// Where a state update takes its value.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateSource {
    /// A field of an agent's answer (`agent.field`) or a record of the running hook.
    From(Text),
    /// This very value.
    Value(DefinitionValue),
}

/// What follows when a condition holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalStep {
    /// The condition's text; [`ConditionalStep::condition`] reads it.
    pub condition: Text,
    /// What follows.
    pub then: ConditionOutcome,
}

impl ConditionalStep {
    /// The condition. One that came through a check never fails.
    pub fn condition(&self) -> Result<HookCondition, SyntaxError> {
        HookCondition::parse(&self.condition)
    }
}

/// What a condition leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionOutcome {
    /// Another hook is fired.
    Trigger(HookName),
    /// Something is done.
    Act(Action),
}

/// A tool and a target that make a call risky. [`super::risk`] matches it.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskRule {
    /// `Write` is every tool that writes files, `Bash` every shell; another name is that tool.
    pub tool: Text,
    /// A glob over the file, relative to the project.
    pub file_pattern: Option<Text>,
    /// A glob over a simple command, its words joined with a space.
    pub command_pattern: Option<Text>,
    /// The risk's name.
    pub risk: Text,
}

/// From when on a reinforcement level holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// When.
    pub at: ThresholdAt,
    /// The level.
    pub level: Level,
}

/// When a reinforcement level begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdAt {
    /// With this iteration.
    Iteration(u32),
    /// When quality no longer moves.
    QualityPlateau,
}

/// How a regression is recovered from.
#[derive(Debug, Clone, PartialEq)]
pub struct RecoveryDefinition {
    /// The stages and what each does.
    pub steps: DefinedList<(Stage, Text)>,
    /// When a person is asked at once.
    pub escalation: DefinedList<EscalationRule>,
}

/// A condition under which recovery is not tried again.
#[derive(Debug, Clone, PartialEq)]
pub struct EscalationRule {
    /// The condition's text.
    pub condition: Text,
    /// What follows.
    pub action: Action,
}

impl EscalationRule {
    /// The condition. One that came through a check never fails.
    pub fn condition(&self) -> Result<HookCondition, SyntaxError> {
        HookCondition::parse(&self.condition)
    }
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct GateDefinition {
    /// When the gate asks.
    pub kind: GateKind,
    /// Seconds after which the gate is reported once more; it never opens by itself. `None` waits quietly.
    pub timeout_seconds: Option<u64>,
    /// The message; it holds placeholders.
    pub message: Text,
    /// The answers.
    pub options: DefinedList<GateAnswer>,
}

/// One answer to a gate.
#[derive(Debug, Clone, PartialEq)]
pub struct GateAnswer {
    /// What is typed.
    pub id: Text,
    /// What it means.
    pub label: Text,
    /// What follows.
    pub action: GateAction,
}
