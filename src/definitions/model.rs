//! The definitions: what each hook asks, does, writes and fires, as values.
//!
//! Everything can be a constant, so the built-in definitions cost the hook nothing; the same types hold what a file
//! says.

mod execution;
mod values;

use std::borrow::Cow;

pub use execution::{Audit, Execution, Performance};
pub use values::{List, Literal, Text};

use super::condition::{Condition, SyntaxError};
use super::names::{Action, Agent, GateAction, GateKind, HookName, Stage, Timing};
use crate::state::loop_state::Level;

/// Everything that a definition file says.
#[derive(Debug, Clone, PartialEq)]
pub struct Definitions {
    /// The ten hooks, in the order of [`HookName::ALL`].
    pub hooks: [Hook; 10],
    /// How hooks are run.
    pub execution: Execution,
    /// What they may cost.
    pub performance: Performance,
    /// What they leave in the log.
    pub audit: Audit,
}

impl Definitions {
    /// One hook's definition.
    pub fn hook(&self, name: HookName) -> &Hook {
        &self.hooks[name as usize]
    }
}

/// One hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// What it is for; also the content of the messages to its agents.
    pub description: Text,
    /// What fires it, in words.
    pub trigger: Text,
    /// When it runs.
    pub timing: Timing,
    /// The agents that are asked, in order.
    pub agents: List<Invocation>,
    /// What is done, in order.
    pub actions: List<Action>,
    /// What is written to the loop's state.
    pub state_updates: List<StateUpdate>,
    /// What follows under a condition, in order.
    pub conditional_actions: List<Conditional>,
    /// Calls that are risky by their target (`pre_tool_call`).
    pub risk_patterns: List<RiskPattern>,
    /// From when on a reinforcement level holds (`reinforcement_escalation`).
    pub thresholds: List<Threshold>,
    /// How a regression is recovered from (`regression_detected`).
    pub recovery: Option<RecoveryProtocol>,
    /// What a person is asked.
    pub gate: Option<HumanGate>,
}

impl Hook {
    /// A hook that asks, does and writes nothing.
    pub const EMPTY: Hook = Hook {
        description: Cow::Borrowed(""),
        trigger: Cow::Borrowed(""),
        timing: Timing::Immediate,
        agents: List::EMPTY,
        actions: List::EMPTY,
        state_updates: List::EMPTY,
        conditional_actions: List::EMPTY,
        risk_patterns: List::EMPTY,
        thresholds: List::EMPTY,
        recovery: None,
        gate: None,
    };

    /// Whether the hook does `action`.
    pub fn does(&self, action: Action) -> bool {
        self.actions.contains(&action)
    }

    /// The invocation of a built-in agent, if the hook asks it.
    pub fn asks(&self, agent: Agent) -> Option<&Invocation> {
        self.agents.iter().find(|invocation| invocation.agent == agent.name())
    }
}

/// One agent that a hook asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    /// Its name: a built-in agent's, or any when a command stands for it.
    pub agent: Text,
    /// What it is asked for.
    pub purpose: Text,
    /// Whether its failure is a failure of the hook.
    pub required: bool,
    /// What it is given; texts hold placeholders.
    pub inputs: List<(Text, Literal)>,
    /// The program and arguments that answer instead of the built-in agent.
    pub command: Option<List<Text>>,
}

impl Invocation {
    /// The built-in agent that answers, unless a command does.
    pub fn built_in(&self) -> Option<Agent> {
        if self.command.is_some() { None } else { Agent::of(&self.agent) }
    }
}

/// A change of the loop's state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateUpdate {
    /// The state's field, as the definition names it (see [`super::vocabulary::state_field`]).
    pub field: Text,
    /// What happens to it.
    pub change: Change,
}

/// What happens to a state field.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// It becomes this.
    Set(Origin),
    /// The list gets this as its newest entry.
    Append(Origin),
    /// The number becomes one larger.
    Increment,
}

/// Where a state update takes its value.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// A field of an agent's answer (`agent.field`) or a record of the running hook.
    From(Text),
    /// This very value.
    Value(Literal),
}

/// What follows when a condition holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// The condition's text; [`Conditional::condition`] reads it.
    pub condition: Text,
    /// What follows.
    pub then: Then,
}

impl Conditional {
    /// The condition. One that came through a check never fails.
    pub fn condition(&self) -> Result<Condition, SyntaxError> {
        Condition::parse(&self.condition)
    }
}

/// What a condition leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Another hook is fired.
    Trigger(HookName),
    /// Something is done.
    Act(Action),
}

/// A tool and a target that make a call risky. [`super::risk`] matches it.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskPattern {
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
pub struct RecoveryProtocol {
    /// The stages and what each does.
    pub steps: List<(Stage, Text)>,
    /// When a person is asked at once.
    pub escalation: List<Escalation>,
}

/// A condition under which recovery is not tried again.
#[derive(Debug, Clone, PartialEq)]
pub struct Escalation {
    /// The condition's text.
    pub condition: Text,
    /// What follows.
    pub action: Action,
}

impl Escalation {
    /// The condition. One that came through a check never fails.
    pub fn condition(&self) -> Result<Condition, SyntaxError> {
        Condition::parse(&self.condition)
    }
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanGate {
    /// When the gate asks.
    pub kind: GateKind,
    /// Seconds after which the gate is reported once more; it never opens by itself. `None` waits quietly.
    pub timeout_seconds: Option<u64>,
    /// The message; it holds placeholders.
    pub message: Text,
    /// The answers.
    pub options: List<GateOption>,
}

/// One answer to a gate.
#[derive(Debug, Clone, PartialEq)]
pub struct GateOption {
    /// What is typed.
    pub id: Text,
    /// What it means.
    pub label: Text,
    /// What follows.
    pub action: GateAction,
}
