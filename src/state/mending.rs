//! Reading a JSON object of which a part has the wrong type, without losing the rest.
//!
//! Only for types that have a default for every field: then a field is sound exactly when an object of that field
//! alone is.

use serde::de::{DeserializeOwned, Deserializer};
use serde_json::{Map, Value};

/// What came of reading.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MendedState<T> {
    /// The value.
    pub(super) value: T,
    /// The fields of which something was left out.
    pub(super) mended: Vec<FieldFault>,
}

/// A field with a part of the wrong type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FieldFault {
    /// Its name.
    pub(super) field: String,
    /// What it held.
    pub(super) raw: Value,
    /// Whether nothing of it could be kept.
    pub(super) lost: bool,
}

/// Reads an object. An error is one of syntax, or another kind of value.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<MendedState<T>, serde_json::Error> {
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Ok(MendedState { value, mended: Vec::new() });
    }
    let fields: Map<String, Value> = serde_json::from_slice(bytes)?;
    let mut kept = Map::new();
    let mut mended = Vec::new();
    for (field, raw) in fields {
        let sound = |value: &Value| is_sound::<T>(&object(&field, value.clone()));
        if sound(&raw) {
            kept.insert(field, raw);
            continue;
        }
        let part = mend(&raw, &sound);
        mended.push(FieldFault { field: field.clone(), raw, lost: part.is_none() });
        kept.extend(part.map(|part| (field, part)));
    }
    let value = T::deserialize(Value::Object(kept))?;
    Ok(MendedState { value, mended })
}

/// Reads an optional field of ours: a value of the wrong type costs the field and nothing beside it. A double option
/// tells a `null` from a field that is not there.
pub(super) fn or_none<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = <Value as serde::Deserialize>::deserialize(deserializer)?;
    Ok(T::deserialize(value).ok())
}

/// Whether an object with this field alone is one of `T`.
pub(super) fn fits<T: DeserializeOwned>(field: &str, value: &Value) -> bool {
    is_sound::<T>(&object(field, value.clone()))
}

fn is_sound<T: DeserializeOwned>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

fn object(field: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(field.to_owned(), value)]))
}

/// What is left of `value` when everything that isn't sound in its place is left out. The depth is bounded by the
/// parser that made the value.
fn mend(value: &Value, sound: &dyn Fn(&Value) -> bool) -> Option<Value> {
    if sound(value) {
        return Some(value.clone());
    }
    let part = match value {
        Value::Array(items) => {
            let in_place = |item: &Value| sound(&Value::Array(vec![item.clone()]));
            Value::Array(items.iter().filter_map(|item| mend(item, &in_place)).collect())
        }
        Value::Object(fields) => {
            let kept = fields.iter().filter_map(|(field, value)| {
                let in_place = |value: &Value| sound(&object(field, value.clone()));
                mend(value, &in_place).map(|value| (field.clone(), value))
            });
            Value::Object(kept.collect())
        }
        _ => return None,
    };
    sound(&part).then_some(part)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Default, Deserialize)]
    #[serde(default)]
    struct Outer {
        name: String,
        inner: Inner,
        list: Vec<Inner>,
        #[serde(flatten)]
        extra: Map<String, Value>,
    }

    #[derive(Debug, PartialEq, Default, Deserialize)]
    #[serde(default)]
    struct Inner {
        a: u32,
        b: bool,
    }

    #[test]
    fn only_what_does_not_fit_is_left_out() {
        let value = json!({
            "name": 7,
            "inner": {"a": 5, "b": "no"},
            "list": [{"a": 1}, "x", {"a": -1, "b": true}],
            "foreign": [1],
        });
        let read = read::<Outer>(value.to_string().as_bytes()).unwrap();
        assert_eq!(read.value.name, "");
        assert_eq!(read.value.inner, Inner { a: 5, b: false });
        assert_eq!(read.value.list, [Inner { a: 1, b: false }, Inner { a: 0, b: true }]);
        assert_eq!(read.value.extra["foreign"], json!([1]));
        let faults: Vec<_> = read.mended.iter().map(|fault| (fault.field.as_str(), fault.lost)).collect();
        assert_eq!(faults, [("name", true), ("inner", false), ("list", false)]);
        for bad in ["", "[]", "7", "{", "{\"name\": \"\\ud800\"}", &"[".repeat(10_000)] {
            assert!(super::read::<Outer>(bad.as_bytes()).is_err(), "{bad:.20}");
        }
    }
}
