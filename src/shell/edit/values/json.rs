//! A value of a JSON file, set or deleted in the parsed text.

use serde_json::Value;

use crate::shell::edit::values::ValueStep;

pub(crate) fn set(value: &mut Value, path: &[ValueStep], new: Option<&Value>) {
    let mut here = value;
    let Some((last, before)) = path.split_last() else { return };
    if *last == ValueStep::Behind {
        return add(here, before, new);
    }
    for key in before {
        if !here.is_object() && !here.is_array() {
            *here = Value::Object(serde_json::Map::new());
        }
        let next = match (key, here) {
            (ValueStep::Name(name), Value::Object(map)) => {
                if new.is_none() && !map.contains_key(name) {
                    return;
                }
                map.entry(name.clone()).or_insert(Value::Null)
            }
            (ValueStep::Item(item), Value::Array(items)) => match items.get_mut(*item) {
                Some(next) => next,
                None => return,
            },
            _ => return,
        };
        here = next;
    }
    if new.is_some() && matches!(last, ValueStep::Name(_)) && !here.is_object() {
        *here = Value::Object(serde_json::Map::new());
    }
    match (last, here, new) {
        (ValueStep::Name(name), Value::Object(map), Some(new)) => {
            map.insert(name.clone(), new.clone());
        }
        (ValueStep::Name(name), Value::Object(map), None) => {
            map.shift_remove(name);
        }
        (ValueStep::Item(item), Value::Array(items), Some(new)) => {
            if let Some(slot) = items.get_mut(*item) {
                *slot = new.clone();
            }
        }
        (ValueStep::Item(item), Value::Array(items), None) if *item < items.len() => {
            items.remove(*item);
        }
        _ => {}
    }
}

/// Puts a text behind the one that stands at a path.
fn add(value: &mut Value, path: &[ValueStep], new: Option<&Value>) {
    let mut here = value;
    for key in path {
        let next = match (key, here) {
            (ValueStep::Name(name), Value::Object(map)) => map.get_mut(name),
            (ValueStep::Item(item), Value::Array(items)) => items.get_mut(*item),
            _ => None,
        };
        let Some(next) = next else { return };
        here = next;
    }
    if let (Value::String(text), Some(Value::String(more))) = (here, new) {
        text.push_str(more);
    }
}

/// The keys or items of what stands at a path.
pub(crate) fn members(value: &Value, path: &[ValueStep]) -> Vec<ValueStep> {
    match path.iter().try_fold(value, member) {
        Some(Value::Object(map)) => map.keys().cloned().map(ValueStep::Name).collect(),
        Some(Value::Array(items)) => (0..items.len()).map(ValueStep::Item).collect(),
        _ => Vec::new(),
    }
}

fn member<'v>(here: &'v Value, key: &ValueStep) -> Option<&'v Value> {
    match (key, here) {
        (ValueStep::Name(name), Value::Object(map)) => map.get(name),
        (ValueStep::Item(item), Value::Array(items)) => items.get(*item),
        _ => None,
    }
}
