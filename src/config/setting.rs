//! How each type of value is read from a node, and what is said when it can't be.
//!
//! Reading gives `None` for a value that can't be taken, after it was reported: the default then holds.

mod mappings;
mod words;

use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};

use super::globs;
use crate::shell::CommandPattern;
use crate::yaml::{Position, Problem, ProblemWeight, YamlNode, YamlReader, YamlTree};

/// Reads the settings of a file and collects what is wrong with them.
pub(super) struct SettingReader<'a> {
    /// What is wrong so far.
    pub(super) problems: YamlReader<'a>,
    /// The path of the key that is being read.
    pub(super) path: String,
    /// Each pattern that is named, with what is wrong if there is none of that name.
    pub(super) named: Vec<(String, Problem)>,
}

impl<'a> SettingReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        SettingReader { problems: YamlReader::new(text, usize::MAX), path: String::new(), named: Vec::new() }
    }

    /// Notes a value of the current key that was not taken.
    pub(super) fn wrong(&mut self, at: Position, expected: &str, found: &YamlTree) {
        let message = format!("{} must be {expected}, not {}", self.path, said(found));
        self.problems.error(at, message);
    }

    /// Notes that the current key names a pattern.
    pub(super) fn name(&mut self, at: Position, id: &str) {
        let message = format!(
            "{}.{id} names no pattern, so it changes nothing (`steadfast patterns list` has all)",
            self.path
        );
        self.named.push((id.to_owned(), self.problems.problem(ProblemWeight::Warning, at, message)));
    }
}

/// A found value in words.
fn said(value: &YamlTree) -> String {
    match value {
        YamlTree::Null => "empty".to_owned(),
        YamlTree::Bool(value) => value.to_string(),
        YamlTree::Integer(value) => value.to_string(),
        YamlTree::Float(value) => value.to_string(),
        YamlTree::Text(text) if text.chars().count() > 40 => {
            format!("the text \"{}…\"", text.chars().take(40).collect::<String>().escape_debug())
        }
        YamlTree::Text(text) => format!("the text \"{}\"", text.escape_debug()),
        YamlTree::List(_) => "a list".to_owned(),
        YamlTree::Map(_) => "a mapping".to_owned(),
    }
}

/// A type that a key may have.
pub(super) trait SettingType: Sized {
    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self>;

    /// What a JSON Schema says of it.
    fn schema() -> Json;
}

impl SettingType for bool {
    fn schema() -> Json {
        json!({"type": "boolean"})
    }

    /// The parser takes YAML 1.1's words too: whoever writes `enabled: no` means it.
    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        if let YamlTree::Bool(value) = node.value {
            return Some(value);
        }
        reader.wrong(node.at, "true or false", &node.value);
        None
    }
}

impl SettingType for Option<String> {
    fn schema() -> Json {
        json!({"type": "string", "minLength": 1})
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        match &node.value {
            YamlTree::Text(text) if !text.trim().is_empty() && !text.contains('\0') => {
                Some(Some(text.clone()))
            }
            value => {
                reader.wrong(node.at, "a text (in quotes, if it looks like something else)", value);
                None
            }
        }
    }
}

/// A list of globs. A bad one is reported and the others count: fewer protected files would be worse.
impl SettingType for Vec<String> {
    fn schema() -> Json {
        json!({"type": ["array", "string"], "items": {"type": "string", "minLength": 1}})
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        let items = match &node.value {
            YamlTree::List(items) => items.as_slice(),
            YamlTree::Text(_) => std::slice::from_ref(node),
            value => {
                reader.wrong(node.at, "a list of paths", value);
                return None;
            }
        };
        let mut paths = Vec::new();
        for item in items {
            match &item.value {
                YamlTree::Text(text) if !text.trim().is_empty() => match globs::compile(text) {
                    Ok(_) => paths.push(text.clone()),
                    Err(error) => {
                        let message = format!(
                            "{}: \"{}\" is no glob: {}",
                            reader.path,
                            text.escape_debug(),
                            error.kind()
                        );
                        reader.problems.error(item.at, message);
                    }
                },
                value => reader.wrong(item.at, "a list of paths", value),
            }
        }
        Some(paths)
    }
}

/// A list of commands. A bad one is reported and the others count.
impl SettingType for Vec<CommandPattern> {
    fn schema() -> Json {
        json!({"type": ["array", "string"], "items": {"type": "string", "minLength": 1}})
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        const EXPECTED: &str = "a list of commands: a program, and arguments after it";
        let items = match &node.value {
            YamlTree::List(items) => items.as_slice(),
            YamlTree::Text(_) => std::slice::from_ref(node),
            value => {
                reader.wrong(node.at, EXPECTED, value);
                return None;
            }
        };
        let mut patterns = Vec::new();
        for item in items {
            let pattern = match &item.value {
                YamlTree::Text(text) => CommandPattern::parse(text),
                _ => None,
            };
            match pattern {
                Some(pattern) => patterns.push(pattern),
                None => reader.wrong(item.at, EXPECTED, &item.value),
            }
        }
        Some(patterns)
    }
}

/// Reads a whole number within `range`.
pub(super) fn whole(node: &YamlNode, range: RangeInclusive<u64>, reader: &mut SettingReader) -> Option<u64> {
    let value = node.value.as_whole(range.clone());
    if value.is_none() {
        let (least, most) = (range.start(), range.end());
        reader.wrong(node.at, &format!("a whole number from {least} to {most}"), &node.value);
    }
    value
}

/// Reads a number within `range`.
pub(super) fn number(node: &YamlNode, range: RangeInclusive<f64>, reader: &mut SettingReader) -> Option<f64> {
    let value = node.value.as_number().filter(|value| range.contains(value));
    if value.is_none() {
        let (least, most) = (range.start(), range.end());
        reader.wrong(node.at, &format!("a number from {least} to {most}"), &node.value);
    }
    value
}

/// The schema of [`whole`].
pub(super) fn whole_schema(range: RangeInclusive<u64>) -> Json {
    json!({"type": "integer", "minimum": range.start(), "maximum": range.end()})
}

/// The schema of [`number`].
pub(super) fn number_schema(range: RangeInclusive<f64>) -> Json {
    json!({"type": "number", "minimum": range.start(), "maximum": range.end()})
}
