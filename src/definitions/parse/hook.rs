//! One hook of a definition file.

use super::gate::{gate, recovery};
use super::updates::{check_source, update};
use crate::definitions::model::{
    AgentInvocation, ConditionOutcome, ConditionalStep, DefinedList, HookDefinition, RiskRule, Text,
    Threshold, ThresholdAt,
};
use crate::definitions::names::{Action, Agent, HookName, Timing};
use crate::definitions::reader::{action, condition as read_condition, hook_name, literals, put, text};
use crate::definitions::{effects, risk};
use crate::state::loop_state::Level;
use crate::yaml::{Position, YamlNode, YamlReader};

const FIELDS: &[&str] = &[
    "description",
    "trigger",
    "timing",
    "agents_to_invoke",
    "actions",
    "state_updates",
    "conditional_actions",
    "risk_patterns",
    "thresholds",
    "recovery_protocol",
    "human_gate",
];
const LEVELS: &[Level] = &[Level::Off, Level::Minimal, Level::Standard, Level::Aggressive, Level::Adaptive];

/// A conditional action that fires a hook.
pub(super) struct HookTrigger {
    pub(super) from: HookName,
    pub(super) to: HookName,
    pub(super) at: Position,
}

/// Lays what a file says about the hook `name` over `hook`, and adds the hooks that it fires to `triggers`.
pub(super) fn hook(
    reader: &mut YamlReader,
    node: &YamlNode,
    hook: &mut HookDefinition,
    name: HookName,
    triggers: &mut Vec<HookTrigger>,
) {
    let mut sources = Vec::new();
    for (key, value) in reader.fields(node, FIELDS) {
        match key.name.as_str() {
            "description" => put(&mut hook.description, reader.text(value)),
            "trigger" => put(&mut hook.trigger, reader.text(value)),
            "timing" => put(&mut hook.timing, reader.word(value, "timing", Timing::of, Timing::names())),
            "agents_to_invoke" => put(&mut hook.agents, reader.list(value, invocation)),
            "actions" => {
                put(&mut hook.actions, reader.list(value, action));
                note_idle(reader, value.at, effects::actions(name, &hook.actions));
            }
            "state_updates" => {
                let updates = reader.list(value, |reader, node| update(reader, node, &mut sources));
                put(&mut hook.state_updates, updates);
                note_idle(reader, value.at, effects::updates(name, &hook.state_updates));
            }
            "conditional_actions" => {
                let read =
                    |reader: &mut YamlReader, node: &YamlNode| conditional(reader, node, name, triggers);
                put(&mut hook.conditional_actions, reader.list(value, read));
            }
            "risk_patterns" => put(&mut hook.risk_patterns, reader.list(value, risk_pattern)),
            "thresholds" => put(&mut hook.thresholds, thresholds(reader, value)),
            "recovery_protocol" => recovery(reader, value, &mut hook.recovery),
            "human_gate" => gate(reader, value, &mut hook.gate),
            _ => {}
        }
    }
    for (at, source) in sources {
        check_source(reader, at, &source, hook);
    }
}

fn note_idle(reader: &mut YamlReader, at: Position, messages: impl IntoIterator<Item = String>) {
    messages.into_iter().for_each(|message| reader.idle(at, message));
}

fn invocation(reader: &mut YamlReader, node: &YamlNode) -> Option<AgentInvocation> {
    let mut read = AgentInvocation {
        agent: "".into(),
        purpose: "".into(),
        required: true,
        inputs: DefinedList::EMPTY,
        command: None,
    };
    let mut agent_at = None;
    for (key, value) in reader.fields(node, &["agent", "purpose", "required", "inputs", "command"]) {
        match key.name.as_str() {
            "agent" => {
                agent_at = Some(value.at);
                put(&mut read.agent, reader.text(value));
            }
            "purpose" => put(&mut read.purpose, reader.text(value)),
            "required" => put(&mut read.required, reader.boolean(value)),
            "inputs" => read.inputs = literals(reader, value),
            "command" => read.command = command(reader, value),
            _ => {}
        }
    }
    let Some(at) = agent_at else {
        reader.error(node.at, "an agent to invoke has a name: `agent`");
        return None;
    };
    if read.command.is_none() && Agent::of(&read.agent).is_none() && !read.agent.is_empty() {
        let agents = Agent::names();
        reader.unknown(at, "built-in agent, and it has no `command`", &read.agent, agents);
    }
    Some(read)
}

fn command(reader: &mut YamlReader, node: &YamlNode) -> Option<DefinedList<Text>> {
    let command = reader.list(node, text)?;
    if command.first().is_none_or(|program| program.is_empty()) {
        reader.error(node.at, "a command is a list that begins with its program");
    }
    Some(command.into())
}

/// A conditional action of the hook `name`; the hook that it fires is added to `triggers`.
fn conditional(
    reader: &mut YamlReader,
    node: &YamlNode,
    name: HookName,
    triggers: &mut Vec<HookTrigger>,
) -> Option<ConditionalStep> {
    let (mut condition, mut act, mut hook) = (None, None, None);
    for (key, value) in reader.fields(node, &["condition", "action", "hook"]) {
        match key.name.as_str() {
            "condition" => condition = read_condition(reader, value),
            "action" => act = Some(value),
            "hook" => hook = Some(hook_name(reader, value)?),
            _ => {}
        }
    }
    let (Some(condition), Some(act)) = (condition, act) else {
        reader.error(node.at, "a conditional action has `condition` and `action`");
        return None;
    };
    let conditional = ConditionalStep { condition, then: then(reader, node, act, hook)? };
    note_idle(reader, node.at, effects::conditional(name, &conditional));
    if let ConditionOutcome::Trigger(to) = conditional.then {
        triggers.push(HookTrigger { from: name, to, at: node.at });
    }
    Some(conditional)
}

/// What the conditional action `node` leads to by its `action`, and by the hook that it names.
fn then(
    reader: &mut YamlReader,
    node: &YamlNode,
    action: &YamlNode,
    hook: Option<HookName>,
) -> Option<ConditionOutcome> {
    let text = reader.text(action)?;
    match (text.as_str(), hook) {
        ("trigger_hook", Some(hook)) => Some(ConditionOutcome::Trigger(hook)),
        ("trigger_hook", None) => {
            reader.error(node.at, "`trigger_hook` says which by `hook`");
            None
        }
        (text, _) => {
            let known = Action::of(text).map(ConditionOutcome::Act);
            if known.is_none() {
                reader.unknown(action.at, "action", text, Action::names().chain(["trigger_hook"]));
            }
            known
        }
    }
}

fn risk_pattern(reader: &mut YamlReader, node: &YamlNode) -> Option<RiskRule> {
    let mut read = RiskRule { tool: "".into(), file_pattern: None, command_pattern: None, risk: "".into() };
    for (key, value) in reader.fields(node, &["tool", "file_pattern", "command_pattern", "risk"]) {
        match key.name.as_str() {
            "tool" => put(&mut read.tool, reader.text(value)),
            "risk" => put(&mut read.risk, reader.text(value)),
            "file_pattern" => read.file_pattern = glob(reader, value),
            "command_pattern" => read.command_pattern = glob(reader, value),
            _ => {}
        }
    }
    let patterns = [&read.file_pattern, &read.command_pattern].into_iter().flatten().count();
    if read.tool.is_empty() || read.risk.is_empty() || patterns != 1 {
        let message = "a risk pattern has `tool`, `risk` and one of `file_pattern` and `command_pattern`";
        reader.error(node.at, message);
    }
    Some(read)
}

fn glob(reader: &mut YamlReader, node: &YamlNode) -> Option<Text> {
    let text = text(reader, node)?;
    if let Some(fault) = risk::fault(&text) {
        reader.error(node.at, fault);
    }
    Some(text)
}

fn thresholds(reader: &mut YamlReader, node: &YamlNode) -> Option<DefinedList<Threshold>> {
    let mut thresholds = Vec::new();
    for (key, value) in reader.entries(node)? {
        let number = key.name.strip_prefix("iteration_").and_then(|number| number.parse().ok());
        let at = match number {
            Some(number) => ThresholdAt::Iteration(number),
            None if key.name == "quality_plateau" => ThresholdAt::QualityPlateau,
            None => {
                let message =
                    format!("{:?} is no threshold; one is iteration_N or quality_plateau", key.name);
                reader.error(key.at, message);
                continue;
            }
        };
        if let Some(level) =
            reader.word(value, "reinforcement level", level, LEVELS.iter().map(|level| level.name()))
        {
            thresholds.push(Threshold { at, level });
        }
    }
    Some(thresholds.into())
}

/// The documents write levels in capitals, and here and there not.
fn level(text: &str) -> Option<Level> {
    LEVELS.iter().copied().find(|level| level.name().eq_ignore_ascii_case(text))
}
