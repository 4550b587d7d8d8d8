//! The JSON Schema of `aiwg.yml`, made from the table of keys.
//!
//! It says nothing of other owners' keys, and an unknown one of ours is no error in it, as in reading.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{BLOCK, Config, ConfigKey, KEYS};

/// The file.
pub struct ConfigFile;

impl JsonSchema for ConfigFile {
    fn schema_name() -> Cow<'static, str> {
        "File".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["object", "null"], "properties": {BLOCK: section("")}})
    }
}

/// The keys below `prefix`, which is empty or ends with a dot. The depth is that of the table.
fn section(prefix: &str) -> Value {
    let mut properties = Map::new();
    for key in KEYS {
        let Some(rest) = key.path.strip_prefix(prefix) else { continue };
        let (name, schema) = match rest.split_once('.') {
            None => (rest, value(key)),
            Some((name, _)) if properties.contains_key(name) => continue,
            Some((name, _)) => (name, section(&format!("{prefix}{name}."))),
        };
        properties.insert(name.to_owned(), schema);
    }
    // A section in which nothing stands is a null.
    json!({"type": ["object", "null"], "properties": properties})
}

/// A key's value; null is a key that is not set.
fn value(key: &ConfigKey) -> Value {
    json!({
        "description": key.about,
        "default": (key.value)(&Config::DEFAULT),
        "anyOf": [(key.schema)(), {"type": "null"}],
    })
}
