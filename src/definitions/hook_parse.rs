//! One hook of a definition file.

use super::effects;
use super::gate_parse::{gate, recovery};
use super::model::{
    Change, Conditional, Hook, Invocation, List, Literal, Origin, RiskPattern, StateUpdate, Text, Then,
    Threshold, ThresholdAt,
};
use super::names::{Action, Agent, HookName, Timing};
use super::parse::{Trigger, hook_name};
use super::reader::{Reader, put};
use super::risk;
use super::tree::{Node, Place};
use super::vocabulary::{RECORDS, STATE_FIELDS};
use crate::state::loop_state::Level;

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

/// Lays what a file says about the hook `name` over `hook`, and adds the hooks that it fires to `triggers`.
pub(super) fn hook(
    reader: &mut Reader,
    node: &Node,
    hook: &mut Hook,
    name: HookName,
    triggers: &mut Vec<Trigger>,
) {
    let mut sources = Vec::new();
    for (key, value) in reader.fields(node, FIELDS) {
        match key.name.as_str() {
            "description" => put(&mut hook.description, reader.text(value)),
            "trigger" => put(&mut hook.trigger, reader.text(value)),
            "timing" => {
                put(&mut hook.timing, reader.word(value, "timing", Timing::of, Timing::ALL, Timing::name));
            }
            "agents_to_invoke" => put(&mut hook.agents, reader.list(value, invocation)),
            "actions" => {
                put(&mut hook.actions, reader.list(value, action));
                effects::actions(name, &hook.actions)
                    .into_iter()
                    .for_each(|message| reader.idle(value.at, message));
            }
            "state_updates" => {
                let updates = reader.list(value, |reader, node| update(reader, node, &mut sources));
                put(&mut hook.state_updates, updates);
                effects::updates(name, &hook.state_updates)
                    .into_iter()
                    .for_each(|message| reader.idle(value.at, message));
            }
            "conditional_actions" => {
                let read = |reader: &mut Reader, node: &Node| {
                    let conditional = conditional(reader, node)?;
                    if let Some(message) = effects::conditional(name, &conditional) {
                        reader.idle(node.at, message);
                    }
                    if let Then::Trigger(to) = conditional.then {
                        triggers.push(Trigger { from: name, to, at: node.at });
                    }
                    Some(conditional)
                };
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

/// The action that a text names.
pub(super) fn action(reader: &mut Reader, node: &Node) -> Option<Action> {
    reader.word(node, "action", Action::of, Action::ALL, Action::name)
}

fn invocation(reader: &mut Reader, node: &Node) -> Option<Invocation> {
    let mut read = Invocation {
        agent: "".into(),
        purpose: "".into(),
        required: true,
        inputs: List::EMPTY,
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
            "inputs" => read.inputs = inputs(reader, value),
            "command" => read.command = command(reader, value),
            _ => {}
        }
    }
    let Some(at) = agent_at else {
        reader.error(node.at, "an agent to invoke has a name: `agent`");
        return None;
    };
    if read.command.is_none() && Agent::of(&read.agent).is_none() && !read.agent.is_empty() {
        let agents = Agent::ALL.iter().map(|agent| agent.name());
        reader.unknown(at, "built-in agent, and it has no `command`", &read.agent, agents);
    }
    Some(read)
}

fn inputs(reader: &mut Reader, node: &Node) -> List<(Text, Literal)> {
    let entries = reader.entries(node).unwrap_or_default();
    let inputs = entries.iter().map(|(key, value)| (key.name.clone().into(), reader.literal(value)));
    inputs.collect::<Vec<_>>().into()
}

fn command(reader: &mut Reader, node: &Node) -> Option<List<Text>> {
    let command = reader.list(node, Reader::text)?;
    if command.first().is_none_or(|program| program.is_empty()) {
        reader.error(node.at, "a command is a list that begins with its program");
    }
    Some(command)
}

/// The sources that updates take their values from are checked when all agents of the hook are known.
fn update(reader: &mut Reader, node: &Node, sources: &mut Vec<(Place, String)>) -> Option<StateUpdate> {
    let (mut fields, mut origins) = (Vec::new(), Vec::new());
    // Not `fields`, which leaves null out: `value: null` is a value.
    for (key, value) in reader.entries(node)? {
        match key.name.as_str() {
            "set" | "append" | "increment" => fields.push((key.name.as_str(), value.at, reader.text(value)?)),
            "from" => {
                let source = reader.text(value)?;
                sources.push((value.at, source.to_string()));
                origins.push(Origin::From(source));
            }
            "value" => origins.push(Origin::Value(reader.literal(value))),
            _ => {}
        }
    }
    let [(change, at, field)] = fields.as_slice() else {
        reader.error(node.at, "a state update has one of `set`, `append` and `increment`");
        return None;
    };
    if !STATE_FIELDS.contains(&field.as_ref()) {
        reader.unknown(*at, "state field", field, STATE_FIELDS.iter().copied());
    }
    let change = match (*change, origins.pop(), origins.is_empty()) {
        ("increment", None, true) => Change::Increment,
        ("set", Some(origin), true) => Change::Set(origin),
        ("append", Some(origin), true) => Change::Append(origin),
        ("increment", ..) => {
            reader.error(node.at, "`increment` adds one and takes neither `from` nor `value`");
            return None;
        }
        (change, ..) => {
            reader.error(node.at, format!("`{change}` takes its value by one of `from` and `value`"));
            return None;
        }
    };
    Some(StateUpdate { field: field.clone(), change })
}

fn check_source(reader: &mut Reader, at: Place, source: &str, hook: &Hook) {
    let Some((agent, field)) = source.split_once('.') else {
        if !RECORDS.contains(&source) {
            reader.unknown(at, "record that a hook makes", source, RECORDS.iter().copied());
        }
        return;
    };
    let Some(invocation) = hook.agents.iter().find(|invocation| invocation.agent == agent) else {
        let agents = hook.agents.iter().map(|invocation| invocation.agent.as_ref());
        return reader.unknown(at, "agent that the hook asks", agent, agents);
    };
    // A program may answer with fields of its own.
    if let Some(agent) = invocation.built_in()
        && !agent.outputs().contains(&field)
    {
        let what = format!("field of what {} answers", agent.name());
        reader.unknown(at, &what, field, agent.outputs().iter().copied());
    }
}

fn conditional(reader: &mut Reader, node: &Node) -> Option<Conditional> {
    let (mut condition, mut act, mut hook) = (None, None, None);
    for (key, value) in reader.fields(node, &["condition", "action", "hook"]) {
        match key.name.as_str() {
            "condition" => condition = reader.condition(value),
            "action" => act = Some(value),
            "hook" => hook = Some(hook_name(reader, value)?),
            _ => {}
        }
    }
    let (Some(condition), Some(act)) = (condition, act) else {
        reader.error(node.at, "a conditional action has `condition` and `action`");
        return None;
    };
    let text = reader.text(act)?;
    let then = match (text.as_ref(), hook) {
        ("trigger_hook", Some(hook)) => Then::Trigger(hook),
        ("trigger_hook", None) => {
            reader.error(node.at, "`trigger_hook` says which by `hook`");
            return None;
        }
        (text, _) => match Action::of(text) {
            Some(action) => Then::Act(action),
            None => {
                let known = Action::ALL.iter().map(|action| action.name()).chain(["trigger_hook"]);
                reader.unknown(act.at, "action", text, known);
                return None;
            }
        },
    };
    Some(Conditional { condition, then })
}

fn risk_pattern(reader: &mut Reader, node: &Node) -> Option<RiskPattern> {
    let mut read =
        RiskPattern { tool: "".into(), file_pattern: None, command_pattern: None, risk: "".into() };
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

fn glob(reader: &mut Reader, node: &Node) -> Option<Text> {
    let text = reader.text(node)?;
    if let Some(fault) = risk::fault(&text) {
        reader.error(node.at, fault);
    }
    Some(text)
}

fn thresholds(reader: &mut Reader, node: &Node) -> Option<List<Threshold>> {
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
        if let Some(level) = reader.word(value, "reinforcement level", level, LEVELS, Level::name) {
            thresholds.push(Threshold { at, level });
        }
    }
    Some(thresholds.into())
}

/// The documents write levels in capitals, and here and there not.
fn level(text: &str) -> Option<Level> {
    LEVELS.iter().copied().find(|level| level.name().eq_ignore_ascii_case(text))
}
