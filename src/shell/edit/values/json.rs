//! A value of a JSON file, set or deleted in the parsed text.

use serde_json::Value;

use crate::shell::edit::values::Key;

pub(crate) fn set(value: &mut Value, path: &[Key], new: Option<&Value>) {
    let mut here = value;
    let Some((last, before)) = path.split_last() else { return };
    for key in before {
        if !here.is_object() && !here.is_array() {
            *here = Value::Object(serde_json::Map::new());
        }
        let next = match (key, here) {
            (Key::Name(name), Value::Object(map)) => {
                if new.is_none() && !map.contains_key(name) {
                    return;
                }
                map.entry(name.clone()).or_insert(Value::Null)
            }
            (Key::Item(item), Value::Array(items)) => match items.get_mut(*item) {
                Some(next) => next,
                None => return,
            },
            _ => return,
        };
        here = next;
    }
    if new.is_some() && matches!(last, Key::Name(_)) && !here.is_object() {
        *here = Value::Object(serde_json::Map::new());
    }
    match (last, here, new) {
        (Key::Name(name), Value::Object(map), Some(new)) => {
            map.insert(name.clone(), new.clone());
        }
        (Key::Name(name), Value::Object(map), None) => {
            map.shift_remove(name);
        }
        (Key::Item(item), Value::Array(items), Some(new)) => {
            if let Some(slot) = items.get_mut(*item) {
                *slot = new.clone();
            }
        }
        (Key::Item(item), Value::Array(items), None) if *item < items.len() => {
            items.remove(*item);
        }
        _ => {}
    }
}

/// The keys or items of what stands at a path.
pub(crate) fn members(value: &Value, path: &[Key]) -> Vec<Key> {
    match path.iter().try_fold(value, member) {
        Some(Value::Object(map)) => map.keys().cloned().map(Key::Name).collect(),
        Some(Value::Array(items)) => (0..items.len()).map(Key::Item).collect(),
        _ => Vec::new(),
    }
}

fn member<'v>(here: &'v Value, key: &Key) -> Option<&'v Value> {
    match (key, here) {
        (Key::Name(name), Value::Object(map)) => map.get(name),
        (Key::Item(item), Value::Array(items)) => items.get(*item),
        _ => None,
    }
}
