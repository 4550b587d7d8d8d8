//! The recovery protocol and the human gate of a definition file.

use crate::definitions::model::{
    DefinedList, EscalationRule, GateAnswer, GateDefinition, RecoveryDefinition, Text,
};
use crate::definitions::names::{GateAction, GateKind, Stage};
use crate::definitions::reader::{action, condition as read_condition, message, put, text};
use crate::yaml::{YamlNode, YamlReader};

/// Lays what a file says about recovery over `recovery`.
pub(super) fn recovery(reader: &mut YamlReader, node: &YamlNode, recovery: &mut Option<RecoveryDefinition>) {
    let mut read = recovery
        .take()
        .unwrap_or(RecoveryDefinition { steps: DefinedList::EMPTY, escalation: DefinedList::EMPTY });
    for (key, value) in reader.fields(node, &["steps", "escalation_conditions"]) {
        match key.name.as_str() {
            "steps" => {
                put(&mut read.steps, reader.list(value, step));
                let stages: Vec<Stage> = read.steps.iter().map(|(stage, _)| *stage).collect();
                if !stages.is_sorted_by(|one, next| one < next) {
                    reader.error(
                        value.at,
                        "each stage comes once, in the order of PAUSE, DIAGNOSE, ADAPT, RETRY, ESCALATE",
                    );
                }
            }
            "escalation_conditions" => put(&mut read.escalation, reader.list(value, escalation)),
            _ => {}
        }
    }
    *recovery = Some(read);
}

fn step(reader: &mut YamlReader, node: &YamlNode) -> Option<(Stage, Text)> {
    let [(key, value)] = reader.entries(node)? else {
        reader.error(node.at, "a step is one stage and what it does: `PAUSE: \"...\"`");
        return None;
    };
    let text = text(reader, value)?;
    let stage = Stage::of(&key.name);
    if stage.is_none() {
        reader.unknown(key.at, "stage", &key.name, Stage::names());
    }
    Some((stage?, text))
}

fn escalation(reader: &mut YamlReader, node: &YamlNode) -> Option<EscalationRule> {
    let (mut condition, mut then) = (None, None);
    let fields = reader.fields(node, &["condition", "action"]);
    if fields.len() < 2 {
        reader.error(node.at, "an escalation has `condition` and `action`");
    }
    for (key, value) in fields {
        match key.name.as_str() {
            "condition" => condition = read_condition(reader, value),
            "action" => then = action(reader, value),
            _ => {}
        }
    }
    Some(EscalationRule { condition: condition?, action: then? })
}

/// Lays what a file says about a gate over `gate`.
pub(super) fn gate(reader: &mut YamlReader, node: &YamlNode, gate: &mut Option<GateDefinition>) {
    let nothing = GateDefinition {
        kind: GateKind::Terminate,
        timeout_seconds: None,
        message: "".into(),
        options: DefinedList::EMPTY,
    };
    let mut read = gate.take().unwrap_or(nothing);
    for (key, value) in reader.fields(node, &["type", "timeout", "message", "options"]) {
        match key.name.as_str() {
            "type" => {
                let kind = reader.word(value, "kind of gate", GateKind::of, GateKind::names());
                put(&mut read.kind, kind);
            }
            "timeout" => read.timeout_seconds = reader.whole(value, 1),
            "message" => put(&mut read.message, message(reader, value)),
            "options" => {
                put(&mut read.options, reader.list(value, option));
                let ids: Vec<&str> = read.options.iter().map(|option| option.id.as_ref()).collect();
                if let Some(twice) = ids.iter().enumerate().find(|(place, id)| ids[..*place].contains(id)) {
                    reader.error(value.at, format!("two options have the id {:?}", twice.1));
                }
            }
            _ => {}
        }
    }
    if read.options.is_empty() {
        reader.error(node.at, "a gate without options could never be left");
    }
    *gate = Some(read);
}

fn option(reader: &mut YamlReader, node: &YamlNode) -> Option<GateAnswer> {
    let (mut id, mut label, mut then) = (None, None, None);
    let fields = reader.fields(node, &["id", "label", "action"]);
    if fields.len() < 3 {
        reader.error(node.at, "an option has `id`, `label` and `action`");
    }
    for (key, value) in fields {
        match key.name.as_str() {
            "id" => id = text(reader, value),
            "label" => label = text(reader, value),
            "action" => {
                let what = "action of a gate";
                then = reader.word(value, what, GateAction::of, GateAction::names());
            }
            _ => {}
        }
    }
    Some(GateAnswer { id: id?, label: label?, action: then? })
}
