//! The state updates of one hook of a definition file.

use crate::definitions::model::{FieldChange, FieldUpdate, HookDefinition, UpdateSource};
use crate::definitions::reader::literal;
use crate::definitions::vocabulary::{RECORDS, STATE_FIELDS};
use crate::yaml::{Position, YamlNode, YamlReader};

/// One state update. The sources that updates take their values from are checked when all agents of the hook are known.
pub(super) fn update(
    reader: &mut YamlReader,
    node: &YamlNode,
    sources: &mut Vec<(Position, String)>,
) -> Option<FieldUpdate> {
    let (mut fields, mut origins) = (Vec::new(), Vec::new());
    // Not `fields`, which leaves null out: `value: null` is a value.
    for (key, value) in reader.entries(node)? {
        match key.name.as_str() {
            "set" | "append" | "increment" => fields.push((key.name.as_str(), value.at, reader.text(value)?)),
            "from" => {
                let source = reader.text(value)?;
                sources.push((value.at, source.clone()));
                origins.push(UpdateSource::From(source.into()));
            }
            "value" => origins.push(UpdateSource::Value(literal(reader, value))),
            _ => {}
        }
    }
    let [(change, at, field)] = fields.as_slice() else {
        reader.error(node.at, "a state update has one of `set`, `append` and `increment`");
        return None;
    };
    if !STATE_FIELDS.contains(&field.as_str()) {
        reader.unknown(*at, "state field", field, STATE_FIELDS.iter().copied());
    }
    let change = match (*change, origins.pop(), origins.is_empty()) {
        ("increment", None, true) => FieldChange::Increment,
        ("set", Some(origin), true) => FieldChange::Set(origin),
        ("append", Some(origin), true) => FieldChange::Append(origin),
        ("increment", ..) => {
            reader.error(node.at, "`increment` adds one and takes neither `from` nor `value`");
            return None;
        }
        (change, ..) => {
            reader.error(node.at, format!("`{change}` takes its value by one of `from` and `value`"));
            return None;
        }
    };
    Some(FieldUpdate { field: field.clone().into(), change })
}

/// Checks that the hook makes, or one of its agents answers, what a state update takes.
pub(super) fn check_source(reader: &mut YamlReader, at: Position, source: &str, hook: &HookDefinition) {
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
