//! Settings that are mappings with keys of the project's own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::words::{spellings, word};
use super::{SettingReader, SettingType};
use crate::config::LevelThresholds;
use crate::model::finding::Severity;
use crate::state::loop_state::Level;
use crate::yaml::{YamlNode, YamlTree};

/// `iteration_N: LEVEL`. One bad entry leaves the default thresholds: without any the level would never rise.
impl SettingType for LevelThresholds {
    fn schema() -> Json {
        json!({
            "type": "object",
            "patternProperties": {"^iteration_[1-9][0-9]*$": Level::schema()},
            "additionalProperties": false,
        })
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        let YamlTree::Map(entries) = &node.value else {
            reader.wrong(node.at, "a mapping like iteration_3: STANDARD", &node.value);
            return None;
        };
        let mut levels = BTreeMap::new();
        let mut sound = true;
        for (key, value) in entries {
            let number = key.name.strip_prefix("iteration_").and_then(|number| number.parse().ok());
            let Some(number) = number.filter(|number: &u32| *number > 0) else {
                let message =
                    format!("{} has keys like iteration_3, not \"{}\"", reader.path, key.name.escape_debug());
                reader.problems.error(key.at, message);
                sound = false;
                continue;
            };
            match Level::read(value, reader) {
                Some(level) => {
                    levels.insert(number, level);
                }
                None => sound = false,
            }
        }
        sound.then(|| LevelThresholds(Cow::Owned(levels.into_iter().collect())))
    }
}

const SEVERITIES: [(&str, Option<Severity>); 5] = [
    ("off", None),
    ("low", Some(Severity::Low)),
    ("medium", Some(Severity::Medium)),
    ("high", Some(Severity::High)),
    ("critical", Some(Severity::Critical)),
];

/// `LP-012: low`. A bad entry leaves that pattern as it is.
impl SettingType for BTreeMap<String, Option<Severity>> {
    fn schema() -> Json {
        json!({
            "type": "object",
            "patternProperties": {"^[A-Za-z]{2,8}-([A-Za-z]?[0-9]{3}|TODO|todo)$": spellings(&SEVERITIES.map(|(word, _)| word))},
            "additionalProperties": false,
        })
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        let YamlTree::Map(entries) = &node.value else {
            reader.wrong(node.at, "a mapping like LP-012: low", &node.value);
            return None;
        };
        let mut severities = BTreeMap::new();
        for (key, value) in entries {
            let id = key.name.to_ascii_uppercase();
            if !is_pattern_id(&id) {
                let message =
                    format!("{} has keys like LP-012, not \"{}\"", reader.path, key.name.escape_debug());
                reader.problems.error(key.at, message);
            } else if let Some(severity) = word(value, &SEVERITIES, reader) {
                reader.name(key.at, &id);
                severities.insert(id, severity);
            }
        }
        Some(severities)
    }
}

/// `name: command`. A bad entry is reported and the others count.
impl SettingType for BTreeMap<String, String> {
    fn schema() -> Json {
        json!({"type": "object", "additionalProperties": {"type": "string", "minLength": 1}})
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        let YamlTree::Map(entries) = &node.value else {
            reader.wrong(node.at, "a mapping of names to commands", &node.value);
            return None;
        };
        let mut commands = BTreeMap::new();
        for (key, value) in entries {
            if let Some(Some(command)) = <Option<String>>::read(value, reader) {
                commands.insert(key.name.clone(), command);
            }
        }
        Some(commands)
    }
}

fn is_pattern_id(id: &str) -> bool {
    let Some((family, number)) = id.split_once('-') else { return false };
    let letters = (2..=8).contains(&family.len()) && family.bytes().all(|byte| byte.is_ascii_uppercase());
    // Some families of patterns have a letter before the number: `LP-T003`.
    let digits = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
    letters && (number == "TODO" || (digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())))
}
