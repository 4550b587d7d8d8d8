//! The kinds of value that only definitions have, out of a located tree.

use super::condition::HookCondition;
use super::inputs::placeholders;
use super::model::{DefinedList, DefinitionValue, Text};
use super::names::{Action, HookName};
use super::vocabulary::{VARIABLES, is_variable};
use crate::yaml::{Position, YamlNode, YamlReader, YamlTree};

/// The action that a text names.
pub(super) fn action(reader: &mut YamlReader, node: &YamlNode) -> Option<Action> {
    reader.word(node, "action", Action::of, Action::names())
}

/// The hook that a text names.
pub(super) fn hook_name(reader: &mut YamlReader, node: &YamlNode) -> Option<HookName> {
    reader.word(node, "hook", HookName::of, HookName::names())
}

/// A text that stays as written.
pub(super) fn text(reader: &mut YamlReader, node: &YamlNode) -> Option<Text> {
    reader.text(node).map(Text::from)
}

/// Any value, its placeholders checked.
pub(super) fn literal(reader: &mut YamlReader, node: &YamlNode) -> DefinitionValue {
    match &node.value {
        YamlTree::Null => DefinitionValue::Null,
        YamlTree::Bool(value) => DefinitionValue::Bool(*value),
        YamlTree::Integer(value) => DefinitionValue::Integer(*value),
        YamlTree::Float(value) => DefinitionValue::Float(*value),
        YamlTree::Text(text) => {
            check_placeholders(reader, node.at, text);
            DefinitionValue::Text(text.clone().into())
        }
        YamlTree::List(nodes) => {
            DefinitionValue::List(nodes.iter().map(|node| literal(reader, node)).collect::<Vec<_>>().into())
        }
        YamlTree::Map(_) => DefinitionValue::Map(literals(reader, node)),
    }
}

/// The entries of a mapping, their placeholders checked.
pub(super) fn literals(reader: &mut YamlReader, node: &YamlNode) -> DefinedList<(Text, DefinitionValue)> {
    let entries = reader.entries(node).unwrap_or_default();
    let entries = entries.iter().map(|(key, value)| (key.name.clone().into(), literal(reader, value)));
    entries.collect::<Vec<_>>().into()
}

/// A text with placeholders.
pub(super) fn message(reader: &mut YamlReader, node: &YamlNode) -> Option<Text> {
    let text = text(reader, node)?;
    check_placeholders(reader, node.at, &text);
    Some(text)
}

/// The text of a condition that can be evaluated.
pub(super) fn condition(reader: &mut YamlReader, node: &YamlNode) -> Option<Text> {
    let text = text(reader, node)?;
    match HookCondition::parse(&text) {
        Ok(condition) => check_variables(reader, node.at, condition.names()),
        Err(error) => reader.error(node.at, error.to_string()),
    }
    Some(text)
}

fn check_placeholders(reader: &mut YamlReader, at: Position, text: &str) {
    check_variables(reader, at, placeholders(text));
}

fn check_variables(reader: &mut YamlReader, at: Position, names: Vec<&str>) {
    for name in names.into_iter().filter(|name| !is_variable(name)) {
        reader.unknown(at, "variable", name, VARIABLES.iter().copied());
    }
}

/// Puts what was read, if anything was.
pub(super) fn put<T>(slot: &mut T, value: Option<impl Into<T>>) {
    if let Some(value) = value {
        *slot = value.into();
    }
}
